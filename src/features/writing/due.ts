/**
 * By when something is to be done: the words for it, and the day that they mean. The day is worked
 * out only where everybody would work out the same one. "Next Friday" is one of two days, "3/4" is
 * in March or in April, and a Friday that is said on a Friday may be today: these have no day.
 *
 * A library finds the days in a sentence, and takes a part of a phrase for the whole: "a week from
 * Friday" is Friday to it, and so is "the Friday after next". So the words before and behind it
 * are read here too. Those of each language are in `days` of languages.yaml. Words
 * around a day that say another one are kept with it as they were said, and there is no day; a day
 * of something else, as in "the Monday report", is none at all.
 *
 * Days count from the day on which the recording was made where its owner was then.
 */
import * as de from 'chrono-node/de'
import * as en from 'chrono-node/en'
import * as es from 'chrono-node/es'
import * as fr from 'chrono-node/fr'
import * as it from 'chrono-node/it'
import * as ja from 'chrono-node/ja'
import * as nl from 'chrono-node/nl'
import * as pt from 'chrono-node/pt'
import * as ru from 'chrono-node/ru'
import * as zh from 'chrono-node/zh'

import { type Language, languageOf } from './languages.ts'
import { fold } from './proof.ts'

const readers: Partial<Record<string, Pick<typeof en, 'parse'>>> = {
  de,
  en,
  es,
  fr,
  it,
  ja,
  nl,
  pt,
  ru,
  zh,
}
type Parsed = ReturnType<typeof en.parse>[number]

/** The language of the words, and the day of the recording where its owner was, as YYYY-MM-DD. */
interface Said {
  language: string
  recordedOn: string | undefined
}

/** A day in a sentence, with all that is said of it. */
interface Found {
  index: number
  end: number
  due: string
  dueDate: string | null
  isDeadline: boolean
  /** Whether other words make it another day, several or none. */
  isMoved: boolean
}

const LONGEST = 60
const DAY_MS = 86_400_000
/** A day without a year that lies nearly a year ahead is more likely one that has just been. */
const FARTHEST_DAYS = 330

/**
 * The day that these words mean, as YYYY-MM-DD; null where that is not sure. They were said in a
 * text, and what stands beside them there counts too.
 */
export function dayOf(
  due: string,
  { within = due, ...said }: Said & { within?: string },
): string | null {
  const words = fold(due).letters
  const { letters, places } = fold(within)
  const days = new Set<string | null>()
  let count = 0
  if (words !== '')
    for (let at = letters.indexOf(words); at !== -1; at = letters.indexOf(words, at + 1)) {
      count += 1
      if (count > MOST_SAID || days.size > 1) return null
      const [start = 0, last = 0] = [places[at], places[at + words.length - 1]]
      const day = dayAt(within, { start, end: last + 1 }, said)
      if (day !== undefined) days.add(day)
    }
  // Said twice, they may mean two days.
  const [day = null, ...others] = days
  return others.length === 0 ? day : null
}

/**
 * The most days that are looked at. Each takes a few milliseconds, and where so many are named, none
 * is sure.
 */
const MOST_SAID = 10

/** Undefined where these words are no day: "mañana" can also be "morning". */
function dayAt(within: string, at: { start: number; end: number }, said: Said) {
  const { from, text } = sentenceAround(within, at.start, at.end)
  const found = daysIn(text, said).filter(
    ({ index, end }) => index < at.end - from && end > at.start - from,
  )
  const [one, ...others] = found
  return one && (others.length === 0 ? one.dueDate : null)
}

/** How far from a day other words are read. */
const FARTHEST = 400

function sentenceAround(whole: string, begin: number, stop: number) {
  // A sentence without a full stop may be an hour long.
  const cut = Math.max(0, begin - FARTHEST)
  const text = whole.slice(cut, stop + FARTHEST)
  const [start, end] = [begin - cut, stop - cut]
  const ends = /[.!?]\s+(?=\p{Lu})|[。！？\n]/gu
  let from = 0
  for (const { index, 0: mark } of text.matchAll(ends)) {
    if (index >= end) return { from: from + cut, text: text.slice(from, index + 1) }
    if (index + mark.length <= start) from = index + mark.length
  }
  return { from: from + cut, text: text.slice(from) }
}

/** Whether these words stand in a text. */
export const isSaidIn = (due: string, text: string): boolean =>
  fold(text).letters.includes(fold(due).letters)

/** The first day by which something is to be done in a sentence, as it was said. */
export function dueIn(
  sentence: string,
  said: Said,
): { due: string; dueDate: string | null } | null {
  const all = daysIn(sentence, said).filter(({ due }) => due.length <= LONGEST)
  const first = all.find(({ isDeadline }) => isDeadline)
  // Without a word for a deadline, it may be a day in the past: "what we made last week".
  const { due, dueDate } = first ?? all.find((one) => one.dueDate !== null || one.isMoved) ?? {}
  return due === undefined ? null : { due, dueDate: dueDate ?? null }
}

/** The days of a month that a text names, each as `5-14`, with its place. */
export function daysOfMonthIn(
  text: string,
  language: string,
): { day: string; from: number; to: number }[] {
  const parsed = readers[language]?.parse(text, { instant: new Date(0), timezone: 0 }) ?? []
  return parsed.flatMap(({ start, index, text: { length } }) =>
    // "14 days ago" names no month.
    start.isCertain('day') && start.isCertain('month') && !start.tags().has('result/relativeDate')
      ? [{ day: `${start.get('month')}-${start.get('day')}`, from: index, to: index + length }]
      : [],
  )
}

/** Days in a sentence by which something can be done, and not mere times of a day. */
function daysIn(sentence: string, said: Said): Found[] {
  const language = languageOf(said.language)
  const today = said.recordedOn === undefined ? null : dayNumber(said.recordedOn)
  // At noon "tomorrow" is the next day in every time zone. Where today is not known, any day will do:
  // no date is given then.
  const instant = new Date((today ?? 0) * DAY_MS + DAY_MS / 2)
  const parsed =
    readers[said.language]?.parse(sentence, { instant, timezone: 0 }, { forwardDate: true }) ?? []
  const words = parsed.filter(({ start }) =>
    (['day', 'weekday', 'month'] as const).some((part) => start.isCertain(part)),
  )
  const found = joined(words, sentence).flatMap((one) => {
    const read = readIn(sentence, one, language, today)
    return read ? [read] : []
  })
  // "A week" is a part of "a week from Friday".
  return found.filter(
    (one) =>
      !found.some(
        (other) =>
          other !== one &&
          other.index <= one.index &&
          other.end >= one.end &&
          other.end - other.index > one.end - one.index,
      ),
  )
}

/** The days that the library has found. "Friday" and "the 4th of December" are put together. */
interface Words {
  index: number
  text: string
  start: Parsed['start']
  isRange: boolean
  /** The day of the week that is named beside a date. */
  weekday: number | null
}

/** The words that may stand between "Friday" and "the 4th of December". */
const datedGap = /^,?\s+(?:\p{L}{2,3}\s+)?$/u

function joined(all: readonly Parsed[], sentence: string): Words[] {
  const words: Words[] = []
  for (const { index, text, start, end } of all) {
    const weekday = start.isCertain('weekday') ? start.get('weekday') : null
    const before = words.at(-1)
    const gap = before ? sentence.slice(before.index + before.text.length, index) : ''
    const isDated = start.isCertain('day') && start.isCertain('month') && /\d/.test(text)
    if (before && isDated && isNameAlone(before.start) && datedGap.test(gap)) {
      before.text = sentence.slice(before.index, index + text.length)
      before.start = start
      before.isRange ||= Boolean(end)
    } else words.push({ index, text, start, isRange: Boolean(end), weekday })
  }
  return words
}

const isNameAlone = (start: Parsed['start']): boolean =>
  start.isCertain('weekday') && !start.isCertain('day')

/** The deadline that a day makes; null where it is no day, or the day of something else. */
function readIn(
  sentence: string,
  words: Words,
  language: Language,
  today: number | null,
): Found | null {
  const { days, commitments } = language
  const place = placeIn(sentence, words, language)
  if (!place) return null
  const { text, before, after } = place
  const isName = isNameAlone(words.start)
  const isInFigures = /\d/.test(text)
  const isRelative = words.start.tags().has('result/relativeDate')
  const lead = commitments.deadline.exec(before)?.[0] ?? ''
  const head = before.slice(0, before.length - lead.length)

  const weekBefore = days.weekBefore.exec(before)?.[0]
  const weekAfter = days.weekAfter.exec(after)?.[0]
  const holiday = isName ? days.afterHoliday.exec(after) : null
  const ofMonth = isName ? days.ofMonth.exec(after) : null
  const isNamed = isName && !holiday
  const moved = weekBefore === undefined ? movedBy(before, head, { days, isNamed }) : undefined
  const vague = weekBefore === undefined ? days.vagueBefore.exec(before)?.[0] : undefined
  const isCounted = weekAfter !== undefined || holiday !== null || isRelative
  const movedAfter = isCounted ? undefined : days.movedAfter.exec(after)?.[0]
  const vagueAfter = isCounted ? undefined : days.vagueAfter.exec(after)?.[0]

  const isOther =
    ((moved ?? weekBefore) === undefined && days.otherBefore.test(head)) ||
    (!isName && !isInFigures && !isRelative && days.otherTomorrow.test(before)) ||
    days.otherAfter.test(after) ||
    ((lead === '' || days.at.test(lead)) && days.relative.test(head))
  if (isOther) return null
  const behind = weekAfter ?? holiday?.[0] ?? ofMonth?.[0] ?? movedAfter ?? vagueAfter ?? ''
  const isFollowed = !days.follows.test(after.slice(behind.length))
  if (isFollowed && (isName || isInFigures) && !isRelative) return null

  // "By a week from Friday": what says that it is a deadline stands before all of it.
  const outer = weekBefore ?? moved ?? vague ?? lead
  const start = before.length - outer.length
  const first = outer === lead ? '' : (commitments.deadline.exec(before.slice(0, start))?.[0] ?? '')
  const ofThis = isName ? days.this.exec(before) : null
  const index = ofThis?.index ?? start - first.length
  const end = before.length + text.length + behind.length

  const isMoved = (moved ?? movedAfter) !== undefined
  const isUnsure =
    isMoved ||
    isRelative ||
    words.isRange ||
    (vague ?? vagueAfter) !== undefined ||
    days.vague.test(text) ||
    days.denials.test(clauseIn(head, language))
  const weeks = weekBefore === undefined && weekAfter === undefined ? 0 : 1
  const named = { weekday: words.weekday ?? 0, holiday, ofMonth }
  const day = isName ? namedDay(named, language, today) : datedDay(words, text, language, today)
  const isLater = ofThis && day !== null && today !== null && weekOf(day) !== weekOf(today)
  return {
    index,
    end,
    due: sentence.slice(index, end).trim(),
    dueDate: day === null || isUnsure || isLater ? null : textOf(day + 7 * weeks),
    isDeadline: first !== '' || lead !== '',
    isMoved,
  }
}

/** The words that name the day, and those around them; null where they are no day. */
function placeIn(sentence: string, words: Words, language: Language) {
  const { code, days, commitments, isUnspaced } = language
  let from = words.index
  let to = words.index + words.text.length
  if (isNameAlone(words.start)) {
    const name = [...sentence.matchAll(days.names)].find(({ index }) => index >= from && index < to)
    if (!name) return null
    // The library takes "on" for a part of "on Friday", and a day of the month for an hour.
    from = name.index
    const endOfName = from + name[0].length
    if (days.ofMonth.test(sentence.slice(endOfName))) to = endOfName
  }
  const first = /^\p{L}+\s+/u.exec(sentence.slice(from, to))?.[0] ?? ''
  if (commitments.deadline.test(first)) from += first.length
  const text = sentence.slice(from, to).replace(/[,\s]+$/, '')
  const isMonth = !words.start.isCertain('day') && !words.start.isCertain('weekday')
  if (isMonth && !namesMonth(text, code)) return null
  const [before, after] = [sentence.slice(0, from), sentence.slice(from + text.length)]
  const isPart =
    !isUnspaced && (/[\p{L}\p{N}]$/u.test(before) || /^(?:[\p{L}\p{N}]|['’-]\p{L})/u.test(after))
  return isPart ? null : { text, before, after }
}

/** The next day of that name. One that is named today may be today, or in a week. */
function namedDay(
  {
    weekday,
    holiday,
    ofMonth,
  }: { weekday: number; holiday: RegExpExecArray | null; ofMonth: RegExpExecArray | null },
  { days }: Language,
  today: number | null,
): number | null {
  if (today === null) return null
  if (holiday) {
    const day = days.holidays.get((holiday[1] ?? '').toLowerCase().replace(/\s+/g, ' '))
    if (!day) return null
    const feast = comingDay(day, today)
    return feast + (aheadOf(weekday, feast) || 7)
  }
  if (ofMonth) return comingOfMonth(Number(ofMonth[1]), weekday, today)
  const ahead = aheadOf(weekday, today)
  return ahead === 0 ? null : today + ahead
}

function datedDay(
  { start, weekday }: Words,
  text: string,
  { code }: Language,
  today: number | null,
): number | null {
  if (!(start.isCertain('day') && start.isCertain('month'))) return null
  if (code !== 'de' && isEitherOrder(text)) return null
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')]
  if (year === null || month === null || day === null) return null
  const date = Math.round(Date.UTC(year, month - 1, day) / DAY_MS)
  // Where a date stands with the name of another day, one of both is wrong.
  if (weekday !== null && weekdayOf(date) !== weekday) return null
  const hasYear = start.isCertain('year')
  // The library is certain of the year of "tomorrow" too, but only digits name a year.
  if (today === null) return hasYear && /\d/.test(text) ? date : null
  if (date < today) return null
  return hasYear || date - today <= FARTHEST_DAYS ? date : null
}

/** The word before a day that makes it another day; null where there is none. */
function movedBy(
  before: string,
  head: string,
  { days, isNamed }: { days: Language['days']; isNamed: boolean },
): string | undefined {
  const found =
    days.movedBefore.exec(before) ??
    days.movedBefore.exec(head) ??
    (isNamed ? days.movedName.exec(before) : null)
  return found ? before.slice(found.index) : undefined
}

/** The clause that a text ends with. */
function clauseIn(head: string, { connectives, isUnspaced }: Language): string {
  const last = /[^,;:.!?–—、，。]*$/u.exec(head)?.[0] ?? ''
  if (isUnspaced) return last
  const words = last.split(/\s+/)
  return words
    .slice(words.findLastIndex((word) => connectives.has(word.toLowerCase())) + 1)
    .join(' ')
}

const months = new Map<string, string[]>()

/** Whether a month is named in full: "mar" is none. */
function namesMonth(text: string, code: string): boolean {
  let names = months.get(code)
  if (!names) {
    const { format } = new Intl.DateTimeFormat(code, { month: 'long', timeZone: 'UTC' })
    names = [...Array(12).keys()].map((month) => format(Date.UTC(2026, month)).toLowerCase())
    months.set(code, names)
  }
  const small = text.toLowerCase()
  return names.some((name) => small.includes(name))
}

/** Days are counted from 1970: no hour and no zone is left in them. */
const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
const textOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
/** 0 is Sunday, as the library has it. */
const weekdayOf = (day: number): number => new Date(day * DAY_MS).getUTCDay()
/** Weeks begin on Monday; 1970 began on a Thursday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7)
/** How many days from one on to the next of that name; 0 on such a day. */
const aheadOf = (weekday: number, from: number): number => (weekday - weekdayOf(from) + 7) % 7

function comingDay({ month, day }: { month: number; day: number }, today: number): number {
  const year = new Date(today * DAY_MS).getUTCFullYear()
  const [first = 0, second = 0] = [year, year + 1].map(
    (one) => Date.UTC(one, month - 1, day) / DAY_MS,
  )
  return first >= today ? first : second
}

/** "Monday the 7th": the coming 7th, if that is a Monday. */
function comingOfMonth(ofMonth: number, weekday: number | null, today: number): number | null {
  for (let day = today; day < today + 62; day++)
    if (new Date(day * DAY_MS).getUTCDate() === ofMonth)
      return weekdayOf(day) === weekday ? day : null
  return null
}

/** "3/4": only its writer knows which is the month. */
function isEitherOrder(text: string): boolean {
  const [, first = 0, second = 0] =
    /(?<![\d/.-])(\d{1,2})[/.-](\d{1,2})(?!\d)/.exec(text)?.map(Number) ?? []
  return first !== second && first > 0 && first <= 12 && second > 0 && second <= 12
}
