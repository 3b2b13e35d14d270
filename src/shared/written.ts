/** Text that somebody typed: how it is stored, and which words it has. Pure. */

import { UNSPACED } from './fold.ts'

/** Writings that put no space between words: there Intl says where one ends. */
const unspaced = new RegExp(`[${UNSPACED}]`, 'u')
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Text as it is stored: one line, single spaces, nothing invisible but what scripts need. */
export function tidyText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .normalize('NFC')
}

/**
 * An address of mail without the invisible letters that come along when it is copied from a page or
 * another mail. Joiners stay: in a domain they make another one. So do letters that turn others round.
 */
export const plainAddress = (text: string): string =>
  text.replace(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]/g, '').trim()

/** The same of a text of several lines, with one empty line at most between two of them. */
export function tidyLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map(tidyText)
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Its words alone, without regard to capitals and signs: to tell whether two texts say the same. */
export const bareWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/**
 * A key by which names are compared, without regard to their capitals, accents and spaces. It is
 * stored, so it does not change when the search does.
 */
export function nameKeyOf(name: string): string {
  const tidy = tidyText(name)
  const key = [...tidy].map((letter) =>
    letter
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase(),
  )
  // A name of nothing but accents stands for itself.
  return key.join('') || tidy
}

/** The words of a text; punctuation belongs to the word before it. */
export function wordsIn(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((token) => token !== '')
    .flatMap((token) => (unspaced.test(token) ? cutUnspaced(token) : [token]))
}

function cutUnspaced(token: string): string[] {
  const words: string[] = []
  let opening = ''
  for (const { segment, isWordLike } of segmenter.segment(token)) {
    const last = words.at(-1)
    if (isWordLike === true) words.push(opening + segment)
    else if (last !== undefined && !/^\p{Ps}|^\p{Pi}/u.test(segment))
      words[words.length - 1] = last + segment
    else {
      opening += segment
      continue
    }
    opening = ''
  }
  if (opening === '') return words
  return words.length === 0 ? [opening] : [...words.slice(0, -1), `${words.at(-1)}${opening}`]
}
