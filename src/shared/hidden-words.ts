/**
 * Finds a name, a number or other words in a text, in all the ways in which they are written, and writes
 * a bar in their place. It finds more rather than less: what is hidden once too often can be read
 * elsewhere, and what was left once has given somebody away. Pure.
 *
 * Found are capitals and small letters, with and without accents; the possessive and the plural; words of
 * a name with a space, a dash, a dot or nothing between them, also at the end of one line and the beginning
 * of the next; digits in groups, and English numbers as digits or words. "Hale" is not found in "inhale".
 */
import { BAR } from './bars.ts'
import { UNSPACED, fold, isBetweenLetters, placeOf } from './fold.ts'
import { type Hit, patternOf } from './hits.ts'

export { BAR }
/** What stands in the place of words. */
export const marks = { bar: BAR, name: '[name]' } as const

export interface Hider {
  /** Every place, in order and apart. */
  hitsIn(text: string): Hit[]
  hide(text: string): string
}

/** @param words as their owner writes them; `mark` stands in their place */
export function hiderOf(words: readonly string[], mark: string = BAR): Hider {
  const patterns = words.flatMap(patternsOf).toSorted((a, b) => b.length - a.length)
  if (patterns.length === 0) return { hitsIn: () => [], hide: (text) => text }
  const all = new RegExp(patterns.join('|'), 'gu')
  function hitsIn(text: string): Hit[] {
    const folded = fold(text)
    return [...folded.text.matchAll(all)]
      .map(({ 0: { length }, index }): Hit => [index, index + length])
      .map(([from, to]) => {
        // Half of "ß" or of "ﬁ" is hidden with all of it.
        const isWhole = isBetweenLetters(folded, from) && isBetweenLetters(folded, to)
        return isWhole ? placeOf(folded, from, to) : widened(folded, from, to)
      })
  }
  return {
    hitsIn,
    hide: (text) => written(text, hitsIn(text), () => mark),
  }
}

const widened = (folded: Parameters<typeof placeOf>[0], from: number, to: number): Hit => {
  let [first, last] = [from, to]
  while (!isBetweenLetters(folded, first)) first -= 1
  while (!isBetweenLetters(folded, last)) last += 1
  return placeOf(folded, first, last)
}

/** A text with a mark in the place of each hit. */
export function written(text: string, hits: readonly Hit[], markOf: (hit: Hit) => string): string {
  let [at, shown] = [0, '']
  for (const hit of hits) {
    const [from, to] = hit
    shown += text.slice(at, from) + markOf(hit)
    at = to
  }
  return shown + text.slice(at)
}

/** The name of a file, in which a word may begin with nothing but a capital: "talkMargaretHale2". */
export function hideInName(name: string, { hitsIn, hide }: Hider): string {
  if (hitsIn(name).length > 0) return hide(name)
  const [, stem = '', ending = ''] = /^(.*?)(\.\w+)?$/su.exec(name) ?? []
  const apart = stem
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$1$2 ')
  return hitsIn(apart).length > 0 ? hide(apart) + ending : name
}

/** The same JSON with each string in it hidden, but for those that are no words: ids, times, kinds. */
export function hideInJson(json: string, hide: (text: string) => string): string {
  const within = (key: string, value: unknown): unknown =>
    typeof value !== 'string' || noWords.has(key) || isNoWord.test(value) ? value : hide(value)
  try {
    return JSON.stringify(JSON.parse(json, within))
  } catch {
    return hide(json)
  }
}

/** The same value, which is of JSON, hidden in the same way. */
export const hideWithin = <Value>(value: Value, hide: (text: string) => string): Value =>
  JSON.parse(hideInJson(JSON.stringify(value), hide)) as Value

const noWords = new Set(['id', 'type', 'kind', 'status', 'format', 'language', 'code', 'errorCode'])
const isNoWord = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-][\d:]+))?)$/i

const LETTER = String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}]`
/** Writings without spaces between words have no edges. */
const unspaced = new RegExp(`[${UNSPACED}]`, 'u')
/** These write the next word against a name, … */
const joinsAfter = /\p{Script=Hangul}/u
/** … and these the one before: "and", "to", "the". */
const joinsBefore = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
/** What may stand between two words of a name, or two digits of a number. */
const BETWEEN = String.raw`[^\p{L}\p{N}]{0,3}`
const ENDINGS = String.raw`(?:'s|s'|es|s|'(?!\p{L}))?`
/** Shorter words with an "s" are others: "al" and "als". */
const LEAST_WITH_ENDING = 3

/** Folded words of a text. */
export const foldedWords = (text: string): string[] =>
  fold(text.trim()).text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

function patternsOf(wanted: string): string[] {
  const words = foldedWords(wanted)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length === 0) return []
  const number = numberIn(words)
  if (number !== null) return [numberPattern(number)]
  const before =
    unspaced.test(first.slice(0, 1)) || joinsBefore.test(first.slice(0, 1)) ? '' : `(?<!${LETTER})`
  const isOpen = unspaced.test(last.slice(-1)) || joinsAfter.test(last.slice(-1))
  const canBend = /\p{Script=Latin}$/u.test(last) && last.length >= LEAST_WITH_ENDING
  const after = isOpen ? '' : `${canBend ? ENDINGS : ''}(?!${LETTER})`
  return [`${before}${words.map(patternOf).join(BETWEEN)}${after}`]
}

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const values = new Map([
  ...ones.map((word, value): [string, number] => [word, value]),
  ...tens.map((word, ten): [string, number] => [word, 10 * ten]),
  ['oh', 0],
])

/** The digits of words that are a number and nothing else; null for others. */
function numberIn(words: readonly string[]): string | null {
  // "Ten", "One": a name may be one of these words, and "oh" is hardly ever a number.
  if (!words.some((word) => /^\p{Nd}+$/u.test(word)) && words.length < 2) return null
  let digits = ''
  let ten: number | null = null
  for (const word of words) {
    const value = /^\d+$/.test(word) ? null : values.get(word)
    if (value === undefined) return null
    if (value === null) digits += word
    else if (ten !== null && value > 0 && value < 10) digits = digits.slice(0, -1) + value
    else digits += value
    ten = value !== null && value >= 20 ? value : null
  }
  return digits
}

/** Digit after digit, each as a digit or as a word; where two make "twenty-one", so too. */
function numberPattern(digits: string): string {
  const wordOf = (digit: string) =>
    digit === '0' ? '(?:0|zero|oh|o)' : `(?:${digit}|${ones[Number(digit)]})`
  const pairAt = (at: number): string | null => {
    const value = Number(digits.slice(at, at + 2))
    if (at + 2 > digits.length || value < 10) return null
    if (value < 20) return ones[value] ?? null
    const ten = tens[Math.floor(value / 10)]
    return value % 10 === 0 ? `${ten}` : `${ten}${BETWEEN}${ones[value % 10]}`
  }
  const from = (at: number): string => {
    if (at >= digits.length) return ''
    const rest = at + 1 < digits.length ? `${BETWEEN}${from(at + 1)}` : ''
    return `${wordOf(digits.charAt(at))}${rest}`
  }
  const pairs = (at: number): string =>
    Array.from({ length: Math.ceil((digits.length - at) / 2) }, (_, pair) => {
      const place = at + 2 * pair
      const own = digits
        .slice(place, place + 2)
        .split('')
        .map(wordOf)
        .join(BETWEEN)
      const word = pairAt(place)
      return word === null ? own : `(?:${own}|${word})`
    }).join(BETWEEN)
  const all = [from(0), pairs(0)]
  if (digits.length % 2 === 1 && digits.length > 1)
    all.push(`${wordOf(digits.charAt(0))}${BETWEEN}${pairs(1)}`)
  return `(?<![\\p{L}\\p{N}])(?:${all.join('|')})(?![\\p{L}\\p{N}])`
}

/** The words that are hidden, of which recording. */
export interface Hiding extends Hider {
  userId: string
  transcriptionId: string
  /** What stands in the place of a text that is hidden as a whole. */
  mark: string
  /** What stands in the place of these words. */
  markFor: (words: string) => string
  /** How many places were hidden so far. */
  count: () => number
  /**
   * Whether a text about the recording may hold a name in a form that is not looked for, because it is in
   * another language or writing than what was said.
   */
  isUnsure: (text: string, language: string | null) => boolean
}

/** @param language of what is said in the recording, as ISO 639-1; null where nobody knows */
export function hidingOf(
  words: readonly string[],
  {
    language,
    ...about
  }: Pick<Hiding, 'userId' | 'transcriptionId' | 'mark'> & { language: string | null },
): Hiding {
  const { hitsIn } = hiderOf(words, about.mark)
  const writings = writingsIn(words.join(' '))
  let places = 0
  return {
    ...about,
    markFor: () => about.mark,
    hitsIn,
    hide(text) {
      const hits = hitsIn(text)
      places += hits.length
      return written(text, hits, () => about.mark)
    },
    count: () => places,
    isUnsure(text, other) {
      // A number is written with the same digits everywhere.
      if (writings.length === 0) return false
      if (language !== null && other !== null && other !== language) return true
      return writingsIn(text).some((one) => !writings.includes(one))
    },
  }
}

/**
 * Several hidings as one, each with its own mark. Each finds its places in the whole text, so that what
 * one hides does not leave the rest of what another does.
 */
export function together([first, ...others]: readonly [Hiding, ...Hiding[]]): Hiding {
  const all = [first, ...others]
  function hitsIn(text: string): Hit[] {
    const found = all.flatMap((each) => each.hitsIn(text)).toSorted(([a], [b]) => a - b)
    const apart: Hit[] = []
    for (const hit of found) {
      const last = apart.at(-1)
      if (last && hit[0] < last[1]) last[1] = Math.max(last[1], hit[1])
      else apart.push(hit)
    }
    return apart
  }
  const markFor = (words: string) =>
    (all.find((each) => each.hitsIn(words).length > 0) ?? first).mark
  let places = 0
  return {
    ...first,
    markFor,
    hitsIn,
    hide(text) {
      const hits = hitsIn(text)
      places += hits.length
      return written(text, hits, ([from, to]) => markFor(text.slice(from, to)))
    },
    count: () => places,
    isUnsure: (text, language) => all.some(({ isUnsure }) => isUnsure(text, language)),
  }
}

const allWritings =
  'Latin Cyrillic Greek Arabic Hebrew Devanagari Thai Han Hiragana Katakana Hangul'
    .split(' ')
    .map((name): [string, RegExp] => [name, new RegExp(`\\p{Script=${name}}`, 'gu')])

/** The writings of a text, but for a word or two. */
function writingsIn(text: string): string[] {
  const counts = allWritings.map(([name, letter]) => ({
    name,
    count: text.match(letter)?.length ?? 0,
  }))
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return counts.filter(({ count }) => count > 0 && count >= all / 4).map(({ name }) => name)
}
