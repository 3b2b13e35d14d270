/**
 * Whether two texts say the same values (values.ts): `same`, `different`, or `unsure` where that cannot
 * be decided. A value that was converted, or said in words that are no number, may still be right.
 */
import type { Measure } from './number-words.ts'
import type { Value } from './value.ts'

export type Sameness = 'same' | 'different' | 'unsure'

const n = (value: number): string => `n${value}`

/** Two values are compared when they share a key. A reading by another country's custom is weak proof. */
function keysOf(value: Value): string[] {
  const { readings, minutes, digits, measure } = value
  const keys = readings.flatMap((reading) => [
    n(reading),
    // The 1990s are the nineties.
    ...(reading >= 1_900 && reading < 2_100 && reading % 10 === 0 ? [n(reading % 100)] : []),
    ...(measure?.id === 'percent' ? [n(Number((reading / 100).toPrecision(15)))] : []),
    ...(reading >= 1e6 && Number.isSafeInteger(reading) ? [`d${reading}`] : []),
  ])
  for (const at of minutes) {
    keys.push(`t${at}`)
    const hour = at / 60
    if (Number.isInteger(hour)) keys.push(n(hour), ...(hour >= 12 ? [n(hour - 12 || 12)] : []))
    if (hour === 0) keys.push(n(12), n(24))
  }
  if (digits !== null) keys.push(`d${digits}`)
  return keys
}

const doubtfulKeys = ({ doubtful }: Value): string[] => doubtful.map(n)

const isShare = (measure: Measure | null): boolean => measure?.id === 'percent'

function sameMeasure(said: Value, text: Value): Sameness {
  const [one, other] = [said.measure, text.measure]
  if (one?.id === other?.id) return 'same'
  if (!one || !other) {
    const isEqual = said.readings.some((reading) => text.readings.includes(reading))
    if (!isEqual) return 'same'
    if (isShare(other)) return 'different'
    if (isShare(one)) return 'unsure'
    const timed = one ? text : said
    return timed.kind === 'time' && (one ?? other)?.of !== 'time' ? 'different' : 'same'
  }
  const ids = [one.id, other.id]
  // "Pounds" may be money, and degrees of either kind are degrees.
  if (ids.includes('pound')) return ids.includes('gbp') ? 'same' : 'different'
  return ids.includes('degree') && one.of === other.of ? 'same' : 'different'
}

function sameSign(said: Value, text: Value): Sameness {
  const ways = [said.direction, text.direction]
  if (said.isNegative !== text.isNegative) {
    const positive = said.isNegative ? text : said
    // "Minus five percent" is a fall by five.
    return positive.direction === 'down' ? 'same' : 'different'
  }
  return ways.includes('up') && ways.includes('down') ? 'different' : 'same'
}

/** Of two values with a key in common. */
function sameness(said: Value, text: Value, isDoubtful: boolean): Sameness {
  const isTime = said.kind === 'time' && text.kind === 'time'
  if (isTime && !said.minutes.some((minute) => text.minutes.includes(minute))) return 'different'
  const all = [sameMeasure(said, text), sameSign(said, text)]
  if (all.includes('different')) return 'different'
  return isDoubtful || all.includes('unsure') ? 'unsure' : 'same'
}

/** Values by their keys. */
class Index {
  #values = new Map<string, { value: Value; isDoubtful: boolean }[]>()

  constructor(values: readonly Value[], most = Infinity) {
    for (const value of values)
      for (const [keys, isDoubtful] of [
        [keysOf(value), false],
        [doubtfulKeys(value), true],
      ] as const)
        for (const key of new Set(keys)) {
          const there = this.#values.get(key)
          if (!there) this.#values.set(key, [{ value, isDoubtful }])
          else if (there.length < most && !there.some((one) => isLike(one.value, value)))
            there.push({ value, isDoubtful })
          else if (most === Infinity) there.push({ value, isDoubtful })
        }
  }

  /** The value that agrees best with this one, and how well. */
  find(value: Value, isFree: (other: Value) => boolean, isSaid: boolean) {
    let best: { value: Value; sameness: Sameness } | null = null
    for (const [keys, isDoubtful] of [
      [keysOf(value), false],
      [doubtfulKeys(value), true],
    ] as const)
      for (const key of keys)
        for (const other of this.#values.get(key) ?? []) {
          if (!isFree(other.value)) continue
          const [said, text] = isSaid ? [value, other.value] : [other.value, value]
          const how = sameness(said, text, isDoubtful || other.isDoubtful)
          if (!best || rank[how] > rank[best.sameness]) best = { value: other.value, sameness: how }
          if (how === 'same') return best
        }
    return best
  }
}

const rank = { same: 2, unsure: 1, different: 0 }

const isLike = (one: Value, other: Value): boolean =>
  one.kind === other.kind &&
  one.measure?.id === other.measure?.id &&
  one.isNegative === other.isNegative &&
  one.direction === other.direction

/** How near a converted value must be: "5 miles" are "8 km", and two weeks are "quinze jours". */
const NEAR = 0.08

function isConverted(one: Value, other: Value): boolean {
  const [a = NaN] = one.readings
  const [b = NaN] = other.readings
  const [from, into] = [one.measure, other.measure]
  if (!from || !into || from.id === into.id || from.of !== into.of) return false
  if (from.of === 'degree') {
    const isFahrenheit = (measure: Measure, value: number) =>
      measure.id === 'fahrenheit' ? (value - 32) / 1.8 : value
    return Math.abs(isFahrenheit(from, a) - isFahrenheit(into, b)) <= 1
  }
  if (from.by === null || into.by === null) return false
  const [x, y] = [a * from.by, b * into.by]
  return Math.abs(x - y) <= NEAR * Math.max(x, y)
}

/** Numbers that people say without counting: "a hundred percent", "quinze jours", "twenty-four seven". */
const sayings = new Set([14, 15, 24, 100, 1_000, 1_000_000])
const MOST_LEFT = 40

interface Read {
  /** Whether the numbers of its language are understood in words too. */
  isRead: boolean
}

/**
 * Whether a translation has the values of the original: each of them, no other, and as often.
 *
 * A value that is missing, with no other in its place, may be said in other words, unless it was
 * written in figures. A new value was not said. Where two values of one measure have changed places,
 * nobody can tell which language is right: that is `unsure`.
 */
export function compareValues(
  said: { values: readonly Value[] } & Read,
  text: { values: readonly Value[] } & Read,
): Sameness {
  const pairs: Pair[] = []
  const match = (from: readonly Value[], into: readonly Value[]): [Value[], Value[]] => {
    const index = new Index(into)
    const taken = new Set<Value>()
    const left = from.filter((value) => {
      const found = index.find(value, (other) => !taken.has(other), true)
      if (!found) return true
      taken.add(found.value)
      pairs.push({ said: value, text: found.value, sameness: found.sameness })
      return false
    })
    return [left, into.filter((value) => !taken.has(value))]
  }
  const split = (values: readonly Value[]) =>
    values.flatMap((value) =>
      // "Ten past five" is "cinco y diez".
      value.parts.length > 0 ? value.parts.map((part) => ({ ...part, isMovable: true })) : [value],
    )
  let [missing, added] = match(said.values, text.values)
  if ([...missing, ...added].some(({ parts }) => parts.length > 0))
    [missing, added] = match(split(missing), split(added))
  if (missing.length > MOST_LEFT || added.length > MOST_LEFT) return 'different'

  const outcomes = new Set(pairs.map((pair) => pair.sameness))
  const isDenied = (one: 'said' | 'text', other: 'said' | 'text') =>
    pairs.some((pair) => pair[one].isDenied && !pair[other].isDenied)
  // "50, not 15" and "15, nicht 50" have the same numbers.
  if (isDenied('said', 'text') && isDenied('text', 'said')) return 'different'
  if (isDenied('text', 'said')) outcomes.add('unsure')
  if (isReordered(pairs, [...missing, ...added])) outcomes.add('unsure')

  // A value that is said twice may be written once.
  const again = (value: Value, isSaid: boolean): boolean =>
    new Index(pairs.map((pair) => (isSaid ? pair.text : pair.said))).find(value, () => true, isSaid)
      ?.sameness === 'same'
  const once = (values: readonly Value[], isSaid: boolean): Value[] =>
    values.filter((value) => {
      if (!again(value, isSaid)) return true
      if (value.weight === 'figure' || value.weight === 'word') outcomes.add('unsure')
      return false
    })
  ;[missing, added] = [once(missing, true), once(added, false)]

  const isUnderstood = said.isRead && text.isRead
  const near = missing.flatMap((one) => {
    const other = added.find(
      (value) => isConverted(one, value) || (!isUnderstood && isOtherPower(one, value)),
    )
    return other ? [one, other] : []
  })
  if (near.length > 0) outcomes.add('unsure')
  const counts = (values: readonly Value[], weights: readonly Value['weight'][]): Value[] =>
    values.filter((value) => !near.includes(value) && weights.includes(value.weight))
  const lost = counts(missing, ['figure', 'word', 'small'])
  const made = counts(added, ['figure', 'word', 'small'])
  outcomes.add(leftOver(lost, made, { said, text }))
  if (outcomes.has('different')) return 'different'
  return outcomes.has('unsure') ? 'unsure' : 'same'
}

interface Pair {
  said: Value
  text: Value
  sameness: Sameness
}

const isEqual = (one: Value, other: Value): boolean =>
  one.digits === other.digits &&
  (one.readings.some((reading) => other.readings.includes(reading)) ||
    one.minutes.some((minute) => other.minutes.includes(minute)))

/** Years move among other numbers: Japanese has them first. */
const isYear = ({ measure, readings: [value = 0] }: Value): boolean =>
  !measure && value >= 1_900 && value < 2_100

/** Values are compared by order only with those of the same measure and kind. */
const sortOf = ({ said, text }: Pair): string =>
  [said, text].map((one) => [one.kind, one.measure?.id, isYear(one)].join()).join()

/**
 * Whether a value seldom moves within a clause. Counts and durations do: "300 units to 12 customers" has
 * the customers first in Japanese. They keep their order only in a list.
 */
const keepsPlace = (value: Value): boolean =>
  value.kind === 'time' || isYear(value) || (value.measure !== null && value.measure.of !== 'time')

/** Whether two values have changed places: "3 nurses and 2 doctors" for "2 nurses and 3 doctors". */
function isReordered(pairs: readonly Pair[], left: readonly Value[]): boolean {
  const fixed = pairs.filter(({ said, text }) => {
    if (said.isMovable || text.isMovable) return false
    if (said.weight === 'loose' || text.weight === 'loose') return false
    // "15 is wrong, 50 is right" may begin with either.
    if (said.isDenied && text.isDenied) return false
    // Where a value is said again, it cannot be known which one is left out.
    return !left.some((one) => isEqual(one, said))
  })
  return [...Map.groupBy(fixed, sortOf).values()].some((alike) =>
    alike.some(({ said, text }) =>
      alike.some(
        (other) =>
          said.from < other.said.from &&
          text.from > other.text.from &&
          !isEqual(said, other.said) &&
          !isEqual(text, other.text) &&
          ((keepsPlace(said) && keepsPlace(text)) ||
            (said.clause !== other.said.clause && text.clause !== other.text.clause)),
      ),
    ),
  )
}

/** Whether one may be the other with a power that is not understood, as in "5 miljoonaa". */
const isOtherPower = (one: Value, other: Value): boolean =>
  one.readings.some((a) =>
    other.readings.some(
      (b) => a > 0 && b > 0 && /^10{2,12}$/.test(String(Math.max(a, b) / Math.min(a, b))),
    ),
  )

function leftOver(
  lost: readonly Value[],
  made: readonly Value[],
  { said, text }: { said: Read; text: Read },
): Sameness {
  if (lost.length === 0 && made.length === 0) return 'same'
  if (lost.length > 0 && made.length > 0) return 'different'
  if (lost.some(({ weight }) => weight === 'figure')) return text.isRead ? 'different' : 'unsure'
  const isNew = ({ weight, readings: [value = 0] }: Value): boolean =>
    weight === 'figure' || (weight === 'word' && !sayings.has(value))
  return said.isRead && made.some(isNew) ? 'different' : 'unsure'
}

/** A transcript, to look values up in. */
export class SaidValues {
  #index: Index
  /** Values by what they measure. */
  #measured = new Map<string, Value[]>()

  constructor(values: readonly Value[]) {
    // The parts of a time of day prove nothing; those of what may be two numbers do.
    const parts = values.flatMap(({ kind, parts: each }) => (kind === 'time' ? [] : each))
    this.#index = new Index([...values, ...parts], MOST_ALIKE)
    for (const value of values) {
      if (!value.measure) continue
      const there = this.#measured.get(value.measure.of) ?? []
      if (there.length < MOST_ALIKE) this.#measured.set(value.measure.of, [...there, value])
    }
  }

  /** `different` where the value was not said, or was said of something else. */
  has(value: Value): Sameness {
    const found = this.#index.find(value, () => true, false)
    if (found?.sameness === 'same') return 'same'
    const parts = value.parts.map((part) => this.has(part))
    if (parts.length > 0 && parts.every((one) => one === 'same')) return 'same'
    const alike = this.#measured.get(value.measure?.of ?? '') ?? []
    if (alike.some((one) => isConverted(one, value))) return 'unsure'
    return found?.sameness ?? 'different'
  }
}

/** The most values kept under one key. They differ in what they count, their sign or their direction. */
const MOST_ALIKE = 40
