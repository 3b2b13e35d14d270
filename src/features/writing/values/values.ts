/**
 * The values that a text holds: numbers in figures and in words, with what they count, and times of
 * day. 1.5, 1,5 and "one and a half" are one value; 15 is another. "5 pm" is "17 Uhr", "12,000" is
 * "zwölftausend" and 一万二千, and 5 million are 500万. A text that can be read in two ways has both
 * readings.
 *
 * The time of reading grows in proportion to the length of any text.
 */
import { MOST_GROUPS } from './figures.ts'
import {
  type Measure,
  type NumberWords,
  measureAtStart,
  measureOf,
  numberWordsOf,
} from './number-words.ts'
import { FEWEST_IN_ROW, atomAt, exactly } from './spelled.ts'
import { type Line, timed } from './times.ts'
import {
  type Atom,
  LARGEST_SMALL,
  type Value,
  dense,
  isHour,
  isMinute,
  minutesOf,
  tokensIn,
} from './value.ts'

/** The values of a text, in order. */
export function valuesIn(text: string, language: string): Value[] {
  const words = numberWordsOf(language)
  const tokens = tokensIn(text)
  const atoms: Atom[] = []
  const places: number[] = []
  let line = ''
  for (let at = 0; at < tokens.length;) {
    const found = atomAt(tokens, at, words)
    if (found) {
      const to = tokens[found.next]?.from ?? text.length
      atoms.push({ ...found.atom, parts: found.atom.parts.map((part) => ({ ...part, to })), to })
      places.push(line.length)
      line += '#'
      at = found.next
    } else {
      line += tokens[at]?.text ?? ''
      at += 1
    }
  }
  const known = measured(timed({ atoms, places, line }, words), words)
  return joined(shared(known, words), known.line)
}

const BEFORE = 24
const before = /(?:us)?(?<money>[$€£¥₹₽₩])$|(?<![a-z])(?<code>usd|eur|gbp|chf|rmb|jpy|inr) ?$/
const between =
  /^(?: ?[-‑']| -)?(?: ?(?:us|u\.s\.|american|amerikanische|de|di|d'|of|von)(?: |-|(?<=')))? ?/u
const minusSign = new RegExp(`(?:^|[\\s(${dense}])-$`, 'u')
const denseLetter = new RegExp(`^[${dense}]`, 'u')
const clauseEnd = /[.,;:!?…。、，；！？،؛؟\n]/u

/** Adds what each number counts, its sign, its direction, and whether it is denied. */
function measured({ atoms, places, line }: Line, words: NumberWords): Line {
  const ways = waysIn({ atoms, places, line }, words)
  const ends = Array.from(line.matchAll(words.between), (end) => end.index)
  let clause = 0
  const made = atoms.map((atom, index) => {
    if (!atom) return null
    const at = places[index] ?? 0
    while ((ends[clause] ?? Infinity) < at) clause += 1
    const ahead = line.slice(Math.max(0, at - BEFORE), at)
    const { money, code } = before.exec(ahead)?.groups ?? {}
    const own = money ?? code
    const bare = own === undefined ? ahead : ahead.replace(before, '')
    const after = atom.measure || own !== undefined ? null : measureAfter(line, at + 1)
    const measure = atom.measure ?? (own === undefined ? (after?.measure ?? null) : measureOf(own))
    const isMinus = minusSign.test(bare) && !/#\s-$/.test(bare)
    words.notAfter.lastIndex = after?.end ?? at + 1
    const isOfMonth = /^ ?[月월]/u.test(line.slice(at + 1, at + 3))
    const [value = 0] = atom.readings
    const known = atom.weight === 'small' && measure ? 'word' : atom.weight
    // A translation may name the month instead.
    const weight = isOfMonth && value <= LARGEST_SMALL ? 'loose' : known
    return {
      ...atom,
      measure,
      weight: weight === 'loose' && measure?.id === 'percent' ? 'word' : weight,
      isNegative: isMinus || words.minus.test(bare),
      isDenied: words.not.test(bare) || words.notAfter.test(line),
      isMovable: words.monthBefore.test(ahead) || words.movable.test(line.slice(at + 1, at + 25)),
      clause,
      direction: ways[index] ?? null,
    }
  })
  return { atoms: made, places, line }
}

function measureAfter(line: string, at: number): { measure: Measure; end: number } | null {
  const rest = line.slice(at, at + 40)
  const [gap = ''] = between.exec(rest) ?? []
  for (const skip of new Set([gap.length, rest.startsWith(' ') ? 1 : 0])) {
    const next = rest.slice(skip)
    const [degree] = /^°[cf]?(?!\p{L})/u.exec(next) ?? []
    const isDense = denseLetter.test(next)
    const [word = ''] = /^(?:us\$|[%$€£¥₹₽₩℃℉]|[\p{L}\p{M}µ]+)/u.exec(next) ?? []
    if (isDense) {
      const { measure, length } = measureAtStart(next) ?? {}
      if (measure) return { measure, end: at + skip + (length ?? 0) }
      continue
    }
    const measure = measureOf(degree ?? word)
    if (!measure) continue
    const end = at + skip + (degree ?? word).length
    const [, scale = ''] = /^ (celsius|fahrenheit)/.exec(line.slice(end, end + 12)) ?? []
    return { measure: (measure.id === 'degree' ? measureOf(scale) : null) ?? measure, end }
  }
  return null
}

/** For each number whether its clause says that something rose or fell; null where it says both. */
function waysIn({ atoms, places, line }: Line, words: NumberWords): Value['direction'][] {
  const ways: Value['direction'][] = atoms.map(() => null)
  let from = 0
  let index = 0
  for (const clause of line.split(clauseEnd)) {
    const to = from + clause.length
    while (index < places.length && (places[index] ?? 0) < from) index += 1
    if (index < places.length && (places[index] ?? 0) < to) {
      const [isUp, isDown] = [words.up.test(clause), words.down.test(clause)]
      const way = isUp === isDown ? null : isUp ? 'up' : 'down'
      for (; index < places.length && (places[index] ?? 0) < to; index += 1) ways[index] = way
    }
    from = to + 1
  }
  return ways
}

/** The largest power of the base that is not above the value: 1,000 for 5,000, 1,000,000 for 5,000,000. */
function stepOf(value: number, base: number): number {
  let power = 1
  while (value >= power * base) power *= base
  return power
}

const range =
  /^ ?(?:[-–—~〜～]|to|or|and|bis|oder|und|a|ou|et|hasta|o|y|e|fino a|ate|tot|of|en|до|или|и|или|الى|او|到|至|或|から|か|에서|부터)? ?$/u

/** In "5 to 10 percent" the 5 is percent too, and in "3 to 5 million" the 3 may be millions. */
function shared({ atoms, places, line }: Line, words: NumberWords): Line {
  const made = [...atoms]
  for (let index = atoms.length - 2; index >= 0; index -= 1) {
    const [one, next] = [made[index], made[index + 1]]
    const apart = line.slice((places[index] ?? 0) + 1, places[index + 1])
    if (!one || !next || one.kind !== 'number' || apart.length > 12) continue
    if (apart.trim() === '' || !range.test(apart)) continue
    const [small = 0] = one.readings
    const [large = 0] = next.readings
    const isScaled = one.measure === null && next.literal === null && small < 1_000 && small < large
    const power = isScaled ? stepOf(large, words.isUnspaced ? 10_000 : 1_000) : 1
    made[index] = {
      ...one,
      measure: one.measure ?? next.measure,
      readings: [...one.readings, ...(power > 1 ? [exactly(small * power)] : [])],
    }
  }
  return { atoms: made, places, line }
}

/** Two numbers beside each other may be one: a year in halves, an hour with its minutes. */
function joined({ atoms, places }: Line, line: string): Value[] {
  const made: Value[] = []
  for (let index = 0; index < atoms.length; index += 1) {
    const atom = atoms[index]
    if (!atom) continue
    if (atom.readings.length === 0 && atom.kind === 'number') {
      made.push(...atom.parts)
      continue
    }
    const run = [atom]
    while (run.length < MOST_GROUPS) {
      const next = atoms[index + run.length]
      const from = places[index + run.length - 1] ?? 0
      const apart = line.slice(from + 1, places[index + run.length])
      if (!next || !/^[ -]$/.test(apart) || !isDigit(next) || !isDigit(atom)) break
      run.push(next)
    }
    if (run.length >= FEWEST_IN_ROW) {
      const digits = run.map(({ readings: [digit = 0] }) => String(digit)).join('')
      made.push({
        ...atom,
        kind: 'digits',
        readings: [Number(digits)],
        digits,
        parts: run,
        weight: 'word',
      })
      index += run.length - 1
      continue
    }
    const next = atoms[index + 1]
    const apart = line.slice((places[index] ?? 0) + 1, places[index + 1])
    const both = next && (/^[ -]$/.test(apart) ? pairOf(atom, next) : priceOf(atom, next, apart))
    made.push(both ?? withClock(atom))
    if (both) index += 1
  }
  return made
}

const isDigit = (atom: Atom): boolean =>
  atom.kind === 'number' &&
  atom.measure === null &&
  atom.weight !== 'figure' &&
  atom.minutes.length === 0 &&
  Number.isInteger(atom.readings[0]) &&
  (atom.readings[0] ?? 10) < 10

/** "3 Euro 50" */
function priceOf(one: Atom, next: Atom, apart: string): Value | null {
  const [whole = NaN] = one.readings
  const isPrice = one.measure?.of === 'money' && /^ ?[\p{L}$€£]+ $/u.test(apart)
  if (!isPrice || !/^\d\d$/.test(next.literal ?? '') || next.measure !== null) return null
  const readings = [exactly(whole + Number(next.literal) / 100)]
  return { ...one, readings, to: next.to, parts: [one, next] }
}

function pairOf(one: Atom, next: Atom): Value | null {
  const [first = 0] = one.readings
  const [second = 0] = next.readings
  const isPlain = [one, next].every(
    ({ kind, measure, readings }) =>
      kind === 'number' &&
      measure === null &&
      readings.length === 1 &&
      Number.isInteger(readings[0]),
  )
  if (!isPlain || (one.weight === 'figure') !== (next.weight === 'figure')) return null
  const isTime = first >= 1 && first <= 24 && second >= 10 && second < 60
  const isInHalves = second >= 10 && second < 100 && one.weight !== 'figure' && first < 100
  if (!isTime && !isInHalves) return null
  return {
    ...one,
    readings: isInHalves ? [first * 100 + second] : [],
    minutes: isTime ? minutesOf(first, second) : [],
    weight: one.weight === 'figure' ? 'figure' : 'word',
    to: next.to,
    parts: [one, next],
  }
}

/** "10.45" may be a time of day. */
function withClock(atom: Atom): Value {
  const [, hour, minute] = /^(\d{1,2})\.(\d\d)$/.exec(atom.literal ?? '') ?? []
  const isTime = hour && minute && isHour(Number(hour)) && isMinute(Number(minute))
  return isTime ? { ...atom, minutes: minutesOf(Number(hour), Number(minute)) } : atom
}
