import type { Turn, Word } from '#features/speech/contract.ts'

import { packWords } from './packed-words.ts'

/** Where each word stands in its text; a word that the text does not have gets an empty place. */
export function placesIn(
  text: string,
  words: readonly Pick<Word, 'text'>[],
): { from: number; to: number }[] {
  let at = 0
  return words.map((word) => {
    const found = text.indexOf(word.text, at)
    const from = found === -1 ? at : found
    at = found === -1 ? at : found + word.text.length
    return { from, to: at }
  })
}

/** The words of a turn as they travel, each with what is said of how sure it is. */
export function packedIn(
  { text, words, startMs }: Pick<Turn, 'text' | 'words' | 'startMs'>,
  percentOf: (confidence: number | null) => number | null,
): number[] {
  const places = placesIn(text, words)
  const placed = words.map((word, index) => ({
    ...(places[index] ?? { from: 0, to: 0 }),
    startMs: Math.round(word.startMs),
    endMs: Math.round(word.endMs),
    confidence: percentOf(word.confidence),
  }))
  return packWords(placed, startMs)
}
