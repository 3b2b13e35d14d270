/**
 * By when something is to be done: the words for it, and the day that they mean. The day is worked
 * out only where everybody would work out the same one. "Next Friday" is one of two days, "3/4" is
 * in March or in April, and a Friday that is said on a Friday may be today: these have no day.
 *
 * A recording does not say where it was made, so its day is that of UTC.
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

import { languageOf } from './languages.ts'

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
type Found = ReturnType<typeof en.parse>[number]

/** Of what language the words are, and from which day on they count. */
interface Said {
  language: string
  recordedAt: Date | undefined
}

const LONGEST = 60
const DAY_MS = 86_400_000
/** A day without a year that lies nearly a year ahead is more likely one that has just been. */
const FARTHEST_DAYS = 330

/** "Next" and "last", which people count differently, and weeks, of which no day is meant. */
const vague =
  /(?<!\p{L})(?:next|last|past|week|weeks|nächst|kommend|letzt|woche|prochain|dernier|semaine|próxim|proxim|pasad|passad|semana|prossim|scors|settimana|volgend|vorig|afgelopen|weken|следующ|прошл|недел)|下|上|来|先/iu

/** The day that these words mean, as YYYY-MM-DD; null where that is not sure. */
export function dayOf(due: string, said: Said): string | null {
  const [found, ...others] = daysIn(due, said)
  return found && others.length === 0 ? sureDay(found, due, said) : null
}

/** The first day by which something is to be done in a sentence, as it was said. */
export function dueIn(
  sentence: string,
  said: Said,
): { due: string; dueDate: string | null } | null {
  const { deadline } = languageOf(said.language).commitments
  const all = daysIn(sentence, said)
    // "Monday's report" says nothing about when.
    .filter(({ index, text }) => !/^['’]s/.test(sentence.slice(index + text.length)))
    .map(({ index, text }) => {
      const before = deadline.exec(sentence.slice(0, index))?.[0] ?? ''
      const due = before + text
      return { due, dueDate: dayOf(due, said), isDeadline: before !== '' }
    })
    .filter(({ due }) => due.length <= LONGEST)
  const first = all.find(({ isDeadline }) => isDeadline)
  // Without such a word it may be a day that is told of: "what we made last week".
  const { due, dueDate } = first ?? all.find((one) => one.dueDate !== null) ?? {}
  return due === undefined ? null : { due, dueDate: dueDate ?? null }
}

/** Days in a text, and not mere times of a day. */
function daysIn(text: string, { language, recordedAt }: Said): Found[] {
  const instant = recordedAt ?? new Date(0)
  const all = readers[language]?.parse(text, { instant, timezone: 0 }, { forwardDate: true }) ?? []
  return all.filter(({ start }) =>
    (['day', 'weekday', 'month'] as const).some((part) => start.isCertain(part)),
  )
}

function sureDay(
  { start, end, text }: Found,
  due: string,
  { language, recordedAt }: Said,
): string | null {
  if (!recordedAt || end || vague.test(due)) return null
  const isWeekday = start.isCertain('weekday') && !start.isCertain('day')
  if (!isWeekday && !(start.isCertain('day') && start.isCertain('month'))) return null
  if (start.tags().has('result/relativeDate')) return null
  if (language !== 'de' && isEitherOrder(text)) return null
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')]
  if (year === null || month === null || day === null) return null
  const date = Date.UTC(year, month - 1, day)
  const days = Math.round((date - startOfDay(recordedAt)) / DAY_MS)
  if (days < (isWeekday ? 1 : 0)) return null
  if (!start.isCertain('year') && days > FARTHEST_DAYS) return null
  return new Date(date).toISOString().slice(0, 10)
}

const startOfDay = (at: Date): number =>
  Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())

/** "3/4": who wrote it knows which is the month. */
function isEitherOrder(text: string): boolean {
  const [, first = 0, second = 0] =
    /(?<![\d/.-])(\d{1,2})[/.-](\d{1,2})(?!\d)/.exec(text)?.map(Number) ?? []
  return first !== second && first > 0 && first <= 12 && second > 0 && second <= 12
}
