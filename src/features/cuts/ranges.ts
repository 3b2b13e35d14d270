/**
 * Stretches of a recording, in whole milliseconds: from `startMs` up to, and without, `endMs`. Lists of
 * them are in order and do not touch, unless something else is said.
 */
export interface Range {
  startMs: number
  endMs: number
}

/** Any stretches, in any order, as a list. Empty ones are left out, those that touch are one. */
export function joined(ranges: readonly Range[]): Range[] {
  const list: Range[] = []
  for (const { startMs, endMs } of ranges.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = list.at(-1)
    if (endMs <= startMs) continue
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs)
    else list.push({ startMs, endMs })
  }
  return list
}

/** What is left of a list without another list. */
export function without(list: readonly Range[], taken: readonly Range[]): Range[] {
  const left: Range[] = []
  let next = 0
  for (const { startMs, endMs } of list) {
    let from = startMs
    for (;;) {
      const hole = taken[next]
      if (!hole || hole.startMs >= endMs) break
      if (hole.startMs > from) left.push({ startMs: from, endMs: hole.startMs })
      from = Math.max(from, hole.endMs)
      // It may go on in the next of the list.
      if (hole.endMs > endMs) break
      next += 1
    }
    if (from < endMs) left.push({ startMs: from, endMs })
  }
  return left
}

/** What is cut where only one stretch of a recording is kept: everything around it, too. */
export const cutsAround = (
  cuts: readonly Range[],
  { startMs, endMs }: Range,
  { durationMs }: { durationMs: number },
): Range[] =>
  joined([...cuts, { startMs: 0, endMs: startMs }, { startMs: endMs, endMs: durationMs }])

export const middleOf = ({ startMs, endMs }: Range): number => (startMs + endMs) / 2

/** A word is cut when its middle is. */
export const isCut = (list: readonly Range[], word: Range): boolean =>
  rangeAt(list, middleOf(word)) !== null

/** Whether a word is in a clip and not cut: its middle is. Some words lie beyond the end of a recording. */
export const isInClip = (
  word: Range,
  { clip, cuts }: { clip: Range; cuts: readonly Range[] },
): boolean => rangeAt([clip], middleOf(word)) !== null && !isCut(cuts, word)

/** How long a list is in all, in milliseconds. */
export const lengthOf = (list: readonly Range[]): number =>
  list.reduce((all, { startMs, endMs }) => all + endMs - startMs, 0)

/** As calls have them. */
export const inSeconds = (list: readonly Range[]): { start: number; end: number }[] =>
  list.map(({ startMs, endMs }) => ({ start: startMs / 1000, end: endMs / 1000 }))

/** Which of the list is the last to begin at or before this moment; -1 for none. */
function lastBefore(list: readonly Range[], ms: number): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((list[middle]?.startMs ?? Infinity) <= ms) from = middle + 1
    else to = middle
  }
  return from - 1
}

/** The stretch of the list that this moment lies in. */
export function rangeAt(list: readonly Range[], ms: number): Range | null {
  const range = list[lastBefore(list, ms)]
  return range && ms < range.endMs ? range : null
}

/** A wave of the recording, which is so long, without these stretches. */
export const levelsWithout = (
  levels: readonly number[],
  list: readonly Range[],
  durationMs: number,
): number[] =>
  levels.filter((_, at) => rangeAt(list, ((at + 0.5) / levels.length) * durationMs) === null)

/**
 * Where a moment of the recording lies once these stretches are out: in milliseconds from the new
 * beginning. A moment that is out itself lies where its stretch was.
 */
export function clockWithout(list: readonly Range[]): (ms: number) => number {
  let gone = 0
  const steps = list.map(({ startMs, endMs }) => {
    const goneBefore = gone
    gone += endMs - startMs
    return { startMs, endMs, goneBefore }
  })
  return (ms) => {
    const step = steps[lastBefore(list, ms)]
    if (!step) return ms
    const { startMs, endMs, goneBefore } = step
    return ms < endMs ? startMs - goneBefore : ms - goneBefore - (endMs - startMs)
  }
}

/** The way back: where a moment of what is left lies in the recording. At a seam, after its cut. */
export function clockWith(list: readonly Range[]): (ms: number) => number {
  const clock = clockWithout(list)
  const seams = list.map(({ startMs, endMs }) => ({ atMs: clock(startMs), endMs }))
  return (ms) => {
    const seam = seams.findLast(({ atMs }) => atMs <= ms)
    return seam ? seam.endMs + ms - seam.atMs : ms
  }
}
