import { expect, test } from 'vitest'

import {
  bars,
  formatBytes,
  formatDate,
  formatLength,
  formatClock,
  formatMoment,
  formatTime,
  formatTimecode,
  initials,
  languageName,
} from './format.ts'

test('sizes have one decimal and the unit a reader expects', () => {
  expect(formatBytes(0)).toBe('0 Bytes')
  expect(formatBytes(1)).toBe('1 Byte')
  expect(formatBytes(1023)).toBe('1023 Bytes')
  expect(formatBytes(1024)).toBe('1.0 KB')
  expect(formatBytes(40_055_603)).toBe('38.2 MB')
  expect(formatBytes(100 * 1024 * 1024)).toBe('100.0 MB')
  expect(formatBytes(3 * 1024 ** 3)).toBe('3.0 GB')
  expect(formatBytes(5000 * 1024 ** 3)).toBe('5000.0 GB')
})

test('a size never reads as 1024 of its unit', () => {
  expect(formatBytes(1024 * 1024 - 1)).toBe('1.0 MB')
  expect(formatBytes(1024 ** 3 - 1)).toBe('1.0 GB')
})

test('times are m:ss below an hour and h:mm:ss from it', () => {
  expect(formatTime(0)).toBe('0:00')
  expect(formatTime(59.99)).toBe('0:59')
  expect(formatTime(72)).toBe('1:12')
  expect(formatTime(3599.9)).toBe('59:59')
  expect(formatTime(3600)).toBe('1:00:00')
  expect(formatTime(43_199)).toBe('11:59:59')
  expect(formatTime(Number.NaN)).toBe('0:00')
  expect(formatTime(-3)).toBe('0:00')
})

test('timecodes in text files always have the same width', () => {
  expect(formatTimecode(0)).toBe('00:00:00')
  expect(formatTimecode(3723.4)).toBe('01:02:03')
})

test('initials take whole characters and bear missing names', () => {
  expect(initials('ada', 'lovett')).toBe('AL')
  expect(initials(' Émile ', null)).toBe('É')
  expect(initials(undefined, '')).toBe('')
  expect(initials('👩🏽‍🔬', 'ß')).toBe('👩🏽‍🔬SS')
})

test('a fingerprint belongs to its seed', () => {
  expect(bars('podcast-seo', 96)).toEqual(bars('podcast-seo', 96))
  expect(bars('podcast-seo', 96)).not.toEqual(bars('podcast-sea', 96))
  expect(bars('a', 0)).toEqual([])
  expect(bars('a', 1)).toHaveLength(1)
})

test('a fingerprint has visible bars within the band and short pauses', () => {
  for (const seed of ['launch-retro', '5f1c', 'x', '']) {
    const heights = bars(seed, 96)
    expect(heights).toHaveLength(96)
    expect(Math.min(...heights)).toBeGreaterThan(0)
    expect(Math.max(...heights)).toBeLessThanOrEqual(1)
    expect(heights.filter((height) => height === 0.06).length).toBeGreaterThanOrEqual(9)
  }
})

test('language codes are shown by name, and other words as they are', () => {
  expect(languageName('de')).toBe('German')
  expect(languageName('zh')).toBe('Chinese')
  expect(languageName('not a code')).toBe('not a code')
})

test('a date is short and says the year', () => {
  expect(formatDate('2026-11-20T23:30:00Z', 'UTC')).toBe('Nov 20, 2026')
  expect(formatDate(new Date('2026-11-20T23:30:00Z'), 'Asia/Tokyo')).toBe('Nov 21, 2026')
})

test('a moment of today is a time, of another day a date, and the year is said when it is not this', () => {
  const now = new Date(2026, 10, 20, 14, 30)
  expect(formatMoment(new Date(2026, 10, 20, 9, 4), now)).toBe('Today 9:04')
  expect(formatMoment(new Date(2026, 10, 19, 11, 20), now)).toBe('Nov 19, 11:20')
  expect(formatMoment(new Date(2025, 11, 31, 0, 5), now)).toBe('Dec 31, 2025, 0:05')
})

test('a time of day has one form', () => {
  expect(formatClock(new Date(2026, 10, 20, 9, 4, 5))).toBe('9:04')
  expect(formatClock(new Date(2026, 10, 20, 0, 5))).toBe('0:05')
  expect(formatClock(new Date(2026, 10, 20, 13, 4, 5), { seconds: true })).toBe('13:04:05')
})

test('a length in words is whole minutes, below a minute seconds', () => {
  expect(formatLength(48)).toBe('48 s')
  expect(formatLength(2_968)).toBe('49 min')
  expect(formatLength(3_599)).toBe('1 h')
  expect(formatLength(7_500)).toBe('2 h 5 min')
})
