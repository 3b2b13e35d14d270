/**
 * Finds the words of a library search in the text that the search led to. They need not stand side
 * by side, nor be in the text at all: the library searches names of speakers too.
 */
import { type Folded, UNSPACED, fold, placeOf } from '#shared/fold.ts'

import type { Hit } from './find.ts'

/** The words of a search: where all stand together, or else in the turns that have most of them. */
export function findWords(turns: readonly Folded[], wanted: string): Hit[] {
  const words = wordsOf(wanted)
  const hitsIn = (turn: Folded, index: number, patterns: readonly string[]) =>
    placesIn(turn, patterns).map(([from, to]) => ({ turn: index, from, to }))
  const phrase = words.join('[^\\p{L}\\p{M}\\p{N}]+')
  if (phrase === '') return []
  const asPhrase = turns.flatMap((turn, index) => {
    const whole = hitsIn(turn, index, [phrase + END])
    return whole.length > 0 ? whole : hitsIn(turn, index, [phrase])
  })
  if (asPhrase.length > 0) return asPhrase
  const patterns = words.map(patternOf)
  const found = turns.map((turn) => patterns.filter((one) => placesIn(turn, [one]).length > 0))
  const most = found.reduce((highest, { length }) => Math.max(highest, length), 1)
  return turns.flatMap((turn, index) =>
    found[index]?.length === most ? hitsIn(turn, index, patterns) : [],
  )
}

/** The words of a search that stand in the turn that it led to; empty where none does. */
export function wantedIn(turn: Folded, searched: string): string {
  const phrase = searched.replace(/["“”„«»]+/g, ' ').trim()
  if (turn.text.includes(fold(phrase).text)) return phrase
  return wordsOf(searched)
    .filter((...word) => placesIn(turn, [patternOf(...word)]).length > 0)
    .join(' ')
}

const wordsOf = (text: string): string[] =>
  fold(text)
    .text.split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

const END = '(?![\\p{L}\\p{M}\\p{N}])'
const unspaced = new RegExp(`[${UNSPACED}]`, 'u')

/** A whole word; of the last one the beginning is enough, and in writings without spaces of each. */
const patternOf = (word: string, index: number, { length }: readonly string[]): string =>
  index === length - 1 || unspaced.test(word) ? word : word + END

/** Where one of the patterns begins a word; in writings without spaces it may begin everywhere. */
function placesIn(folded: Folded, patterns: readonly string[]): [number, number][] {
  if (patterns.length === 0) return []
  // Words have no signs that a pattern would read as its own.
  const wanted = new RegExp(
    `(?:(?<![\\p{L}\\p{N}])|(?=[${UNSPACED}]))(?:${patterns.join('|')})`,
    'gu',
  )
  return [...folded.text.matchAll(wanted)].map(({ index, 0: { length } }) =>
    placeOf(folded, index, index + length),
  )
}
