import { expect, test } from 'vitest'

import { dayOf, dueIn } from './due.ts'

/** A Sunday. */
const recordedAt = new Date('2026-11-22T10:00:00Z')

test.each([
  ['en', 'by Friday', '2026-11-27'],
  ['en', 'tomorrow', '2026-11-23'],
  ['en', 'by the 14th of March', '2027-03-14'],
  ['en', 'on 2026-12-01', '2026-12-01'],
  ['en', 'by 14 March 2027', '2027-03-14'],
  ['en', 'by the end of the month', '2026-11-30'],
  ['de', 'bis Freitag', '2026-11-27'],
  ['de', 'bis zum 1.12.2026', '2026-12-01'],
  ['fr', 'demain', '2026-11-23'],
  ['es', 'mañana', '2026-11-23'],
  ['it', 'domani', '2026-11-23'],
  ['nl', 'morgen', '2026-11-23'],
  ['pt', 'amanhã', '2026-11-23'],
])('%s: “%s” is %s', (language, due, day) => {
  expect(dayOf(due, { language, recordedAt })).toBe(day)
})

test.each([
  ['en', 'by next Friday'],
  ['en', 'last Friday'],
  ['en', 'by Wednesday week'],
  // Said on a Sunday: today, or in a week.
  ['en', 'by Sunday'],
  ['en', 'on 3/4'],
  ['en', 'on 1/12/2026'],
  ['en', 'next week'],
  ['en', 'in two weeks'],
  ['en', 'in March'],
  ['en', 'by noon'],
  ['en', 'on Monday or Tuesday'],
  // Two days ago, and not in a year.
  ['en', 'on the 20th of November'],
  ['en', 'by 14 March 2025'],
  ['en', 'as soon as possible'],
  ['de', 'bis nächsten Freitag'],
  ['fr', 'vendredi prochain'],
  ['ja', '来週の金曜日'],
  ['xx', 'by Friday'],
])('%s: of “%s” the day is not sure', (language, due) => {
  expect(dayOf(due, { language, recordedAt })).toBeNull()
})

test('without the day of the recording no day is worked out', () => {
  expect(dayOf('by Friday', { language: 'en', recordedAt: undefined })).toBeNull()
})

test.each([
  ["I'll send what we made last week by Friday.", 'by Friday'],
  ["I'll send Monday's report to everybody.", null],
  ['I will check what we sold last week.', null],
  ['I will call them before next Friday.', 'before next Friday'],
])('“%s” is due %s', (sentence, due) => {
  expect(dueIn(sentence, { language: 'en', recordedAt })?.due ?? null).toBe(due)
})
