/**
 * How English words may be spoken that are written with digits, signs or capitals: "$5.20" as "five
 * dollars twenty cents", "five twenty" and so on. It need not know which was said: the search in
 * the sound tries all.
 */
import { spelledOut } from '../text/numbers.ts'

/** Words one after the other, each as it stands in a dictionary; `|` is between two for one place. */
export type Reading = readonly string[]

/** @param isKnown whether the dictionary has a word, in lower case */
export function readingsOf(written: string, isKnown: (word: string) => boolean): Reading[] {
  const text = written
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[\u2018\u2019]/g, "'")
  const whole = text.toLowerCase()
  const bare = whole.replaceAll(/^[^\p{L}\p{N}$£€'#]+|[^\p{L}\p{N}%']+$/gu, '')
  const withStop = /[\p{L}]\./u.test(whole) ? [`${bare}.`, bare] : [bare]
  for (const each of [...withStop, bare.replaceAll("'", ''), bare.replace(/^'+|'+$/g, '')])
    if (each !== '' && !/\d/.test(each) && isKnown(each)) return [[each]]

  const readings = numberReadings(bare) ?? partsOf(text, isKnown)
  return readings.filter((reading) => reading.length > 0)
}

/** A text that is a number with its signs as a whole; null where it is none. */
function numberReadings(text: string): Reading[] | null {
  const money = /^([$£€])([\d,]+)(?:\.(\d\d))?$/.exec(text)
  if (money) return moneyReadings(money)
  const time = /^(\d{1,2}):(\d\d)(am|pm)?$/.exec(text)
  if (time) return timeReadings(time)
  const ordinal = /^(\d+)(?:st|nd|rd|th)$/.exec(text)
  if (ordinal) return integerReadings(ordinal[1] ?? '').flatMap(ordinalOf)
  const decade = /^'?(\d+0)'?s$/.exec(text)
  if (decade) return integerReadings(decade[1] ?? '').flatMap(pluralOf)
  const decimal = /^([\d,]*)\.(\d+)(%?)$/.exec(text)
  if (decimal) {
    const [, whole = '', digits = '', sign = ''] = decimal
    const before = whole === '' ? [[]] : integerReadings(whole)
    return before.map((each) => [...each, 'point', ...oneByOne(digits), ...signsOf(sign)])
  }
  const integer = /^#?([\d,]*\d)(%?)$/.exec(text)
  if (integer)
    return integerReadings(integer[1] ?? '').map((each) => [...each, ...signsOf(integer[2] ?? '')])
  return null
}

const currencies: Readonly<Record<string, readonly [one: string, many: string, cents: string]>> = {
  $: ['dollar', 'dollars', 'cents'],
  '£': ['pound', 'pounds', 'pence'],
  '€': ['euro', 'euros', 'cents'],
}

function moneyReadings([, sign = '', whole = '', cents = '00']: RegExpExecArray): Reading[] {
  const [one = '', many = '', small = ''] = currencies[sign] ?? []
  const unit = whole === '1' ? one : many
  return integerReadings(whole).flatMap((each): Reading[] =>
    Number(cents) === 0
      ? [[...each, unit]]
      : twoDigits(cents).flatMap((rest): Reading[] => [
          [...each, unit, ...rest],
          [...each, unit, ...rest, small],
          [...each, unit, 'and', ...rest, small],
          [...each, ...rest],
        ]),
  )
}

function timeReadings([, hours = '', minutes = '', half = '']: RegExpExecArray): Reading[] {
  const hour = inWords(hours)
  const rest = [...half].filter((letter) => letter.trim() !== '').map((letter) => `${letter}.`)
  if (Number(minutes) === 0)
    return [
      [...hour, "o'clock", ...rest],
      [...hour, ...rest],
      [...hour, 'hundred', ...rest],
    ]
  return twoDigits(minutes).map((each) => [...hour, ...each, ...rest])
}

/** "05" is "oh five"; "20" is "twenty". */
const twoDigits = (digits: string): Reading[] =>
  digits.startsWith('0') ? [oneByOne(digits), inWords(digits)] : [inWords(digits)]

function integerReadings(written: string): Reading[] {
  const digits = written.replaceAll(',', '')
  const single = oneByOne(digits)
  // Telephone numbers and the like.
  if (/^0\d/.test(digits) || digits.length > 9) return [single]
  const readings: Reading[] = [inWords(digits)]
  if (written.includes(',')) return readings
  if (digits.length === 4) readings.push(...pairs(digits))
  if (digits.length === 3)
    readings.push([...inWords(digits.slice(0, 1)), ...(twoDigits(digits.slice(1))[0] ?? [])])
  if (digits.length > 2) readings.push(single)
  return readings
}

/** As years are spoken. */
function pairs(digits: string): Reading[] {
  const first = inWords(digits.slice(0, 2))
  const rest = digits.slice(2)
  return rest === '00'
    ? [[...first, 'hundred']]
    : twoDigits(rest).map((each) => [...first, ...each])
}

const oneByOne = (digits: string): string[] =>
  [...digits].map((digit) => (digit === '0' ? 'zero|oh' : (inWords(digit)[0] ?? '')))

/** Whole numbers below a thousand millions. */
function inWords(digits: string): string[] {
  const value = Number(digits.replaceAll(',', ''))
  if (value < 1_000_000) {
    // A comma keeps it from being read as a year.
    const written = value < 1000 ? String(value) : value.toLocaleString('en-US')
    return spelledOut(written) ?? []
  }
  const rest = value % 1_000_000
  return [
    ...inWords(String(Math.floor(value / 1_000_000))),
    'million',
    ...(rest === 0 ? [] : inWords(String(rest))),
  ]
}

const irregular: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

const ordinalOf = (reading: Reading): Reading[] =>
  withLast(
    reading,
    (last) => irregular[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`),
  )

const pluralOf = (reading: Reading): Reading[] =>
  withLast(reading, (last) => (last.endsWith('y') ? `${last.slice(0, -1)}ies` : `${last}s`))

/** None where the last word may be one of two. */
function withLast(reading: Reading, change: (last: string) => string): Reading[] {
  const last = reading.at(-1)
  if (last === undefined || last.includes('|')) return []
  return [[...reading.slice(0, -1), change(last)]]
}

const signs: Readonly<Record<string, string>> = {
  '%': 'percent',
  '&': 'and',
  '@': 'at',
  '+': 'plus',
  '=': 'equals',
  '#': 'number',
}
const signsOf = (text: string): string[] => [...text].flatMap((sign) => signs[sign] ?? [])

/** A word of several: letters, digits and signs, each read by itself. */
function partsOf(text: string, isKnown: (word: string) => boolean): Reading[] {
  let readings: Reading[] = [[]]
  for (const [part] of text.matchAll(
    /\p{L}+(?:'\p{L}+)?|\d[\d,]*(?:\.\d+)?|[%&@+=#]|\.(?=\p{L})/gu,
  )) {
    const each = readPart(part, { isKnown, isMailOrPage: /[@/]|\.\p{L}{2,}/u.test(text) })
    // Many numbers in one word could be read in too many ways.
    readings = readings.flatMap((before) => each.map((after) => [...before, ...after]))
    readings = readings.slice(0, MOST_READINGS)
  }
  return readings
}
const MOST_READINGS = 12

function readPart(
  part: string,
  { isKnown, isMailOrPage }: { isKnown: (word: string) => boolean; isMailOrPage: boolean },
): Reading[] {
  if (/^\d/.test(part)) return numberReadings(part) ?? []
  if (part === '.') return isMailOrPage ? [['dot']] : [[]]
  if (signs[part] !== undefined) return [signsOf(part)]
  const word = part.toLowerCase()
  if (isKnown(word)) return [[word]]
  const letters = [...word].filter((letter) => /[a-z]/.test(letter)).map((letter) => `${letter}.`)
  const isAcronym = part === part.toUpperCase() && part.length <= LONGEST_ACRONYM
  if (!/[aeiouy]/.test(word)) return [letters]
  return isAcronym ? [letters, [word]] : [[word]]
}
const LONGEST_ACRONYM = 5
