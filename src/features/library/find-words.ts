/** Finds the words of a search in a text, by the same rules as the database's `search_text`. */
import { UNSPACED, fold, placeOf } from '#shared/fold.ts'

const letter = /[\p{L}\p{N}]/u
const unspaced = new RegExp(`[${UNSPACED}]`, 'u')

/** Words in quotation marks, the last of which may still be missing; or else words without. */
const part = /["“”„«»]([^"“”„«»]*)(?:["“”„«»]|$)|([^"“”„«»]+)/gu

/**
 * The words somebody searches for; none when the search has only signs such as "?!". Words in
 * quotation marks are one term, with single spaces.
 */
export function termsOf(query: string): string[] {
  return [...query.matchAll(part)]
    .flatMap(([, phrase, words = '']) =>
      phrase === undefined ? wordsOf(words) : wordsOf(phrase).join(' '),
    )
    .filter((term) => term !== '')
    .slice(0, 12)
}

/** Whether the last word may go on: nobody has closed its quotation marks. */
export const isOpen = (query: string): boolean => !/["“”«»]\s*$/u.test(query)

const wordsOf = (text: string): string[] =>
  fold(text)
    .text.split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * Where the terms stand as whole words; of the last one the beginning is enough while its end is
 * open. Where all that are there stand together, a single one that stands elsewhere is not meant. In
 * scripts without spaces a term is found anywhere.
 */
export function findTerms(
  text: string,
  terms: readonly string[],
  isEndOpen = true,
): [from: number, to: number][] {
  const folded = fold(text)
  const find = (term: string, isOpen: boolean) => {
    const found: [number, number][] = []
    const end = isOpen ? '' : unspaced.test(term) ? '(?!\\p{M})' : '(?![\\p{L}\\p{M}\\p{N}])'
    // Between the words of a phrase there may be signs. A term has no signs to escape.
    const wanted = new RegExp(term.replaceAll(' ', '[^\\p{L}\\p{M}\\p{N}]+') + end, 'gu')
    for (let hit = wanted.exec(folded.text); hit; hit = wanted.exec(folded.text)) {
      const { index: at, 0: words } = hit
      wanted.lastIndex = at + 1
      const before = lastCharacter(folded.text.slice(Math.max(0, at - 2), at))
      if (letter.test(before) && !unspaced.test(term)) continue
      found.push(placeOf(folded, at, at + words.length))
    }
    return found
  }
  const each = terms.map((term, index) => find(term, isEndOpen && index === terms.length - 1))
  // Of "left the paper ben" the turn may say all but who speaks.
  const said = terms.filter((_, index) => each[index]?.length).join(' ')
  // "on the" is not the beginning of "on then" where it stands there by itself.
  for (const isOpen of said === '' ? [] : [false, isEndOpen]) {
    const phrase = find(said, isOpen)
    if (phrase.length > 0) return phrase
  }
  return each.flat().toSorted((a, b) => a[0] - b[0])
}

/** The last of a few, which may take two units. */
const lastCharacter = (text: string): string => /.$/su.exec(text)?.[0] ?? ''

const LEAD = 60
const LONGEST = 180

/** A part of the text around the first place, cut between words, with all the places in it. */
export function snippetOf(
  text: string,
  places: readonly (readonly [from: number, to: number])[],
): { snippet: string; marks: [number, number][] } {
  const first = places[0]?.[0] ?? 0
  const space = text.indexOf(' ', first - LEAD)
  const start =
    first <= LEAD ? 0 : space !== -1 && space < first ? space + 1 : whole(text, first - LEAD)
  const rest = text.slice(start)
  const gap = rest.lastIndexOf(' ', LONGEST)
  const end =
    rest.length <= LONGEST ? rest.length : gap >= LONGEST - LEAD ? gap : whole(rest, LONGEST)
  const lead = start > 0 ? '…' : ''
  const snippet = `${lead}${rest.slice(0, end)}${end < rest.length ? '…' : ''}`
  const marks = places
    .filter(([, to]) => to <= start + end)
    .map(([a, b]): [number, number] => [a - start + lead.length, b - start + lead.length])
    .filter(([a]) => a >= lead.length)
  return { snippet, marks: marks.slice(0, 12) }
}

/** Moves a place that lies between the two units of one character. */
const whole = (text: string, at: number): number =>
  /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at - 1 : at
