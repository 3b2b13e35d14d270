/**
 * Makes letters alike that a searcher means as one. Every search folds by this: the editor's, the
 * library's, that of a shared page, the palette's. The database folds the same way, in `search_text`.
 * The table of cases in `test/searches.ts` is run against all of them. Pure.
 */

/** A text to search in, with the way back to the real one. */
export interface Folded {
  text: string
  /** Where each folded letter begins in the real text, and where it ends; null where they are alike. */
  places: { from: readonly number[]; to: readonly number[] } | null
}

/** [from, to) in the real text. */
export type Place = [from: number, to: number]

/** Differences that matter when replacing, and not when searching. */
interface Strictness {
  hasCase?: boolean
  /** Then é is not e, and ß not ss. */
  hasMarks?: boolean
}

/** Writings that put no spaces between their words. As a part of a pattern's [class]. */
export const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

const plain = /^(?:[!-~]| (?! ))*$/

/**
 * A letter with all its marks: those of half-width kana, and the parts of a Korean syllable, are no
 * marks by name. Spaces are one sign.
 */
const letters =
  /[\s\p{Zs}]+|[\u1100-\u115f]+[\u1160-\u11a7]*[\u11a8-\u11ff]*|[\uac00-\ud7a3][\u11a8-\u11ff]*|.[\p{M}\uff9e\uff9f]*/gsu

/**
 * Accents, the points of Hebrew and Arabic, and invisible characters. Other marks make another letter:
 * か is not が, and in Hindi and Thai they are the vowels.
 */
const marks = new RegExp(
  `[${[
    String.raw`\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`,
    String.raw`\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7`,
    String.raw`\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e`,
    String.raw`\u2060-\u2064\u2066-\u2069\u20d0-\u20ff\ufeff\ufe00-\ufe0f\ufe20-\ufe2f`,
  ].join('')}]`,
  'g',
)
const unseen = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\p{VS}/gu

/** Signs that a phone, a writing program and a keyboard type differently. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201b\u2032\u02b9\u02bb-\u02bf\u02c8`\u00b4]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2043\u2212]/g, '-'],
]

/** Letters that are no other letter with a mark, and are typed as one by who has no key for them. */
const otherLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
}
const otherLetter = new RegExp(`[${Object.keys(otherLetters).join('')}]`, 'g')

/** Most letters of a text come again and again. */
const known = new Map<string, string>()
const MOST_KNOWN = 20_000

function foldLetter(letter: string, strictness: Strictness): string {
  if (letter.length === 1 && letter <= '~' && letter > ' ' && letter !== '`')
    return strictness.hasCase ? letter : letter.toLowerCase()
  const key = `${strictness.hasCase ? 'A' : 'a'}${strictness.hasMarks ? 'é' : 'e'}${letter}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= MOST_KNOWN) known.clear()
  const folded = newlyFolded(letter, strictness)
  known.set(key, folded)
  return folded
}

function newlyFolded(letter: string, { hasCase = false, hasMarks = false }: Strictness): string {
  if (/^[\s\p{Zs}]/u.test(letter)) return ' '
  let folded = letter
  for (const [sign, typed] of signs) folded = folded.replace(sign, typed)
  folded = hasMarks
    ? folded.replace(unseen, '').normalize('NFKC')
    : folded.normalize('NFKD').replace(marks, '')
  if (!hasCase) folded = folded.toLowerCase()
  if (!hasMarks)
    folded = folded
      .replace(otherLetter, (other) => otherLetters[other] ?? other)
      // Korean syllables and が are put together again.
      .normalize('NFKC')
  return folded
}

let last: { text: string; strictness: Strictness; folded: Folded } | null = null

/** As `fold`; the last text is remembered, because hundreds of terms are looked for in one. */
export function foldOnce(text: string, strictness: Strictness): Folded {
  const isSame =
    last?.text === text &&
    last.strictness.hasCase === strictness.hasCase &&
    last.strictness.hasMarks === strictness.hasMarks
  if (!last || !isSame) last = { text, strictness, folded: fold(text, strictness) }
  return last.folded
}

/** "Café" is found by "cafe", "don’t" by "don't", "Łódź" by "lodz"; "간" is not by "가". */
export function fold(text: string, strictness: Strictness = {}): Folded {
  if (plain.test(text))
    return { text: strictness.hasCase ? text : text.toLowerCase(), places: null }
  let folded = ''
  const from: number[] = []
  const to: number[] = []
  for (const { 0: letter, index } of text.matchAll(letters)) {
    const base = foldLetter(letter, strictness)
    for (let unit = 0; unit < base.length; unit += 1) {
      from.push(index)
      to.push(index + letter.length)
    }
    folded += base
  }
  return { text: folded, places: { from, to } }
}

/** Where a stretch of the folded text stands in the real one: whole letters. */
export const placeOf = ({ places }: Folded, from: number, to: number): Place =>
  places === null ? [from, to] : [places.from[from] ?? 0, places.to[to - 1] ?? 0]

/** Whether a letter of the real text begins there, or ends before it: "f" is no whole part of "ﬁ". */
export const isBetweenLetters = ({ places }: Folded, at: number): boolean =>
  places === null || at === 0 || places.from[at] !== places.from[at - 1]

/** Every place of the wanted text, in order; none overlap, and a text of spaces alone has none. */
export function placesOf(folded: Folded, wanted: string): Place[] {
  const needle = fold(wanted.trim()).text
  const found: Place[] = []
  if (needle === '') return found
  const { text } = folded
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const place = placeOf(folded, at, at + needle.length)
    // Of "ß", which is "ss", both halves are the same letter.
    if (place[0] >= (found.at(-1)?.[1] ?? 0)) found.push(place)
  }
  return found
}
