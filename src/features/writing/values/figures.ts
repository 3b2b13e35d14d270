/** Numbers in figures: grouped, with decimals, and those of clocks, dates and telephones. */
import type { NumberWords } from './number-words.ts'
import {
  type Atom,
  type Found,
  LONGEST_NUMBER,
  type Token,
  type Weight,
  isMinute,
  minutesOf,
  plainAtom,
} from './value.ts'

const narrow = /^[\u00a0\u2009\u202f ]$/u
/** The most groups that are read as one figure. */
export const MOST_GROUPS = 12
const FEWEST_OF_TELEPHONE = 7

interface Group {
  text: string
  /** The sign between it and the group before. */
  sign: string
  /** The token after it. */
  next: number
}

/** Groups of digits with a single sign between each two of them. */
function groupsAt(tokens: readonly Token[], at: number): Group[] {
  const groups: Group[] = [{ text: tokens[at]?.text ?? '', sign: '', next: at + 1 }]
  for (let next = at + 1; groups.length < MOST_GROUPS;) {
    // "(0171) 555"
    const isClosed = tokens[next]?.text === ')' && tokens[next + 1]?.text === ' '
    const sign = isClosed ? tokens[next + 1] : tokens[next]
    const digits = tokens[next + (isClosed ? 2 : 1)]
    if (!sign || digits?.kind !== 'digits' || !/^[.,:'/ -]$/.test(sign.text)) break
    if (sign.kind === 'gap' && digits.from - sign.from !== 1) break
    next += isClosed ? 3 : 2
    groups.push({ text: digits.text, sign: sign.text, next })
  }
  return groups
}

export function figureAt(tokens: readonly Token[], at: number, words: NumberWords): Found {
  const groups = groupsAt(tokens, at)
  const from = tokens[at]?.from ?? 0
  return (
    clockOf(groups, from) ??
    dateOf(groups, { from, isEnded: tokens[groups[1]?.next ?? 0]?.text === '.' }, words) ??
    telephoneOf(groups, { from, isCalled: tokens[at - 1]?.text === '+' }) ??
    numberOf(groups, from, words)
  )
}

/** "10:30", and "1:02:03" as well. */
function clockOf([first, second, third]: readonly Group[], from: number): Found | null {
  if (!first || second?.sign !== ':' || second.text.length !== 2) return null
  if (!isMinute(Number(second.text))) return null
  const seconds = third?.sign === ':' && third.text.length === 2 ? Number(third.text) / 60 : 0
  const [hour, minute] = [Number(first.text), Number(second.text) + seconds]
  const isSure = first.text.startsWith('0') || seconds > 0
  const minutes = isSure ? [hour * 60 + minute] : minutesOf(hour, minute)
  const next = (seconds > 0 ? third : second)?.next ?? second.next
  return { atom: { ...plainAtom, kind: 'time', minutes, from }, next }
}

const isDay = (text: string): boolean => text.length <= 2 && Number(text) >= 1 && Number(text) <= 31
const isMonth = (text: string): boolean =>
  text.length <= 2 && Number(text) >= 1 && Number(text) <= 12
const isYear = (text: string): boolean => /^(?:1\d|20)\d\d$/.test(text)

/** A date in figures is a day, a month and a year. The month is `loose`: the translation may name it. */
function dateOf(
  [first, second, third]: readonly Group[],
  { from, isEnded }: { from: number; isEnded: boolean },
  words: NumberWords,
): Found | null {
  if (!first || !second || !/^[./-]$/.test(second.sign)) return null
  const number = (value: number, weight: Weight = 'figure') => ({
    ...plainAtom,
    readings: [value],
    weight,
    isMovable: true,
    from,
  })
  const made = (day: string, month: string, year: number[], next: number): Found => {
    const isEither = isMonth(day) && second.sign !== '.' && year.length > 0
    const both = [Number(day), Number(month)]
    const parts = [
      { ...number(both[0] ?? 0), readings: isEither ? both : both.slice(0, 1) },
      { ...number(both[1] ?? 0, 'loose'), readings: isEither ? both : both.slice(1) },
      ...year.map((value) => ({ ...number(value), readings: [value, value % 100] })),
    ]
    return { atom: { ...plainAtom, parts, from }, next }
  }
  if (third?.sign === second.sign) {
    if (isYear(first.text) && isMonth(second.text) && isDay(third.text))
      return made(third.text, second.text, [Number(first.text)], third.next)
    const isShort = third.text.length === 2 && second.sign !== '-'
    if (!isYear(third.text) && !isShort) return null
    const year = Number(third.text) + (isShort ? 2000 : 0)
    const isAmerican = second.sign === '/' && isMonth(first.text) && isDay(second.text)
    if (isAmerican && !isMonth(second.text))
      return made(second.text, first.text, [year], third.next)
    return isDay(first.text) && isMonth(second.text)
      ? made(first.text, second.text, [year], third.next)
      : null
  }
  const isShort = isEnded && words.hasDecimalComma && second.sign === '.'
  return isShort && isDay(first.text) && isMonth(second.text)
    ? made(first.text, second.text, [], second.next)
    : null
}

function telephoneOf(
  groups: readonly Group[],
  { from, isCalled }: { from: number; isCalled: boolean },
): Found | null {
  const [first] = groups
  if (!first) return null
  const all = groups.findIndex(({ sign }, at) => at > 0 && !/^[ /.-]$/.test(sign))
  const run = all === -1 ? groups : groups.slice(0, all)
  const digits = run.map(({ text }) => text).join('')
  const isNumbered = isCalled || /^0\d/.test(first.text)
  const isGrouped =
    run.every(({ sign }, at) => at === 0 || sign !== '.') &&
    (run.length > 2 || (run.length === 2 && run[1]?.sign === '-')) &&
    !run.slice(1).every(({ text, sign }) => text.length === 3 && sign === ' ') &&
    !run.every(({ text }) => isYear(text)) &&
    new Set(run.slice(1).map(({ sign }) => sign)).size === 1
  const isOne = run.length === 1 && (digits.length > LONGEST_NUMBER || isNumbered)
  if (digits.length < FEWEST_OF_TELEPHONE || !(isNumbered || isGrouped || isOne)) return null
  const parts =
    run.length === 1
      ? []
      : run.map(({ text }) => ({ ...plainAtom, readings: [Number(text)], literal: text, from }))
  return {
    atom: { ...plainAtom, kind: 'digits', digits, parts, from },
    next: run.at(-1)?.next ?? first.next,
  }
}

/** How many of the first groups make one number, parted at its thousands. */
function thousandsIn(groups: readonly Group[], words: NumberWords): number {
  const [first, second] = groups
  if (!first || !second || first.text.length > 3 || first.text.startsWith('0')) return 1
  const { sign } = second
  const isSpaced = narrow.test(sign)
  if (isSpaced && !words.hasDecimalComma && sign === ' ') return 1
  if (!isSpaced && !/^[.,']$/.test(sign)) return 1
  let count = 1
  while (groups[count]?.sign === sign && groups[count]?.text.length === 3) count += 1
  if (count > 1) return count
  // 1,20,000 as it is written in India.
  while (groups[count]?.sign === ',' && groups[count]?.text.length === 2) count += 1
  const isIndian = count > 1 && groups[count]?.sign === ',' && groups[count]?.text.length === 3
  return isIndian && first.text.length <= 2 ? count + 1 : 1
}

function numberOf(groups: readonly Group[], from: number, words: NumberWords): Found {
  const count = thousandsIn(groups, words)
  const [first, second] = groups
  const whole = groups.slice(0, count)
  const digits = whole.map(({ text }) => text).join('')
  const next = whole.at(-1)?.next ?? 0
  const made = (literal: string, end: number, more: Partial<Atom> = {}): Found => ({
    atom: { ...plainAtom, readings: [Number(literal)], literal, from, ...more },
    next: end,
  })
  const after = groups[count]
  if (!first) return made('0', next)
  const own = words.hasDecimalComma ? ',' : '.'
  if (count > 1 && second) {
    const isPoint = after !== undefined && /^[.,]$/.test(after.sign) && after.sign !== second.sign
    if (isPoint) return made(`${digits}.${after.text}`, after.next)
    // Nobody writes a number whose last groups do not match its first: "2,200,12".
    if (after && after.sign === second.sign && /^[.,]$/.test(second.sign))
      return oddly(groups, from)
    const isEither = count === 2 && second.sign === own && second.text !== '000'
    if (isEither) return made(`${first.text}.${second.text}`, next, { doubtful: [Number(digits)] })
    const parts =
      second.sign === ' '
        ? whole.map(({ text }) => ({ ...plainAtom, readings: [Number(text)], from }))
        : []
    return made(digits, next, { parts })
  }
  if (!second || !/^[.,]$/.test(second.sign)) return made(first.text, next)
  // Three or more groups that do not form thousands are a list or a version, and not a number.
  if (groups[2]?.sign === second.sign) return oddly(groups, from)
  return made(`${first.text}.${second.text}`, second.next)
}

/** "1.2.3": a version, an IP address, or a mistake. In a translation all of its digits must be the same. */
function oddly(groups: readonly Group[], from: number): Found {
  const sign = groups[1]?.sign
  const all = groups.findIndex((group, at) => at > 0 && group.sign !== sign)
  const run = all === -1 ? groups : groups.slice(0, all)
  const digits = run.map(({ text, sign: before }) => before + text).join('')
  // A list without spaces: "15,20,25".
  const parts =
    sign === ',' ? run.map(({ text }) => ({ ...plainAtom, readings: [Number(text)], from })) : []
  return {
    atom: { ...plainAtom, kind: 'digits', digits, parts, from },
    next: run.at(-1)?.next ?? 0,
  }
}
