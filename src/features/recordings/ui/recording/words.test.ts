import { expect, test } from 'vitest'

import { gapWords, lengthAndPrice, roomLeft, troubleOf, unsavedWords } from './words.ts'

const since = new Date(2026, 10, 26, 12, 4)

test('a trouble says since when, and what becomes of the recording', () => {
  expect(troubleOf({ why: 'muted', since, placeMs: 0 }).what).toBe(
    'The microphone has been silent since 12:04: another app has it, or it was muted.',
  )
  expect(troubleOf({ why: 'stopped', since, placeMs: 0 })).toMatchObject({
    what: 'The browser stopped recording at 12:04.',
    meanwhile: 'Nothing has been recorded since. What was recorded before is kept.',
  })
  expect(unsavedWords({ since, isFull: true })).toBe(
    'There has been no space left on this device since 12:04. The recording goes on in memory alone: a crash would lose it. Free some space, or stop and send it.',
  )
})

test('silence and gaps in a recording are told with their place', () => {
  expect(gapWords({ why: 'muted', placeMs: 190_000, lengthMs: 52_000 })).toBe(
    'Silent for 52 s at 3:10: another app had the microphone, or it was muted.',
  )
  expect(gapWords({ why: 'gone', placeMs: 190_000, lengthMs: 360_000 })).toBe(
    'Missing at 3:10: 6 min, while the microphone was gone.',
  )
  expect(gapWords({ why: 'left', placeMs: 190_000, lengthMs: 0 })).toBe(
    'Broken off at 3:10, and gone on with later.',
  )
})

test('a recording says for how long there is room', () => {
  expect(roomLeft(0, 0)).toBe('Room for 3 h 38 min more')
  // A browser that makes twice as much of it.
  expect(roomLeft(120 * 16_000, 120)).toBe('Room for 1 h 47 min more')
  expect(roomLeft(100 * 1024 * 1024, 6_000)).toBe('Room for less than a minute')
})

test('the price of a recording follows from the length that was counted', () => {
  expect(lengthAndPrice(59.9)).toBe('0:59 · about 1 credit')
  expect(lengthAndPrice(41 * 60 + 10)).toBe('41:10 · about 13 credits')
})
