/**
 * Writes spoken numbers in digits: "twenty five" becomes 25. Only numbers that can be read in one
 * way are changed. Counting ("one two three") and numbers below ten stay words, as style guides
 * ask. It knows American English, which the only engine that writes no digits recognises.
 */
import type { Word } from '../engines/engine.ts'

const units = 'zero one two three four five six seven eight nine'.split(' ')
const teens =
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

const small = new Map([
  ...[...units, ...teens].map((word, value) => [word, value] as const),
  ...tens.map((word, place) => [word, 20 + 10 * place] as const),
])
/** Whether a word may be part of a number. A number beside such a word is not changed alone. */
const isNumberWord = (word: string | undefined): boolean =>
  word !== undefined && (small.has(word) || /^(hundred|thousand|oh|point|half)$/.test(word))

/** Numbers within a sentence follow each other closely. */
const LONGEST_PAUSE_MS = 600
const FEWEST_IN_DIGITS = 10
/** "Nineteen eighty four" is a year; "eleven fifty" may be a price or a time as well. */
const centuries = { first: 16, last: 20 }

interface Spoken {
  value: number
  /** How many spoken words the number takes. */
  count: number
  isYear: boolean
}

/** The words with numbers in digits: several words may become one. */
export function withNumbers(words: readonly Word[]): Word[] {
  const said = words.map(({ text }) => text)
  const written: Word[] = []
  for (let at = 0; at < words.length;) {
    const found = isNumberWord(said[at - 1]) ? null : numberAt(said, at)
    const unit = found && unitOf(said[at + found.count])
    const count = found ? found.count + (unit ? 1 : 0) : 1
    const members = words.slice(at, at + count)
    const isSafe =
      found &&
      (found.value >= FEWEST_IN_DIGITS || unit) &&
      !isNumberWord(said[at + found.count]) &&
      isUnbroken(members)
    if (isSafe) written.push(joined(members, unit ? unit(digits(found)) : digits(found)))
    else written.push(...members)
    at += count
  }
  return written
}

/** The longest number that begins here. */
function numberAt(said: readonly string[], at: number): Spoken | null {
  const year = yearAt(said, at)
  if (year) return year
  const thousands = belowThousand(said, at)
  if (!thousands) return null
  if (said[at + thousands.count] !== 'thousand') return { ...thousands, isYear: false }
  const count = thousands.count + 1
  const rest = restAt(said, at + count, belowThousand)
  return {
    value: thousands.value * 1000 + (rest?.value ?? 0),
    count: count + (rest?.count ?? 0),
    isYear: false,
  }
}

type Part = Pick<Spoken, 'value' | 'count'>

function belowThousand(said: readonly string[], at: number): Part | null {
  const first = belowHundred(said, at)
  if (!first || first.value > 9 || first.value < 1 || said[at + 1] !== 'hundred') return first
  const rest = restAt(said, at + 2, belowHundred)
  return { value: first.value * 100 + (rest?.value ?? 0), count: 2 + (rest?.count ?? 0) }
}

/** The words after a hundred or a thousand, with or without "and". */
function restAt(
  said: readonly string[],
  at: number,
  read: (said: readonly string[], at: number) => Part | null,
): Part | null {
  const isLinked = said[at] === 'and'
  const rest = read(said, at + (isLinked ? 1 : 0))
  return rest && rest.value > 0
    ? { value: rest.value, count: rest.count + (isLinked ? 1 : 0) }
    : null
}

function belowHundred(said: readonly string[], at: number): Part | null {
  const first = small.get(said[at] ?? '')
  if (first === undefined) return null
  const unit = first >= 20 ? units.indexOf(said[at + 1] ?? '') : -1
  return unit > 0 ? { value: first + unit, count: 2 } : { value: first, count: 1 }
}

function yearAt(said: readonly string[], at: number): Spoken | null {
  const century = small.get(said[at] ?? '')
  if (century === undefined || century < centuries.first || century > centuries.last) return null
  const year = belowHundred(said, at + 1)
  if (!year || year.value < 10) return null
  return { value: century * 100 + year.value, count: 1 + year.count, isYear: true }
}

const unitSigns: Readonly<Record<string, (number: string) => string>> = {
  percent: (number) => `${number}%`,
  dollars: (number) => `$${number}`,
}
const unitOf = (word: string | undefined) => (word === undefined ? undefined : unitSigns[word])

/** Years are written without a comma: 1,984 things in 1984. */
const digits = ({ value, isYear }: Spoken): string =>
  isYear ? String(value) : value.toLocaleString('en-US')

const isUnbroken = (words: readonly Word[]): boolean =>
  words.every((word, index) => {
    const before = words[index - 1]
    return !before || word.startMs - before.endMs < LONGEST_PAUSE_MS
  })

function joined(words: readonly Word[], text: string): Word {
  const [first] = words
  if (!first) throw new Error('a number has one word at least')
  const confidences = words.map(({ confidence }) => confidence)
  return {
    ...first,
    text,
    endMs: words.at(-1)?.endMs ?? first.endMs,
    // The number is only right when all its words are, so it is as sure as the least sure of them.
    confidence: confidences.reduce(
      (least, next) => (least === null || next === null ? null : Math.min(least, next)),
      first.confidence,
    ),
  }
}

/**
 * Writes a number in words, as it is spoken, so that texts can be compared. Null for a text that is
 * no number, and for numbers that are spoken in several ways, such as telephone numbers.
 */
export function spelledOut(written: string): string[] | null {
  const [, dollars = '', number = '', sign = ''] = /^(\$?)(\d[\d,]*)(%?)$/.exec(written) ?? []
  if (number === '' || !/^(\d{1,6}|\d{1,3}(,\d{3})?)$/.test(number)) return null
  const value = Number(number.replace(',', ''))
  const hasZero = /^0\d/.test(number)
  if (hasZero) return null
  const isYear =
    !number.includes(',') &&
    value % 100 >= 10 &&
    value >= centuries.first * 100 &&
    value < (centuries.last + 1) * 100
  return [
    ...(isYear && dollars === ''
      ? [...inWords(Math.floor(value / 100)), ...inWords(value % 100)]
      : inWords(value)),
    ...(dollars === '' ? [] : [value === 1 ? 'dollar' : 'dollars']),
    ...(sign === '' ? [] : ['percent']),
  ]
}

function inWords(value: number): string[] {
  const rest = (divisor: number) => (value % divisor === 0 ? [] : inWords(value % divisor))
  if (value >= 1000) return [...inWords(Math.floor(value / 1000)), 'thousand', ...rest(1000)]
  if (value >= 100) return [...inWords(Math.floor(value / 100)), 'hundred', ...rest(100)]
  if (value >= 20) return [tens[Math.floor(value / 10) - 2] ?? '', ...rest(10)]
  return [[...units, ...teens][value] ?? '']
}
