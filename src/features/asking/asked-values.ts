/**
 * Numbers, times of day and days of a month in a question. Each has several notations: "7:30" is "half
 * past seven", 25 is "twenty-five", and May 14 is "the fourteenth of May". So they are compared by
 * value, and not as words.
 */
import { daysOfMonthIn } from '#features/writing/due.ts'
import { foldWord, numberWordsOf } from '#features/writing/values/number-words.ts'
import { dense } from '#features/writing/values/value.ts'
import { valuesIn } from '#features/writing/values/values.ts'
import { fold } from '#shared/fold.ts'

export interface AskedValue {
  readings: readonly number[]
  /** Of a time of day, in minutes from midnight; with one the readings do not count. */
  minutes: readonly number[]
  /** Of a day of a month: `5-14`. Its number is in the readings. */
  day: string | null
  /** Of the question. */
  language: string
  /** As it was written, folded. */
  words: readonly string[]
  /** Where it is written as these words. Of one word the value says more. */
  asWritten: RegExp | null
  from: number
  to: number
}

/** A place in a sentence, and how sure it is that the value is meant there. */
export interface SaidValue {
  from: number
  to: number
  share: number
}

/** A number that stands without the month that is asked for. */
const DAY_ALONE = 0.6

/**
 * The values in a question, in the language that it is in. "1.500" is another number in others: it is
 * read as in the languages that are spoken there, too.
 */
export function valuesAsked(
  question: string,
  code: string,
  spoken: readonly string[] = [],
): AskedValue[] {
  const days = daysOfMonthIn(question, code)
  const elsewhere = spoken.flatMap((other) => (other === code ? [] : numbersIn(question, other)))
  return numbersIn(question, code).flatMap((value) => {
    const { minutes, isLoose } = value
    const same = elsewhere.filter(({ from, to }) => from === value.from && to === value.to)
    const readings = [...new Set([value, ...same].flatMap((one) => one.readings))]
    // "The first thing", "one of us"
    if (isLoose || (readings.length === 0 && minutes.length === 0)) return []
    const day = days.find((one) => one.from <= value.from && one.to >= value.to)
    const { from, to } = day ?? value
    // "14th" and "5pm" are one word.
    const [rest = ''] = ending.exec(question.slice(to)) ?? []
    const written = question.slice(from, to + rest.length).match(word) ?? []
    const asWritten =
      written.length > 1
        ? new RegExp(String.raw`(?<![\p{L}\p{N}])${written.join(gap)}(?![\p{L}\p{N}])`, 'giu')
        : null
    const words = written.flatMap((one) => fold(one).text.match(word) ?? [])
    return [
      { readings, minutes, language: code, day: day?.day ?? null, words, asWritten, from, to },
    ]
  })
}

const word = /[\p{L}\p{M}\p{N}]+/gu
const gap = String.raw`[^\p{L}\p{M}\p{N}]+`

/** A value that stands in a text, and not as a part of a word. */
interface NumberIn {
  readings: readonly number[]
  minutes: readonly number[]
  /** Mostly no number: "one". */
  isLoose: boolean
  from: number
  to: number
}

function numbersIn(text: string, code: string): NumberIn[] {
  if (!mayHoldNumber(text, code)) return []
  return valuesIn(text, code).flatMap(({ readings, minutes, weight, from, to, isMovable }) => {
    const isTold = minutes.length > 0 || isMovable || order.test(text.slice(to, to + 4))
    const isPart =
      letter.test(text.charAt(from - 1)) || (!isTold && touching.test(text.slice(to - 1, to + 1)))
    return isPart ? [] : [{ readings, minutes, isLoose: weight === 'loose', from, to }]
  })
}

/** Letters of a writing in which "MP3", "5G" and "A4" are words, and no numbers. */
const alphabetic = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]`
const letter = new RegExp(`^${alphabetic}$`, 'u')
const touching = new RegExp(String.raw`^\S${alphabetic}$`, 'u')
const ending = new RegExp(`^${alphabetic}*`, 'u')
/** "14th", "14e" */
const order = /^(?:st|nd|rd|th|er?|re|[eè]me|[dst]e|ste)(?!\p{L})/u

const figure = new RegExp(String.raw`[\p{N}${dense}]`, 'u')

function mayHoldNumber(text: string, code: string): boolean {
  if (figure.test(text)) return true
  const { lexemesOf, century } = numberWordsOf(code)
  return (text.match(word) ?? []).some((one) => {
    const folded = foldWord(one)
    return lexemesOf(folded) !== null || century.has(folded)
  })
}

/** How far from its number a month stands. */
const NEAR = 40

/** The day that a number of a sentence is. It takes long to read one, so it is read there alone. */
function dayAt(sentence: string, { from, to }: NumberIn, code: string) {
  const begin = sentence.lastIndexOf(' ', Math.max(0, from - NEAR)) + 1
  const space = sentence.indexOf(' ', to + NEAR)
  const near = sentence.slice(begin, space === -1 ? undefined : space)
  const day = daysOfMonthIn(near, code).find(
    (one) => begin + one.from <= from && begin + one.to >= to,
  )
  return day && { day: day.day, from: begin + day.from, to: begin + day.to }
}

/** Where a sentence says each of these values. */
export function saidValues(
  sentence: string,
  asked: readonly AskedValue[],
  code: string,
): SaidValue[][] {
  if (asked.length === 0) return []
  const all = numbersIn(sentence, code)
  return asked.map(({ readings, minutes, day, asWritten }) => {
    const byValue = all.flatMap((value): SaidValue[] => {
      const isSame =
        minutes.length > 0
          ? value.minutes.some((minute) => minutes.includes(minute))
          : value.readings.some((reading) => readings.includes(reading))
      if (!isSame) return []
      const { from, to } = value
      if (day === null) return [{ from, to, share: 1 }]
      const said = dayAt(sentence, value, code)
      if (!said) return [{ from, to, share: DAY_ALONE }]
      return said.day === day ? [{ from: said.from, to: said.to, share: 1 }] : []
    })
    if (!asWritten || byValue.some(({ share }) => share === 1)) return byValue
    // "2,000" is "2 000", which may be two numbers.
    return Array.from(sentence.matchAll(asWritten), ({ 0: found, index }): SaidValue => ({
      from: index,
      to: index + found.length,
      share: 1,
    })).concat(byValue)
  })
}

/**
 * The ways to say this value of which one stands where it is said, each as folded words beside each
 * other: where a library is looked through. "*" is any ending.
 */
export function waysToSay({ readings, minutes, language, words }: AskedValue): string[][] {
  const numbers = minutes.length > 0 ? minutes.flatMap(hoursOf) : readings
  return [[...words], ...[...new Set(numbers)].flatMap((number) => waysOf(number, language))]
}

/** 19:45 is also "quarter to eight". */
function hoursOf(minute: number): number[] {
  const hour = Math.floor(minute / 60)
  const both = minute % 60 === 0 ? [hour] : [hour, (hour + 1) % 24]
  return both.flatMap((one) => [one, one % 12 || 12])
}

function waysOf(number: number, language: string): string[][] {
  const words = numberWordsOf(language)
  const [figures, power] = [String(number).split('.'), powerIn(number)]
  const tens = number > 20 && number < 100 ? number - (number % 10) : number
  // "Seventy-five" is "sixty-fifteen" in French, and "eighty" is "four twenties".
  const base = words.isVigesimal && tens >= 70 && tens < 100 ? [tens < 80 ? 60 : 20] : []
  const isHalf = number % 1 === 0.5
  const spoken = new Set([
    ...[
      number,
      tens,
      ...base,
      ...(power === null ? [] : [power]),
      ...(isHalf ? [0.5] : []),
    ].flatMap((one) => words.formsOf(one)),
    ...(words.isCompound && words.formsOf(number).length === 0
      ? compoundsOf(number, language).map((one) => `${one}*`)
      : []),
  ])
  return [
    figures.length > 1 ? figures : [`${number}*`],
    ...(number >= 1_000 ? [number.toLocaleString('en').split(/[,.]/)] : []),
    ...[...spoken].map((one) => [one]),
  ]
}

const powerIn = (number: number): number | null =>
  [1e12, 1e9, 1e6, 1_000, 100].find((power) => number >= power) ?? null

/** The beginnings of a number in one word, where it is written so: "fünfundzwanzig", "zweitausend". */
function compoundsOf(number: number, language: string): string[] {
  const { formsOf, links, isInverted } = numberWordsOf(language)
  const own = formsOf(number, { isOrder: false })
  // Those that others begin with.
  const shortest = own.filter((form) => !own.some((one) => one !== form && form.startsWith(one)))
  if (shortest.length > 0) return shortest
  const joined = (heads: readonly string[], between: readonly string[], last: number) =>
    heads.flatMap((head) =>
      between.flatMap((link) => compoundsOf(last, language).map((one) => head + link + one)),
    )
  const power = powerIn(number)
  if (power !== null) {
    const count = Math.floor(number / power)
    const heads = compoundsOf(count, language)
    if (count >= 100) return heads
    return [...joined(heads, [''], power), ...(count === 1 ? compoundsOf(power, language) : [])]
  }
  if (number % 1 === 0.5) return joined(compoundsOf(Math.floor(number), language), [''], 0.5)
  const units = number % 10
  if (number < 20 || units === 0 || number % 1 !== 0) return []
  return isInverted
    ? joined(compoundsOf(units, language), [...links], number - units)
    : joined(formsOf(number - units, { isOrder: false }), [''], units)
}
