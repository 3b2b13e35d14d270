/** The results of reading a text: tokens first, then values. */
import { type Measure, foldWord } from './number-words.ts'

export interface Value {
  /** In `digits` every digit must be the same, as in a telephone number. */
  kind: 'number' | 'time' | 'digits'
  /** The numbers that it can be. Empty where it is none, such as a time of day. */
  readings: readonly number[]
  /** Its value by the custom of another country: 1200 for "1,200" in a German text. */
  doubtful: readonly number[]
  /** As a time of day, in minutes from midnight. Two where it may be morning or afternoon. */
  minutes: readonly number[]
  digits: string | null
  measure: Measure | null
  isNegative: boolean
  /** Whether something rose or fell by this much. */
  direction: 'up' | 'down' | null
  /** "not 15" */
  isDenied: boolean
  /** Whether languages put it in different places among other values: a day of a month, or how often. */
  isMovable: boolean
  /** How many commas, ends of sentences and words for "and" stand before it. */
  clause: number
  /** How serious it is when this value is missing from a translation, or new in it. */
  weight: Weight
  /** Where it stands in the text. */
  from: number
  to: number
  /** The values that it is if they do not belong together: "ten thirty" may be 10 and 30. */
  parts: readonly Value[]
}

/**
 * A `figure` is written in digits. A `word` is large or has a measure. A `small` one may be said in
 * other words. A `loose` one is mostly no number: "one", "second", "couple".
 */
export type Weight = 'figure' | 'word' | 'small' | 'loose'

export const LARGEST_SMALL = 12

export interface Token {
  kind: 'digits' | 'letters' | 'letter' | 'gap' | 'mark'
  /** Folded. */
  text: string
  from: number
}

export interface Atom extends Value {
  /** The figures as they were written, without separators between thousands. */
  literal: string | null
}
/** The value that was read, and the place of the token that follows. */
export interface Found {
  atom: Atom
  next: number
}

export const plainAtom: Omit<Atom, 'from'> = {
  kind: 'number',
  readings: [],
  doubtful: [],
  minutes: [],
  digits: null,
  measure: null,
  isNegative: false,
  direction: null,
  isDenied: false,
  isMovable: false,
  clause: 0,
  weight: 'figure',
  to: 0,
  parts: [],
  literal: null,
}

/** Two times, before and after noon, where the hour can be either. */
export function minutesOf(hour: number, minute: number): number[] {
  const at = hour * 60 + minute
  if (hour > 12) return [at]
  return hour === 12 ? [at, minute] : [at, at + 720]
}

export const isHour = (hour: number): boolean => Number.isInteger(hour) && hour >= 0 && hour <= 24
export const isMinute = (minute: number): boolean =>
  Number.isInteger(minute) && minute >= 0 && minute < 60

export const LONGEST_NUMBER = 15

/** Characters of a script that is written without spaces, or with particles at its words. */
export const dense = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー〇`
const token = new RegExp(
  String.raw`(?<digits>[0-9]+)|(?<letter>[${dense}])|(?<letters>(?:(?![${dense}])\p{L}\p{M}*)+)|(?<gap>\s+)|[^]`,
  'gu',
)
export const hangul = /^\p{Script=Hangul}$/u

/** Where the digits of other scripts begin: Arabic, Persian, Devanagari, Bengali, Thai. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]
const others = new Map([
  ['٪', '%'],
  ['٫', '.'],
  ['٬', ','],
  ['−', '-'],
  ['’', "'"],
  ['　', ' '],
  ['#', ' '],
])

/** The text with its figures and their signs in ASCII. Every character keeps its place. */
const inAscii = (text: string): string =>
  text.replace(/[٪٫٬−’　#！-～]|\p{Nd}/gu, (sign) => {
    const other = others.get(sign)
    if (other !== undefined) return other
    const code = sign.codePointAt(0) ?? 0
    if (code >= 0xff01 && code <= 0xff5e) return String.fromCodePoint(code - 0xfee0)
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? sign : String(code - zero)
  })

export function tokensIn(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: found, index, groups = {} } of inAscii(text).matchAll(token)) {
    const { digits, letter, letters, gap } = groups
    const at = { from: index }
    if (digits) tokens.push({ kind: 'digits', text: found, ...at })
    else if (letter) tokens.push({ kind: 'letter', text: found, ...at })
    else if (letters) tokens.push({ kind: 'letters', text: foldWord(found), ...at })
    else if (gap) tokens.push({ kind: 'gap', text: found.includes('\n') ? '\n' : ' ', ...at })
    else tokens.push({ kind: 'mark', text: found, ...at })
  }
  return tokens
}
