/**
 * The words for numbers, times of day and measures. They are data, in number-words.yaml and
 * measures.yaml; here they are put in a form in which a text is read (values.ts).
 */
import { readFileSync } from 'node:fs'

import { parse } from 'yaml'
import { z } from 'zod'

/** The effect of a word, or a piece of one, on the number that is being read. */
export interface Lexeme {
  value: number
  /** `times` multiplies what is before it; `teen` makes five fifteen; a `link` is an "and". */
  does: 'add' | 'times' | 'teen' | 'link' | 'half'
  isOrder: boolean
  /** It mostly means something else ("sei" is "you are"), or no exact number ("thousands"). */
  isLoose: boolean
}

export interface NumberWords {
  code: string
  /** Whether numbers in words are understood. Otherwise only figures are, and powers after them. */
  isRead: boolean
  isUnspaced: boolean
  isVigesimal: boolean
  /** Units stand before tens: "fünfundzwanzig". */
  isInverted: boolean
  /** Whether it writes a number as one word. */
  isCompound: boolean
  hasDecimalComma: boolean
  /** The meanings of the pieces of a folded word; null where it is no number. */
  lexemesOf(word: string): readonly Lexeme[] | null
  /** The words, folded, that mean this number alone. */
  formsOf(value: number, only?: { isOrder: boolean }): readonly string[]
  /** How many letters the longest piece has: without spaces, pieces are looked for letter by letter. */
  longest: number
  /** Words for "one" where nothing is counted: "a", "ein". */
  ones: ReadonlySet<string>
  links: ReadonlySet<string>
  halfLinks: ReadonlySet<string>
  articles: ReadonlySet<string>
  decimal: ReadonlySet<string>
  percent: readonly (readonly string[])[]
  /** Words for a quarter that also mean "fourth". */
  quarter: ReadonlySet<string>
  /** Phrases that look like a number and are none. */
  sayings: RegExp
  century: ReadonlySet<string>
  counters: ReadonlySet<string>
  /** Patterns on a text in which each number is "#". */
  times: readonly { pattern: RegExp; how: How }[]
  /** Words before and after a number whose place among others says nothing. */
  monthBefore: RegExp
  movable: RegExp
  /** Signs that part clauses, and the members of a list. */
  between: RegExp
  minus: RegExp
  minusWords: readonly string[]
  not: RegExp
  notAfter: RegExp
  up: RegExp
  down: RegExp
}

/** How the numbers of a time of day make one: in "ten to five" the first is subtracted from the second. */
export type How = 'q-' | 'q+' | 'h-' | 'h+' | 'to' | 'past' | 'hour' | 'span' | 'am' | 'pm'

const some = z
  .string()
  .default('')
  .transform((text) => text.split(/\s+/).filter(Boolean))
const each = some.transform((list) => list.map((forms) => forms.split('/')))
const byValue = z.record(z.string(), some).default({})
const patterns = z.array(z.string()).default([])
const pattern = z.string().default('')

const Sheet = z.strictObject({
  endings: some,
  units: each,
  teen: some,
  tens: each,
  hundreds: each,
  more: byValue,
  loose: byValue,
  powers: byValue,
  many: byValue,
  ordinals: each,
  orderTens: each,
  moreOrders: byValue,
  ones: some,
  isCompound: z.boolean().default(false),
  isInverted: z.boolean().default(false),
  isVigesimal: z.boolean().default(false),
  isPrefixed: z.boolean().default(false),
  isUnspaced: z.boolean().default(false),
  links: some,
  half: some,
  halfLinks: some,
  articles: some,
  decimal: some,
  percent: z.string().default(''),
  quarter: some,
  sayings: pattern,
  minus: some,
  not: some,
  notAfter: pattern,
  hour: pattern,
  hourBefore: pattern,
  minute: pattern,
  durations: z.boolean().default(false),
  quarterPast: patterns,
  quarterTo: patterns,
  halfPast: patterns,
  halfTo: patterns,
  past: patterns,
  to: patterns,
  am: patterns,
  pm: patterns,
  amBefore: pattern,
  pmBefore: pattern,
  up: some,
  down: some,
  century: some,
  counters: some,
})
type Sheet = z.infer<typeof Sheet>

const read = (name: string): unknown => parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const sheets = z.record(z.string(), Sheet).parse(read('number-words.yaml'))

const marked = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}]/u

/** Without capitals and accents, and with one form of the letters that Arabic writes in several ways. */
export function foldWord(word: string): string {
  const small = word.toLowerCase()
  if (/^[a-z]*$/.test(small) || !marked.test(small)) return small
  const bare = small.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
  return bare.replaceAll('ß', 'ss').replaceAll('ة', 'ه').replaceAll('ى', 'ي')
}

const known = new Map<string, NumberWords>()

/** By an ISO 639-1 code. In an unknown language only figures are understood. */
export function numberWordsOf(code: string): NumberWords {
  const short = code.toLowerCase().split(/[-_]/)[0] ?? ''
  let words = known.get(short)
  if (!words) {
    words = fromSheet(short, sheets[short] ?? Sheet.parse({}))
    known.set(short, words)
  }
  return words
}

function lexiconOf(sheet: Sheet): Map<string, Lexeme> {
  const lexicon = new Map<string, Lexeme>()
  const put = (forms: readonly string[], lexeme: Partial<Lexeme> & { value: number }) => {
    const whole = { does: 'add' as const, isOrder: false, isLoose: false, ...lexeme }
    for (const form of forms)
      for (const ending of form.endsWith('~') ? sheet.endings : [''])
        lexicon.set(foldWord(form.replace('~', '') + ending), whole)
  }
  // Later entries replace earlier ones: in some languages an ordinal looks like another word.
  const orders = { isOrder: true }
  sheet.ordinals.forEach((forms, at) => put(forms, { value: at + 1, ...orders }))
  sheet.orderTens.forEach((forms, at) => put(forms, { value: (at + 2) * 10, ...orders }))
  for (const [value, forms] of Object.entries(sheet.moreOrders)) {
    const does = ['100', '1000'].includes(value) ? 'times' : 'add'
    put(forms, { value: Number(value), ...orders, does })
  }
  for (const [value, forms] of Object.entries(sheet.many))
    put(forms, { value: Number(value), does: 'times', isLoose: true })
  sheet.units.forEach((forms, value) => put(forms, { value }))
  sheet.tens.forEach((forms, at) => put(forms, { value: (at + 2) * 10 }))
  sheet.hundreds.forEach((forms, at) => put(forms, { value: (at + 1) * 100 }))
  for (const [value, forms] of Object.entries(sheet.more)) put(forms, { value: Number(value) })
  for (const [value, forms] of Object.entries(sheet.powers))
    put(forms, { value: Number(value), does: 'times' })
  for (const [value, forms] of Object.entries(sheet.loose))
    put(forms, { value: Number(value), isLoose: true })
  put(sheet.teen, { value: 10, does: 'teen' })
  put(sheet.half, { value: 0.5, does: 'half' })
  return lexicon
}

const link: Lexeme = { value: 0, does: 'link', isOrder: false, isLoose: false }
/** A longer word is no number. */
const LONGEST_WORD = 80

/** The pieces of a word that is made of nothing else: "fünf", "und", "zwanzig". */
function piecesOf(word: string, lexicon: ReadonlyMap<string, Lexeme>, longest: number) {
  // From the end, so that each place is looked at once.
  const from: (readonly Lexeme[] | null)[] = Array.from({ length: word.length + 1 }, () => null)
  from[word.length] = []
  for (let at = word.length - 1; at >= 0; at -= 1)
    for (let length = Math.min(longest, word.length - at); length > 0 && !from[at]; length -= 1) {
      const rest = from[at + length]
      const piece = lexicon.get(word.slice(at, at + length))
      if (rest && piece) from[at] = [piece, ...rest]
    }
  return from[0] ?? null
}

const MOST_REMEMBERED = 20_000

function readerOf(sheet: Sheet, lexicon: ReadonlyMap<string, Lexeme>, longest: number) {
  const links = new Set(sheet.links.map(foldWord))
  const pieces = sheet.isCompound
    ? new Map([...lexicon, ...Array.from(links, (form): [string, Lexeme] => [form, link])])
    : lexicon
  const find = (word: string): readonly Lexeme[] | null => {
    const whole = lexicon.get(word)
    if (whole) return [whole]
    if (word.length < 3 || word.length > LONGEST_WORD) return null
    if (sheet.isCompound) {
      const made = piecesOf(word, pieces, longest)
      const isNumber = made && made.at(0)?.does !== 'link' && made.at(-1)?.does !== 'link'
      return isNumber && made.length > 1 ? made : null
    }
    if (!sheet.isPrefixed) return null
    // "and" and "the" of Arabic are written with their word, and so are "with" and "for".
    const [, and = '', the = ''] = /^(و?)(بال|لل|ال|[بلكف])?/u.exec(word) ?? []
    const rest = lexicon.get(word.slice(and.length + the.length))
    if (!rest || and.length + the.length === 0) return null
    return and === '' ? [rest] : [link, rest]
  }
  const remembered = new Map<string, readonly Lexeme[] | null>()
  return (word: string) => {
    let found = remembered.get(word)
    if (found === undefined) {
      found = find(word)
      if (remembered.size < MOST_REMEMBERED) remembered.set(word, found)
    }
    return found
  }
}

const never = /(?!)/u
const setOf = (words: readonly string[]): ReadonlySet<string> => new Set(words.map(foldWord))

/** Any of these words, whole; "*" is any ending. */
function anyOf(words: readonly string[], isUnspaced: boolean): string {
  const sources = words.map((word) => foldWord(word).replace('*', String.raw`\p{L}*`))
  const [begin, end] = isUnspaced ? ['', ''] : [String.raw`(?<!\p{L})[وف]?`, String.raw`(?!\p{L})`]
  return words.length === 0 ? '(?!)' : `${begin}(?:${sources.join('|')})${end}`
}

function timesIn(sheet: Sheet): NumberWords['times'] {
  const made = (sources: readonly string[], how: How) =>
    sources.map((source) => ({ pattern: new RegExp(source, 'gu'), how }))
  const { hour, hourBefore, minute } = sheet
  const minutes = (minute === '' ? '' : ` ?(?:${minute})|`) + String.raw`(?!\p{L}| ?[%$€])`
  const after = hour === '' ? [] : [String.raw`# ?(?:${hour})(?!\p{L}{3})(?: ?#(?:${minutes}))?`]
  const before = hourBefore === '' ? [] : [String.raw`(?<!\p{L})(?:${hourBefore}) #`]
  return [
    ...made(sheet.quarterTo, 'q-'),
    ...made(sheet.quarterPast, 'q+'),
    ...made(sheet.halfTo, 'h-'),
    ...made(sheet.halfPast, 'h+'),
    ...made(sheet.to, 'to'),
    ...made(sheet.past, 'past'),
    ...made(before, 'hour'),
    ...made(after, sheet.durations ? 'span' : 'hour'),
    ...made(
      sheet.am.map((source) => `#(?:${source})`),
      'am',
    ),
    ...made(
      sheet.pm.map((source) => `#(?:${source})`),
      'pm',
    ),
    ...made(sheet.amBefore === '' ? [] : [`${sheet.amBefore}#`], 'am'),
    ...made(sheet.pmBefore === '' ? [] : [`${sheet.pmBefore}#`], 'pm'),
  ]
}

function hasDecimalComma(code: string): boolean {
  try {
    const parts = new Intl.NumberFormat(`${code}-u-nu-latn`).formatToParts(0.5)
    return parts.some(({ type, value }) => type === 'decimal' && value === ',')
  } catch {
    return false
  }
}

function fromSheet(code: string, sheet: Sheet): NumberWords {
  const lexicon = lexiconOf(sheet)
  const longest = Math.max(1, ...Array.from(lexicon.keys(), (word) => word.length))
  const isPart = sheet.isUnspaced
  const atEnd = (words: readonly string[], after: string) =>
    words.length === 0 ? never : new RegExp(`${anyOf(words, isPart)}${after}$`, 'u')
  return {
    code,
    isRead: sheet.units.length > 0,
    isUnspaced: sheet.isUnspaced,
    isVigesimal: sheet.isVigesimal,
    isInverted: sheet.isInverted,
    isCompound: sheet.isCompound,
    hasDecimalComma: hasDecimalComma(code),
    lexemesOf: readerOf(sheet, lexicon, longest),
    formsOf: (value, only) =>
      [...lexicon].flatMap(([form, { value: own, isLoose, isOrder }]) =>
        own === value && !isLoose && isOrder === (only?.isOrder ?? isOrder) ? [form] : [],
      ),
    longest,
    ones: setOf(sheet.ones),
    links: setOf(sheet.links),
    halfLinks: setOf(sheet.halfLinks),
    articles: setOf(sheet.articles),
    decimal: setOf(sheet.decimal),
    percent: sheet.percent
      .split(',')
      .map((words) => words.trim().split(' ').filter(Boolean).map(foldWord))
      .filter((words) => words.length > 0),
    quarter: setOf(sheet.quarter),
    sayings: new RegExp(`^(?:${sheet.sayings || '(?!)'})`, 'u'),
    century: setOf(sheet.century),
    counters: setOf(sheet.counters),
    times: timesIn(sheet),
    between: new RegExp(String.raw`[.,;:!?…。、，；：؟،؛\n]|${betweenWords[code] ?? '(?!)'}`, 'gu'),
    ...placesOf(code, sheet.units.length > 0),
    minus: atEnd(sheet.minus, ' ?'),
    minusWords: sheet.minus,
    // A short word may stand between: "not at five".
    not: atEnd(sheet.not, String.raw` ?(?:\p{L}{1,3} )?[$€£¥]?`),
    notAfter: new RegExp(sheet.notAfter || '(?!)', 'uy'),
    up: new RegExp(anyOf(sheet.up, isPart), 'u'),
    down: new RegExp(anyOf(sheet.down, isPart), 'u'),
  }
}

/** "And" and "or" between what is listed. */
const betweenWords: Partial<Record<string, string>> = {
  ar: String.raw`(?<!\p{L})و`,
  de: ' (?:und|oder) ',
  en: ' (?:and|or) ',
  es: ' [yeou] ',
  fr: ' (?:et|ou) ',
  it: ' (?:ed?|o) ',
  ja: '[とや]|または',
  ko: '[와과] |하고 |그리고|또는',
  nl: ' (?:en|of) ',
  pt: ' (?:e|ou) ',
  ru: ' (?:и|или|а) ',
  zh: '[和与與及或]',
}
/** "Times" after a number. */
const often = String.raw`(?:(?:times?|x|mal|fois|ve(?:z|ces|zes)|volt[ae]|keer|раза?|مر(?:ات|ه))(?!\p{L})|[次回번])`

/** The names of months, as they stand beside a day. A language that counts its months has none. */
function monthsOf(code: string): string[] {
  const names = (['long', 'short'] as const).flatMap((month) => {
    const format = new Intl.DateTimeFormat(code, { day: 'numeric', month, timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, at) => {
      const parts = format.formatToParts(Date.UTC(2026, at))
      return /^\p{L}{2,}/u.exec(parts.find(({ type }) => type === 'month')?.value ?? '')?.[0] ?? ''
    })
  })
  return [...new Set(names.filter((name) => name !== '').map(foldWord))]
}

/** How a day of a month is told, and what else may move: "3 times", "the 3rd". */
function placesOf(code: string, isRead: boolean): Pick<NumberWords, 'monthBefore' | 'movable'> {
  const month = isRead ? `(?:${monthsOf(code).join('|') || '(?!)'})` : '(?!)'
  return {
    monthBefore: new RegExp(String.raw`(?<!\p{L})${month}\.? (?:the )?$`, 'u'),
    movable: new RegExp(
      String.raw`^(?:(?:st|nd|rd|th)(?!\p{L})| ?${often}| ?[月日号號월일](?![間间])|(?:er|º|\.)? ?(?:de |di )?${month}(?!\p{L}))`,
      'u',
    ),
  }
}

/** English words that are a figure by themselves; "one" mostly stands for somebody. */
export const figureWords: ReadonlySet<string> = new Set([
  ...[...(sheets['en']?.units.slice(2) ?? []), ...(sheets['en']?.tens ?? [])].flatMap(
    ([form = '']) => form,
  ),
  ...'dozen hundred thousand million billion percent half'.split(' '),
])

export interface Measure {
  id: string
  /** The quantity that is measured. Two measures of the same can be converted, where `by` says how. */
  of: string
  by: number | null
}

const Measures = z.record(
  z.string(),
  z.strictObject({ of: z.string(), by: z.number().nullable().default(null), words: some }),
)

const whole = new Map<string, Measure>()
const begun = new Map<string, Measure>()
for (const [id, { of, by, words }] of Object.entries(Measures.parse(read('measures.yaml'))))
  for (const word of words) {
    const folded = foldWord(word.replace('*', '').replaceAll('_', ' '))
    if (word.endsWith('*')) begun.set(folded, { id, of, by })
    else whole.set(folded, { id, of, by })
  }
const LONGEST_BEGINNING = Math.max(...Array.from(begun.keys(), (word) => word.length))

/** Of a whole folded word, in any language. */
export function measureOf(word: string): Measure | null {
  const exact = whole.get(word)
  if (exact) return exact
  for (let length = Math.min(word.length, LONGEST_BEGINNING); length > 2; length -= 1) {
    const found = begun.get(word.slice(0, length))
    if (found) return found
  }
  return null
}

const LONGEST_UNSPACED = 8

/** The first word of a text without spaces, and its number of letters. */
export function measureAtStart(text: string): { measure: Measure; length: number } | null {
  for (let length = Math.min(text.length, LONGEST_UNSPACED); length > 0; length -= 1) {
    const measure = whole.get(text.slice(0, length))
    if (measure) return { measure, length }
  }
  return null
}
