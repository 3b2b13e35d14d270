/**
 * Finds what was searched for in the library in the text that the search led to. Loaded then: the
 * library's words need not stand together, nor be in the text at all, as the name of who speaks.
 */
import { type Folded, fold } from '#shared/fold.ts'

import type { Hit } from './find.ts'

/** The words of a search, in the turns that have the most of them, in order. */
export function findWords(turns: readonly Folded[], wanted: string): Hit[] {
  const words = wordsOf(wanted)
  const found = turns.map((turn) => words.filter((word) => placesIn(turn, [word]).length > 0))
  const most = found.reduce((highest, { length }) => Math.max(highest, length), 1)
  return turns.flatMap((turn, index) =>
    found[index]?.length === most
      ? placesIn(turn, words).map(([from, to]) => ({ turn: index, from, to }))
      : [],
  )
}

/** What of a search stands in the turn that it led to; empty where none of it does. */
export function wantedIn(turn: Folded, searched: string): string {
  const phrase = searched.replace(/["“”„«»]+/g, ' ').trim()
  if (turn.text.includes(fold(phrase).text)) return phrase
  return wordsOf(searched)
    .filter((word) => placesIn(turn, [word]).length > 0)
    .join(' ')
}

const wordsOf = (text: string): string[] =>
  fold(text)
    .text.split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

/** Where one of the words begins; in writings without spaces it may begin everywhere. */
function placesIn({ text, origin }: Folded, words: readonly string[]): [number, number][] {
  if (words.length === 0) return []
  // Words have no signs that a pattern would read as its own.
  const wanted = new RegExp(
    `(?:(?<![\\p{L}\\p{N}])|(?=[\\u0e00-\\uffff]))(?:${words.join('|')})`,
    'gu',
  )
  return [...text.matchAll(wanted)].map(({ index, 0: { length } }) => [
    origin?.[index] ?? index,
    origin?.[index + length] ?? index + length,
  ])
}
