import { expect, test } from 'vitest'

import { isAfter, isRecordedAt, isTimeZone, onClockOf, recordedDay } from './recorded.ts'

test.each([
  ['2026-11-27T01:30:00Z', 'America/Los_Angeles', '2026-11-26T17:30:00-08:00'],
  ['2026-11-27T01:30Z', 'UTC', '2026-11-27T01:30:00+00:00'],
  ['2026-09-01T23:30:00.000Z', 'Europe/Berlin', '2026-09-02T01:30:00+02:00'],
  ['2026-09-01T23:30:00Z', 'Asia/Kathmandu', '2026-09-02T05:15:00+05:45'],
  // Another way to write UTC.
  ['2026-09-01T23:30:00+00:00', 'Europe/Berlin', '2026-09-02T01:30:00+02:00'],
  // The clock of the place where it was made.
  ['2026-09-01T10:02:00-0700', 'Europe/Berlin', '2026-09-01T10:02:00-07:00'],
  ['2026-09-01T23:59', 'Europe/Berlin', '2026-09-01'],
  ['2026-09-01', 'America/Los_Angeles', '2026-09-01'],
])('%s is %s %s on a clock there', (told, timeZone, there) => {
  expect(onClockOf(timeZone, told)).toBe(there)
  expect(recordedDay(there)).toBe(there.slice(0, 10))
})

test.each([
  '',
  '2026',
  '2026-13-01',
  '2026-02-30',
  '2026-09-01T25:00Z',
  '2026-09-01T10:02:00+99:99',
  // Long before sound was recorded, and of three digits on a clock west of Greenwich.
  '1000-01-01T00:00:00Z',
  'yesterday',
  '1.9.2026',
])('“%s” is no time of a recording', (text) => {
  expect(isRecordedAt(text)).toBe(false)
  expect(onClockOf('UTC', text)).toBeNull()
})

test('a time zone is one of the names that the IANA lists', () => {
  const names = ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires']
  expect(names.filter(isTimeZone)).toEqual(names)
  expect(['', 'Berlin', 'Europe/Nowhere', '+02:00', 'Europe/Berlin\n'].filter(isTimeZone)).toEqual(
    [],
  )
})

test('a day that has begun somewhere is not in the future', () => {
  const now = new Date('2026-11-27T12:30:00Z')
  expect(isAfter('2026-11-28', now)).toBe(false)
  // It is one o’clock at night in New Zealand.
  expect(isAfter('2026-11-29', new Date('2026-11-28T12:00:00Z'))).toBe(false)
  expect(isAfter('2026-11-29', new Date('2026-11-28T11:10:00Z'))).toBe(false)
  expect(isAfter('2026-11-29', now)).toBe(true)
  expect(isAfter('2026-11-27T14:00:00+00:00', now)).toBe(true)
  expect(isAfter('2026-11-27T14:00:00+02:00', now)).toBe(false)
})
