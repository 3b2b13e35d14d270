/**
 * Agglomerative clustering by average linkage: the two groups that are most alike are joined, again
 * and again. Two groups are as alike as their items are on the weighted mean, less what says that
 * they do not belong together. Time and memory grow with the square of the number of items.
 */
export interface Linkage<Item> {
  weightOf: (item: Item) => number
  likenessOf: (a: Item, b: Item) => number
  /** The likeness from which on two groups are joined, of which the lighter has this weight. */
  joinedFrom: (weight: number) => number
  /** How much says that two items do not belong together, and how much could say so of one. */
  apartOf?: (a: Item, b: Item) => number
  mostApart?: (item: Item) => number
}

/** The likeness that is lost where everything says that two groups do not belong together. */
const APART = 0.3
const NOBODY = { other: -1, likeness: -Infinity }

export function groupsOf<Item>(
  items: readonly Item[],
  { weightOf, likenessOf, joinedFrom, apartOf = () => 0, mostApart = () => 1 }: Linkage<Item>,
): Item[][] {
  const groups = items.map((item) => [item])
  const weights = Float64Array.from(items, weightOf)
  const mosts = Float64Array.from(items, mostApart)
  /** Of each two groups: the weighted sum of the likeness of their items, and of what is against it. */
  const shared = table(items, (a, b) => weightOf(a) * weightOf(b) * likenessOf(a, b))
  const against = table(items, apartOf)

  /** The other group that each is most alike, if they may be joined. */
  const nearest = items.map(() => NOBODY)
  const left = [...items.keys()]
  const offer = (a: number, b: number) => {
    const [one, other] = [at(weights, a), at(weights, b)]
    const share = at(against[a], b) / Math.min(at(mosts, a), at(mosts, b))
    const likeness = at(shared[a], b) / (one * other) - APART * share
    if (likeness < joinedFrom(Math.min(one, other))) return
    if (likeness > (nearest[a] ?? NOBODY).likeness) nearest[a] = { other: b, likeness }
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
    if (gone < 0) return left.map((each) => groups[each] ?? [])
    groups[kept] = [...(groups[kept] ?? []), ...(groups[gone] ?? [])]
    left.splice(left.indexOf(gone), 1)
    for (const sums of [weights, mosts]) sums[kept] = at(sums, kept) + at(sums, gone)
    for (const rows of [shared, against])
      for (const other of left) {
        const sum = at(rows[kept], other) + at(rows[gone], other)
        rows[kept]?.fill(sum, other, other + 1)
        rows[other]?.fill(sum, kept, kept + 1)
      }
    seek(kept)
    for (const other of left) {
      const before = nearest[other]?.other
      if (before === kept || before === gone) seek(other)
      else if (other !== kept) offer(other, kept)
    }
  }
}

const table = <Item>(items: readonly Item[], of: (a: Item, b: Item) => number): Float64Array[] =>
  items.map((a) => Float64Array.from(items, (b) => of(a, b)))

const at = (values: Float64Array | undefined, index: number): number => values?.[index] ?? 0
