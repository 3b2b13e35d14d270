/** Cuts are made of words and seen as words: what is cut with a word, and which words are cut. Pure. */
import type { WordTurn } from '#features/text/contract.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'

import { type Range, isCut, joined, middleOf, rangeAt, without } from '../ranges.ts'

/** Letters of a turn: those from `from` up to, and without, `to`. */
export type Letters = Pick<WordPlace, 'turn' | 'from' | 'to'>

/** Stretches to take out, and stretches to put back. */
export interface Change {
  cut: readonly Range[]
  restore: readonly Range[]
}

/** A cut takes at most so much of the pause before and after its words. */
const PAUSE_MS = 150
/** Where two speak at once, so many words before or after may be the nearest. */
const LOOK_AROUND = 8

/** The words of which some letters are among these. */
export const wordsIn = (
  places: readonly WordPlace[],
  letters: readonly Letters[],
): readonly WordPlace[] => {
  const byTurn = new Map<number, Letters[]>()
  for (const each of letters) byTurn.set(each.turn, [...(byTurn.get(each.turn) ?? []), each])
  return places.filter((word) =>
    byTurn.get(word.turn)?.some(({ from, to }) => word.to > from && word.from < to),
  )
}

/**
 * Where words begin and end for who takes them out: in the middle of the pause before and after, and
 * never in a word that stays. Words with nobody else's between them are one stretch.
 */
function stretchesOf(
  words: readonly Range[],
  chosen: Iterable<Range>,
  durationMs: number,
): readonly Range[] {
  const spans = joined(
    [...chosen].map(({ startMs, endMs }) => ({ startMs, endMs: Math.max(endMs, startMs + 1) })),
  )
  const others = words
    .filter((word) => !isCut(spans, word))
    .toSorted((a, b) => middleOf(a) - middleOf(b))
  const stretches: (Range & { next: number })[] = []
  let next = 0
  for (const { startMs, endMs } of spans) {
    for (let other = others[next]; other && middleOf(other) < startMs; other = others[next])
      next += 1
    const last = stretches.at(-1)
    if (last?.next === next) last.endMs = endMs
    else stretches.push({ startMs, endMs, next })
  }
  return stretches.map(({ startMs, endMs, next }) => {
    const before = others.slice(Math.max(0, next - LOOK_AROUND), next).map((word) => word.endMs)
    const after = others.slice(next, next + LOOK_AROUND).map((word) => word.startMs)
    return {
      startMs: Math.min(startMs, Math.max(0, startMs - PAUSE_MS, halfway(startMs, before, 'max'))),
      endMs: Math.max(endMs, Math.min(durationMs, endMs + PAUSE_MS, halfway(endMs, after, 'min'))),
    }
  })
}

/** In the middle between this moment and the nearest of others. Both sides of a pause get the same. */
const halfway = (ms: number, others: readonly number[], nearest: 'max' | 'min'): number =>
  Math.floor((ms + Math[nearest](...others)) / 2)

interface Cut {
  words: readonly Range[]
  /** The cuts there are. */
  list: readonly Range[]
  durationMs: number
}

/** Takes words out. With words beside them that are out already they are one cut. */
export function toCut({ words, list, durationMs }: Cut, chosen: readonly Range[]): Change {
  const out = words.filter((word) => isCut(list, word))
  const stretches = stretchesOf(words, [...out, ...chosen], durationMs)
  const touched = new Set(chosen.map((word) => rangeAt(stretches, middleOf(word))))
  return { cut: stretches.filter((stretch) => touched.has(stretch)), restore: [] }
}

/** Puts words back. What stays out of their cuts is as if those words alone had been cut. */
export function toPutBack({ words, list, durationMs }: Cut, chosen: readonly Range[]): Change {
  const cuts = joined(chosen.flatMap((word) => rangeAt(list, middleOf(word)) ?? []))
  const back = new Set(chosen)
  const out = words.filter((word) => isCut(cuts, word) && !back.has(word))
  return { cut: [], restore: without(cuts, stretchesOf(words, out, durationMs)) }
}

/** The cuts after a change. */
export const changed = (list: readonly Range[], { cut, restore }: Change): Range[] =>
  joined([...without(list, joined(restore)), ...cut])

/** Cuts of silence alone. No struck word shows them, and none is there to be put back. */
export const wordless = (list: readonly Range[], words: readonly Range[]): Range[] => {
  const spoken = new Set(words.map((word) => rangeAt(list, middleOf(word))))
  return list.filter((cut) => !spoken.has(cut))
}

/** The letters of words that are cut, with the marks that belong to them; one stretch for words in a row. */
export function struckLetters(
  list: readonly Range[],
  { turns, places }: { turns: readonly Pick<WordTurn, 'text'>[]; places: readonly WordPlace[] },
): Letters[] {
  const letters: Letters[] = []
  if (list.length === 0) return letters
  let before = -2
  for (const [at, word] of places.entries()) {
    if (!isCut(list, word)) continue
    const { turn, from } = word
    const next = places[at + 1]
    const rest = turns[turn]?.text.slice(word.to, next?.turn === turn ? next.from : undefined) ?? ''
    const to = word.to + (/^\S*/.exec(rest)?.[0].length ?? 0)
    const last = letters.at(-1)
    if (last?.turn === turn && before === at - 1) last.to = to
    else letters.push({ turn, from, to })
    before = at
  }
  return letters
}
