/**
 * Finds the places of a word in a text, and writes its replacement there. Server and browser both use
 * it, so that exactly the marked places are replaced. Pure.
 */
import { UNSPACED, fold, foldOnce, isBetweenLetters, placeOf } from './fold.ts'

export interface Wanted {
  find: string
  matchCase: boolean
  /** Then "tape" is not found in "tapes". */
  wholeWord: boolean
}

/** [from, to) of a hit in its text. */
export type Hit = [from: number, to: number]

/** How many turns one request can name hits in: more do not fit its body. */
export const MOST_SEEN_TURNS = 3_000

/** The characters of words, in writings that put spaces between them. */
const LETTER = String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}]`
const begins = new RegExp(`^${LETTER}`, 'u')
const ends = new RegExp(`${LETTER}$`, 'u')
const beginsUnspaced = new RegExp(`^[${UNSPACED}]`, 'u')
const endsUnspaced = new RegExp(String.raw`[${UNSPACED}]\p{M}*$`, 'u')
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * The text as a pattern that finds it letter for letter. A `-` stays as it is: outside of a class it may
 * not be escaped.
 */
export const patternOf = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/**
 * Finds every place, in order; none overlap. Other than in a search, accents matter: who replaces
 * "resume" does not mean "résumé". How an apostrophe, a dash or a space is typed does not. "10" is no
 * word of "10,000". In writings without spaces a dictionary says where a word begins and ends.
 */
export function hitsOf({ find, matchCase, wholeWord }: Wanted): (text: string) => Hit[] {
  const strictness = { hasCase: matchCase, hasMarks: true }
  const needle = fold(find.trim(), strictness).text
  if (needle === '') return () => []
  const pattern = patternOf(needle)
  const before =
    wholeWord && begins.test(needle) ? String.raw`(?<!${LETTER})(?<!\p{N}[.,:](?=\p{N}))` : ''
  const after =
    wholeWord && ends.test(needle) ? String.raw`(?!${LETTER})(?!(?<=\p{N})[.,:]\p{N})` : ''
  // A letter is not found without the accents that are written after it.
  const wanted = new RegExp(`${before}${pattern}(?!\\p{M})${after}`, 'gu')
  const isAtWords = [
    wholeWord && beginsUnspaced.test(needle),
    wholeWord && endsUnspaced.test(needle),
  ]
  return (text) => {
    const folded = foldOnce(text, strictness)
    const hits = [...folded.text.matchAll(wanted)]
      .map(({ 0: { length }, index }): Hit => [index, index + length])
      .filter((hit) => hit.every((at) => isBetweenLetters(folded, at)))
      .map((hit) => placeOf(folded, ...hit))
    if (hits.length === 0 || !isAtWords.includes(true)) return hits
    const starts = new Set([...words.segment(text)].map(({ index }) => index).concat(text.length))
    return hits.filter((hit) => hit.every((at, end) => !isAtWords[end] || starts.has(at)))
  }
}

/**
 * The replacement as it is written in place of a hit. A search in small letters also finds words in
 * capitals, and their replacement has capitals too: "Bender" becomes "Binder".
 */
export function asWritten(
  hit: string,
  { find, replaceWith, matchCase }: Pick<Wanted, 'find' | 'matchCase'> & { replaceWith: string },
): string {
  const isPlain = find === find.toLowerCase() && replaceWith === replaceWith.toLowerCase()
  if (matchCase || !isPlain || hit === hit.toLowerCase()) return replaceWith
  const letters = hit.match(/\p{L}/gu) ?? []
  if (letters.length > 1 && hit === hit.toUpperCase()) return replaceWith.toUpperCase()
  return /^\P{L}*\p{Lu}/u.test(hit)
    ? replaceWith.replace(/\p{L}/u, (letter) => letter.toUpperCase())
    : replaceWith
}
