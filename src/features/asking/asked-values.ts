/**
 * Numbers, times of day and days of a month in a question. Each has several notations: "7:30" is "half
 * past seven", 25 is "twenty-five", and May 14 is "the fourteenth of May". So they are compared by
 * value, and not as words.
 */
import { daysOfMonthIn } from '#features/writing/due.ts'
import { numberWordsOf } from '#features/writing/values/number-words.ts'
import { valuesIn } from '#features/writing/values/values.ts'

export interface AskedValue {
  readings: readonly number[]
  /** Of a time of day, in minutes from midnight; with one the readings do not count. */
  minutes: readonly number[]
  /** Of a day of a month: `5-14`. Its number is in the readings. */
  day: string | null
  /** Of the question. */
  language: string

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

export function valuesAsked(question: string, code: string): AskedValue[] {
  const days = daysOfMonthIn(question, code)
  return valuesIn(question, code).flatMap(({ readings, minutes, weight, from, to }) => {
    // "The first thing", "one of us"
    if (weight === 'loose' || (readings.length === 0 && minutes.length === 0)) return []
    const day = days.find((one) => one.from <= from && one.to >= to)
    return [
      {
        readings,
        minutes,
        language: code,
        day: day?.day ?? null,
        from: day?.from ?? from,
        to: day?.to ?? to,
      },
    ]
  })
}

/** Where a sentence says each of these values. */
export function saidValues(
  sentence: string,
  asked: readonly AskedValue[],
  code: string,
): SaidValue[][] {
  if (asked.length === 0) return []
  const all = valuesIn(sentence, code)
  // It takes long to read one, so it is read where its number stands.
  let days: ReturnType<typeof daysOfMonthIn> | null = null
  return asked.map(({ readings, minutes, day }) =>
    all.flatMap((value): SaidValue[] => {
      const isSame =
        minutes.length > 0
          ? value.minutes.some((minute) => minutes.includes(minute))
          : value.readings.some((reading) => readings.includes(reading))
      if (!isSame) return []
      const { from, to } = value
      if (day === null) return [{ from, to, share: 1 }]
      days ??= daysOfMonthIn(sentence, code)
      const said = days.find((one) => one.from <= from && one.to >= to)
      if (!said) return [{ from, to, share: DAY_ALONE }]
      return said.day === day ? [{ from: said.from, to: said.to, share: 1 }] : []
    }),
  )
}

/** Words, folded, of which one is said where this value is: where a library is looked through. */
export function wordsOf({ readings, minutes, language }: AskedValue): string[] {
  const hours = minutes.map((minute) => Math.floor(minute / 60))
  const numbers = new Set(minutes.length > 0 ? hours : readings)
  const words = numberWordsOf(language)
  return [...numbers].flatMap((number) => {
    const tens = number > 20 && number < 100 ? number - (number % 10) : number
    return [
      String(number),
      ...words.formsOf(number),
      ...(tens === number ? [] : words.formsOf(tens)),
    ]
  })
}
