/** The words of a clip on the page that makes it, and the words at which its edges lie. Pure. */
import type { WordTurn } from '#features/text/contract.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'

import type { Said } from '../clip-captions.ts'
import { type Range, clockWithout, cutsAround, isInClip, lengthOf, without } from '../ranges.ts'

/** One edge of a passage. */
export type Edge = 'startMs' | 'endMs'

/** The words that a clip shows, in its own times. */
export function saidIn(
  { turns, places }: { turns: readonly WordTurn[]; places: readonly WordPlace[] },
  { passage, list, durationMs }: { passage: Range; list: readonly Range[]; durationMs: number },
): Said[] {
  const cuts = cutsAround(list, passage, { durationMs })
  const clock = clockWithout(cuts)
  return places.flatMap((word, at) => {
    if (!isInClip(word, { clip: passage, cuts })) return []
    const { turn, from, startMs, endMs } = word
    const next = places[at + 1]
    const { text = '', speaker = null } = turns[turn] ?? {}
    const rest = text.slice(word.to, next?.turn === turn ? next.from : undefined)
    const to = word.to + (/^\S*/.exec(rest)?.[0].length ?? 0)
    return { text: text.slice(from, to), startMs: clock(startMs), endMs: clock(endMs), speaker }
  })
}

/** "16.1 s": how long the clip of a passage will be, without what is cut of it. */
export const lengthInWords = (passage: Range, list: readonly Range[]): string =>
  `${(lengthOf(without([passage], list)) / 1000).toFixed(1)} s`

/** The edge moved to the word that begins, or ends, nearest to it. The other edge stays apart from it. */
export function snapped(
  places: readonly WordPlace[],
  passage: Range,
  { edge, ms }: { edge: Edge; ms: number },
): Range {
  const fits = fitting(places, passage, edge)
  const nearest = fits.reduce<number | null>(
    (best, at) => (best === null || Math.abs(at - ms) < Math.abs(best - ms) ? at : best),
    null,
  )
  return nearest === null ? passage : { ...passage, [edge]: nearest }
}

/** The edge moved by one word. */
export function stepped(
  places: readonly WordPlace[],
  passage: Range,
  { edge, by }: { edge: Edge; by: 1 | -1 },
): Range {
  const fits = fitting(places, passage, edge)
  const now = passage[edge]
  const next = by > 0 ? fits.find((at) => at > now) : fits.findLast((at) => at < now)
  return next === undefined ? passage : { ...passage, [edge]: next }
}

/** The edge moved by some milliseconds, to any place. */
export function moved(
  passage: Range,
  { edge, by, durationMs }: { edge: Edge; by: number; durationMs: number },
): Range {
  const [least, most] =
    edge === 'startMs'
      ? [0, passage.endMs - SHORTEST_MS]
      : [passage.startMs + SHORTEST_MS, durationMs]
  return { ...passage, [edge]: Math.min(most, Math.max(least, passage[edge] + by)) }
}

const SHORTEST_MS = 100

/** Where an edge may lie, in order. */
const fitting = (places: readonly WordPlace[], passage: Range, edge: Edge): number[] =>
  places
    .map((word) => word[edge])
    .filter((at) =>
      edge === 'startMs' ? at <= passage.endMs - SHORTEST_MS : at >= passage.startMs + SHORTEST_MS,
    )
    .toSorted((a, b) => a - b)

/** The word that begins or ends at an edge. */
export function wordAt(
  { turns, places }: { turns: readonly WordTurn[]; places: readonly WordPlace[] },
  passage: Range,
  edge: Edge,
): string {
  const word =
    edge === 'startMs'
      ? places.find(({ endMs }) => endMs > passage.startMs)
      : places.findLast(({ startMs }) => startMs < passage.endMs)
  return word ? (turns[word.turn]?.text.slice(word.from, word.to) ?? '') : ''
}
