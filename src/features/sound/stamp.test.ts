import { expect, test } from 'vitest'

import { stampIn } from './stamp.ts'

const stamp = (tags: Record<string, string>) => stampIn(new Map(Object.entries(tags)))

test.each([
  [{ creation_time: '2026-09-01T10:02:00.000000Z' }, '2026-09-01T10:02:00.000000Z'],
  [{ date: '2026-09-01' }, '2026-09-01'],
  [{ date: '2026:09:01' }, '2026-09-01'],
  [{ origination_date: '2026-09-01', origination_time: '23:00:00' }, '2026-09-01'],
  [
    {
      creation_time: '2026-09-01T17:02:00.000000Z',
      'com.apple.quicktime.creationdate': '2026-09-01T10:02:00-0700',
    },
    '2026-09-01T10:02:00-0700',
  ],
])('%o was recorded %s', (tags, at) => {
  expect(stamp(tags)).toBe(at)
})

const bogus: Record<string, string>[] = [
  { creation_time: '1904-01-01T00:00:00.000000Z' },
  { creation_time: '1970-01-01T00:00:00.000000Z' },
  { creation_time: '1980-01-01T00:00:00.000000Z' },
  { date: '2026' },
  { date: '2026-09' },
  { date: 'last autumn' },
  {},
]

test.each(bogus)('%o says nothing', (tags) => {
  expect(stamp(tags)).toBeNull()
})

test('a bogus time does not hide a true one', () => {
  expect(stamp({ creation_time: '1904-01-01T00:00:00Z', date: '2026-09-01' })).toBe('2026-09-01')
})
