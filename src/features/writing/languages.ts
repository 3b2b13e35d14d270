/**
 * The knowledge of the extractive engine about each language: the words that say nothing, how people
 * greet and fill pauses, and how they announce something that matters. The lists are in
 * `languages.yaml`. They are written for speech: the stop words of the library come from written text
 * and know no "um" and no "gonna".
 */
import { readFileSync } from 'node:fs'

import * as stopword from 'stopword'
import { parse } from 'yaml'
import { z } from 'zod'

export interface Language {
  code: string
  /** Words without content of their own. A topic never begins or ends with one. */
  stopWords: ReadonlySet<string>
  /** Those of these words that have none in any sentence: "the", "what", "did". */
  functionWords: ReadonlySet<string>
  /** Words that may begin a sentence and can be left out: "So, um, you know, the launch…". */
  opening: RegExp
  /** The single words of it. */
  openers: ReadonlySet<string>
  /** Sounds between words, left out wherever they stand. */
  sounds: ReadonlySet<string>
  /** Words after which no sentence ends: a break there is a pause for breath. */
  leadsOn: ReadonlySet<string>
  /** Words that begin a new clause, where a run-on may be cut. */
  clauseStarts: ReadonlySet<string>
  /** Words that tie a clause to the one before: "and", "because". */
  connectives: ReadonlySet<string>
  /** Words that point back: a sentence beginning with one cannot stand alone. */
  pointers: ReadonlySet<string>
  /** A noun follows: "the", "our". Empty where a language has no such words. */
  determiners: ReadonlySet<string>
  /** Words that hold a noun phrase together: "aceite *de* oliva". */
  links: ReadonlySet<string>
  /** Words of decisions, duties, reasons and amounts. Global, to be counted. */
  cues: RegExp
  /** Says what a thing is, or what follows from all of it: "is called", "to sum up". */
  defines: RegExp
  /** Words of decisions and promises. Looked for in lower case. */
  steps: RegExp
  commitments: Commitments
  days: Days
  /** Greetings, thanks and goodbyes. */
  courtesies: RegExp
  /** Questions that carry no question mark, as recognisers write them. */
  questions: RegExp
  asking: Asking
  standing: Standing
  decisions: Decisions
  abbreviations: RegExp
  /** A clause that begins with one needs another to complete it: "if", "which". */
  halves: ReadonlySet<string>
  /** Nouns that name nothing by themselves, though they may end a phrase: "claim number". */
  vague: ReadonlySet<string>
  /** Those of these words that an adjective makes a thing of its own: "cold room", "white board". */
  named: ReadonlySet<string>
  /** Adjectives that any noun can have, and that belong to no topic. */
  plain: ReadonlySet<string>
  /** Words that are no nouns by their form, in a language without articles. */
  verbs: RegExp
  /** Words that are adjectives by their form. */
  adjectives: RegExp
  /** An adjective follows its noun. */
  isAdjectiveLast: boolean
  /** The words of its lists are found inside others too. */
  isWithinWords: boolean
  /** Words are not separated by spaces. */
  isUnspaced: boolean
}

/**
 * How somebody says that they will do something, or asks for it. Looked for in lower case, where a
 * clause begins. They match nothing in a language whose sheet has none of it.
 */
export interface Commitments {
  /** "I'll send" */
  promise: RegExp
  /** "can you send" */
  request: RegExp
  /** "we need to send", which is a task only with a day. */
  joint: RegExp
  /** "will send", after a name. */
  duty: RegExp
  /** Words that undo a promise: "if you", "never", "he said". */
  doubts: RegExp
  /** Ends right before a day that is a deadline: "by", "until". */
  deadline: RegExp
  /** How an answer begins that declines a request. */
  decline: RegExp
}

/** Which questions can be asked again by a reader. Without words for it in a language, none can. */
export interface Asking {
  isKnown: boolean
  begins: RegExp
  /** Asks nothing of what is talked about: "is there anything else". */
  hollow: RegExp
  /** Words that point to what was said before, or to who speaks: "that", "you". */
  pointing: RegExp
  /** Where such a word points to nothing: "what does *it cost* to", "*are there*". Global. */
  telling: RegExp
  /** An answer with one says nothing: "no idea". */
  evades: RegExp
}

/** How people say what they have decided. Looked for in lower case. */
export interface Decisions {
  isKnown: boolean
  tells: RegExp
  /** Makes a proposal, a question, a wish or an old story of it. */
  undoes: RegExp
  /** Says that something was decided, and not what: "that is settled". */
  settles: RegExp
}

/** What shows that a sentence cannot be read alone: see standing.ts. */
export interface Standing {
  /** Point to what was said before when they come before the first noun: "they". */
  pronouns: ReadonlySet<string>
  /** The same without a noun of their own: "these". */
  markers: ReadonlySet<string>
  /** A pronoun that points to nothing: "it takes two days to". */
  empty: RegExp
  /** Anywhere: "the second one". */
  leans: RegExp
  /** At the end: "there". */
  ends: RegExp
  /** At the beginning, about the talk itself: "let me show you". */
  asides: RegExp
  /** At the beginning, an opinion: "I would rather". */
  views: RegExp
  /** Begin a clause beside the main one: "which". Read in English alone. */
  clauses: ReadonlySet<string>
}

/**
 * Words that change a day that a library has found: see due.ts. Each is looked for right before a day
 * (at the end of what stands there) or right behind one (at the beginning).
 */
export interface Days {
  denials: RegExp
  /** A day of the week in full. Global. */
  names: RegExp
  vague: RegExp
  vagueBefore: RegExp
  vagueAfter: RegExp
  this: RegExp
  at: RegExp
  movedBefore: RegExp
  movedName: RegExp
  movedAfter: RegExp
  weekBefore: RegExp
  weekAfter: RegExp
  /** The group is the day of the month. */
  ofMonth: RegExp
  /** The group is the name of the holiday. */
  afterHoliday: RegExp
  /** The day of a holiday by its name, in small letters. */
  holidays: ReadonlyMap<string, { month: number; day: number }>
  otherBefore: RegExp
  otherTomorrow: RegExp
  otherAfter: RegExp
  /** Words that may stand behind a day. */
  follows: RegExp
  relative: RegExp
}

const list = z
  .string()
  .default('')
  .transform((text) => text.split(/\s+/).filter(Boolean))

const words = list.transform((all): ReadonlySet<string> => new Set(all))

/** Matches nothing unless it is given. */
const pattern = z
  .string()
  .default('(?!)')
  .transform((source) => new RegExp(source, 'iu'))

const DaySheet = z.strictObject({
  denials: list,
  names: list,
  vague: list,
  this: list,
  at: list,
  movedBefore: list,
  movedName: list,
  movedAfter: list,
  weekBefore: list,
  weekAfter: list,
  ofMonth: list,
  after: list,
  holidays: z.record(z.string(), z.string().regex(/^\d\d-\d\d$/)).default({}),
  otherBefore: list,
  otherTomorrow: list,
  otherAfter: list,
  follows: list,
  relative: list,
})

const StandingSheet = z.strictObject({
  pronouns: words,
  markers: words,
  empty: list,
  leans: list,
  ends: list,
  asides: list,
  views: list,
  clauses: words,
})

const Sheet = z.strictObject({
  stop: list,
  openers: list,
  remarks: list,
  notBefore: list,
  sounds: words,
  leadsOn: words,
  clauseStarts: words,
  connectives: words,
  pointers: words,
  determiners: words,
  links: words,
  cues: list,
  defines: list,
  steps: list,
  promises: list,
  promised: list,
  requests: list,
  joint: list,
  duties: list,
  tasks: list,
  between: list,
  apart: z.int().default(0),
  doubts: list,
  deadlines: list,
  declines: list,
  days: DaySheet.prefault({}),
  courtesies: list,
  questions: pattern,
  asks: list,
  hollowAsks: list,
  pointing: list,
  telling: list,
  evades: list,
  standing: StandingSheet.prefault({}),
  decisions: z.strictObject({ tells: list, undoes: list, settles: list }).prefault({}),
  abbreviations: list,
  halves: words,
  vague: words,
  named: words,
  plain: words,
  verbs: pattern,
  adjectives: pattern,
  isAdjectiveLast: z.boolean().default(false),
  isWithinWords: z.boolean().default(false),
  isUnspaced: z.boolean().default(false),
})
type Sheet = z.infer<typeof Sheet>

const file = new URL('languages.yaml', import.meta.url)
const sheets = z.record(z.string(), Sheet).parse(parse(readFileSync(file, 'utf8')))

/** Languages without a sheet may be heard too, but no summary can be asked for in them. */
const libraryStopWords: Partial<Record<string, readonly string[]>> = {
  ar: stopword.ara,
  de: stopword.deu,
  en: stopword.eng,
  es: stopword.spa,
  fr: stopword.fra,
  it: stopword.ita,
  ja: stopword.jpn,
  ko: stopword.kor,
  nl: stopword.nld,
  pl: stopword.pol,
  pt: stopword.porBr,
  ru: stopword.rus,
  sv: stopword.swe,
  tr: stopword.tur,
  uk: stopword.ukr,
  zh: stopword.zho,
}

const known = new Map<string, Language>()

/** The sheet of a language, by its ISO 639-1 code; that of an unknown one is empty. */
export function languageOf(code: string): Language {
  const short = code.toLowerCase().split(/[-_]/)[0] ?? ''
  let language = known.get(short)
  if (!language) {
    language = fromSheet(short, sheets[short] ?? Sheet.parse({}))
    known.set(short, language)
  }
  return language
}

function fromSheet(code: string, sheet: Sheet): Language {
  // Word boundaries that also hold for letters outside ASCII.
  const begin = sheet.isWithinWords ? '' : '(?<![\\p{L}\\p{N}])'
  const end = sheet.isWithinWords ? '' : '(?![\\p{L}\\p{N}])'
  const functionWords = (libraryStopWords[code] ?? []).map((word) => word.toLowerCase())
  return {
    ...sheet,
    code,
    stopWords: new Set([...functionWords, ...sheet.stop]),
    functionWords: new Set(functionWords),
    opening: openingOf(sheet),
    openers: new Set([...sheet.openers, ...sheet.remarks]),
    cues: new RegExp(begin + oneOf(sheet.cues) + end, 'giu'),
    defines: new RegExp(begin + oneOf(sheet.defines) + end, 'iu'),
    steps: new RegExp(begin + oneOf(sheet.steps), 'u'),
    commitments: commitmentsOf(sheet),
    days: daysOf(sheet),
    courtesies: new RegExp(begin + oneOf(sheet.courtesies) + end, 'iu'),
    asking: {
      isKnown: sheet.asks.length > 0,
      begins: new RegExp(`^[¿\\s]*${oneOf(sheet.asks)}${end}`, 'iu'),
      hollow: new RegExp(`^[¿\\s]*${oneOf(sheet.hollowAsks)}${end}`, 'iu'),
      pointing: new RegExp(begin + oneOf(sheet.pointing) + end, 'iu'),
      telling: new RegExp(begin + oneOf(sheet.telling) + end, 'giu'),
      evades: new RegExp(begin + oneOf(sheet.evades) + end, 'iu'),
    },
    decisions: {
      isKnown: sheet.decisions.tells.length > 0,
      tells: new RegExp(begin + oneOf(sheet.decisions.tells) + end, 'u'),
      undoes: new RegExp(begin + oneOf([...sheet.decisions.undoes, '[^?]+[?]']) + end, 'u'),
      settles: new RegExp(`${begin}${oneOf(sheet.decisions.settles)}[\\s.!…]*$`, 'u'),
    },
    standing: {
      ...sheet.standing,
      empty: new RegExp(begin + oneOf(sheet.standing.empty), 'u'),
      leans: new RegExp(begin + oneOf(sheet.standing.leans) + end, 'u'),
      ends: new RegExp(`${begin}${oneOf(sheet.standing.ends)}[\\s.!…"”’]*$`, 'u'),
      asides: new RegExp(`^${oneOf(sheet.standing.asides)}${end}`, 'u'),
      views: new RegExp(`^${oneOf(sheet.standing.views)}${end}`, 'u'),
    },
    abbreviations: abbreviationsOf(sheet),
  }
}

export function oneOf(phrases: readonly string[]): string {
  if (phrases.length === 0) return '(?!)'
  return `(?:${phrases.join('|').replaceAll('_', '\\s+').replaceAll('*', '\\p{L}*')})`
}

function openingOf({ openers, remarks, notBefore, isUnspaced }: Sheet): RegExp {
  // The longest first, or "you" would win over "you know".
  const any = (phrases: readonly string[]) => oneOf(phrases.toSorted((a, b) => b.length - a.length))
  const mark = '\\s*[,،、，.。!…]+\\s*'
  const gap = isUnspaced ? `(?:${mark})?` : `(?:${mark}|\\s+(?!${any(notBefore)}(?!\\p{L})))`
  const all = any([...openers, ...remarks])
  return new RegExp(`^(?:${all}${mark}|${any(openers)}${gap})(?=\\S)`, 'iu')
}

function commitmentsOf(sheet: Sheet): Commitments {
  const end = '(?![\\p{L}\\p{N}])'
  const clause = `(?:^[¿¡\\s]*|[,;:–—]\\s*|(?<!\\p{L})${oneOf(sheet.openers)}\\s+)`
  const task =
    `(?:\\s+${oneOf(sheet.between)})*` +
    `(?:\\s+[^\\s,;.]+){0,${sheet.apart}}?\\s+${oneOf(sheet.tasks)}${end}`
  const whole = sheet.promised.length === 0 ? '' : `|${oneOf(sheet.promised)}${end}`
  return {
    promise: new RegExp(`${clause}(?:${oneOf(sheet.promises)}${task}${whole})`, 'u'),
    request: new RegExp(`${clause}${oneOf(sheet.requests)}${task}`, 'u'),
    joint: new RegExp(`${clause}${oneOf(sheet.joint)}${task}`, 'u'),
    duty: new RegExp(`^\\s+${oneOf(sheet.duties)}${task}`, 'u'),
    doubts: new RegExp(`(?<![\\p{L}\\p{N}])${oneOf(sheet.doubts)}${end}`, 'u'),
    deadline: new RegExp(`(?<!\\p{L})${oneOf(sheet.deadlines)}\\s*$`, 'iu'),
    decline: new RegExp(`^(?:${oneOf(sheet.openers)}[,\\s]+)?${oneOf(sheet.declines)}${end}`, 'iu'),
  }
}

function daysOf({ days, isUnspaced }: Sheet): Days {
  const start = isUnspaced ? '' : '(?<![\\p{L}\\p{N}])'
  const end = isUnspaced ? '' : '(?![\\p{L}\\p{N}])'
  const within = (phrases: readonly string[], flags = 'iu') =>
    new RegExp(start + oneOf(phrases) + end, flags)
  const gapBefore = isUnspaced ? '' : "(?:\\s+|(?<=[-'’])|(?<=\\p{L})-)"
  const before = (phrases: readonly string[]) =>
    new RegExp(`${start}${oneOf(phrases)}${gapBefore}$`, 'iu')
  const gap = isUnspaced ? '' : '(?:,?\\s+)'
  const behind = (source: string) => new RegExp(`^${gap}${source}${end}`, 'iu')
  const holidays = Object.entries(days.holidays).map(([name, day]) => {
    const [month = 0, ofMonth = 0] = day.split('-').map(Number)
    return [name.replaceAll('_', ' '), { month, day: ofMonth }] as const
  })
  const holiday = oneOf(Object.keys(days.holidays).toSorted((a, b) => b.length - a.length))
  const isAnyAfter = days.follows.length === 0
  const stop = "(?:\\s*(?:$|[^\\p{L}\\p{N}\\s'’-]))"
  return {
    // "Isn't" is one word that denies.
    denials: new RegExp(
      `${isUnspaced ? '' : "(?<![\\p{L}\\p{N}])(?:\\p{L}+(?=n['’]t))?"}${oneOf(days.denials)}${end}`,
      'iu',
    ),
    names: within(days.names, 'giu'),
    vague: within(days.vague),
    vagueBefore: before(days.vague),
    vagueAfter: behind(oneOf(days.vague)),
    this: before(days.this),
    at: new RegExp(`${start}${oneOf(days.at)}\\s*$`, 'iu'),
    movedBefore: before(days.movedBefore),
    movedName: before(days.movedName),
    movedAfter: behind(oneOf(days.movedAfter)),
    weekBefore: before(days.weekBefore),
    weekAfter: behind(oneOf(days.weekAfter)),
    ofMonth: behind(oneOf(days.ofMonth)),
    afterHoliday: behind(`${oneOf(days.after)}\\s+(${holiday})`),
    holidays: new Map(holidays),
    otherBefore: before(days.otherBefore),
    otherTomorrow: before(days.otherTomorrow),
    otherAfter: behind(oneOf(days.otherAfter)),
    follows: isAnyAfter ? /(?:)/ : new RegExp(`^${stop}|^${gap}${oneOf(days.follows)}${end}`, 'iu'),
    relative: within(days.relative),
  }
}

function abbreviationsOf({ abbreviations }: Sheet): RegExp {
  if (abbreviations.length === 0) return /(?!)/
  const any = abbreviations.join('|').replaceAll('.', '\\.')
  return new RegExp(`(?:^|[\\s(])(?:${any}|\\p{L})\\.\\s*$`, 'iu')
}

/** Scripts that tell the language by themselves. */
const scripts: readonly [script: RegExp, code: string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
]

const told = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'tr']

/** The language of a text whose recogniser did not say: by its script, else by its stop words. */
export function guessLanguage(text: string): string {
  const sample = text.slice(0, 20_000).toLowerCase()
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  for (const [script, code] of scripts)
    if ((sample.match(script)?.length ?? 0) > letters * 0.2) return code

  const shares = told.map((code) => ({ code, hits: hitsIn(sample, code) }))
  return shares.reduce((most, next) => (next.hits > most.hits ? next : most)).code
}

/** The language of a short text: the one that is expected, unless another is likelier. */
export function likelier(text: string, expected: string): string {
  const guess = guessLanguage(text)
  const isTold = (code: string) => told.includes(code)
  if (!isTold(guess)) return isTold(expected) ? guess : expected
  // A word behind a figure tells nothing: "million" and "euros" are words of several languages.
  const sample = text.toLowerCase().replaceAll(/\p{N}[\p{N}.,]*\s*\p{L}+/gu, ' ')
  const other = guessLanguage(sample)
  return hitsIn(sample, other) > hitsIn(sample, expected) ? other : expected
}

/** How many of its words are stop words of a language. */
function hitsIn(text: string, code: string): number {
  const { stopWords } = languageOf(code)
  return text.match(/\p{L}+/gu)?.filter((word) => stopWords.has(word)).length ?? 0
}

/** With fewer stop words than this a text may be in any language. */
const FEWEST_HITS = 4
/** Languages that are close share many stop words, so a text must be clearly the other one. */
const CLEARLY = 0.8

/** Whether a text may be in a language: false only where it is clearly in another. */
export function isWrittenIn(text: string, code: string): boolean {
  const hasScript = (one: string) => scripts.some(([, other]) => other === one)
  if (!told.includes(code) && !hasScript(code)) return true
  const guess = guessLanguage(text)
  if (guess === code) return true
  const sample = text.slice(0, 20_000).toLowerCase()
  if (hasScript(guess) || hasScript(code)) return (sample.match(/\p{L}/gu)?.length ?? 0) < 20
  const hits = hitsIn(sample, guess)
  return hits < FEWEST_HITS || hitsIn(sample, code) >= CLEARLY * hits
}
