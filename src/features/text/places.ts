import type { Word } from '#features/speech/contract.ts'

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
