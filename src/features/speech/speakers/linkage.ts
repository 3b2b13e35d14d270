/**
 * Agglomerative clustering: the two groups that are most alike are joined, again and again. Time and
 * memory grow with the square of the number of groups.
 */
export interface Linkage<Group> {
  likenessOf: (a: Group, b: Group) => number
  /** The likeness from which on two groups are joined. */
  joinedFrom: (a: Group, b: Group) => number
  joined: (a: Group, b: Group) => Group
}

const NOBODY = { other: -1, likeness: -Infinity }

export function joinAlike<Group>(
  all: readonly Group[],
  { likenessOf, joinedFrom, joined }: Linkage<Group>,
): Group[] {
  const groups = [...all]
  /** Of each two groups; of two that may not be joined it is endlessly little. */
  const likeness = groups.map(() => new Float64Array(groups.length))
  const compare = (a: number, b: number) => {
    const [one, other] = [groups[a], groups[b]]
    if (one === undefined || other === undefined) return
    const found = likenessOf(one, other)
    const value = found < joinedFrom(one, other) ? -Infinity : found
    likeness[a]?.fill(value, b, b + 1)
    likeness[b]?.fill(value, a, a + 1)
  }
  const likenessAt = (a: number, b: number) => likeness[a]?.[b] ?? -Infinity
  for (const a of groups.keys()) for (let b = 0; b < a; b++) compare(a, b)

  /** The other group that each is most alike, if they may be joined. */
  const nearest = groups.map(() => NOBODY)
  const left = [...groups.keys()]
  const offer = (a: number, b: number) => {
    const found = likenessAt(a, b)
    if (found > (nearest[a] ?? NOBODY).likeness) nearest[a] = { other: b, likeness: found }
  }
  const seek = (a: number) => {
    nearest[a] = NOBODY
    for (const b of left) if (b !== a) offer(a, b)
  }
  left.forEach(seek)

  for (;;) {
    const likenessNow = (a: number) => (nearest[a] ?? NOBODY).likeness
    const kept = left.reduce((a, b) => (likenessNow(b) > likenessNow(a) ? b : a), left[0] ?? 0)
    const gone = nearest[kept]?.other ?? -1
    const [one, other] = [groups[kept], groups[gone]]
    if (one === undefined || other === undefined)
      return left.flatMap((each) => groups.slice(each, each + 1))
    groups[kept] = joined(one, other)
    left.splice(left.indexOf(gone), 1)
    for (const each of left) if (each !== kept) compare(kept, each)
    seek(kept)
    for (const each of left) {
      const before = nearest[each]?.other
      if (before === kept || before === gone) seek(each)
      else if (each !== kept) offer(each, kept)
    }
  }
}
