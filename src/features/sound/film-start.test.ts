import { expect, test } from 'vitest'

import { filmStartIn } from './film-start.ts'

const start = (
  tags: Record<string, string>,
  framesPerSecond: string | null,
  sampleRateHz = 48_000,
) => filmStartIn({ tags: new Map(Object.entries(tags)), framesPerSecond, sampleRateHz })

test.each([
  ['10:00:00:00', '25', '25'],
  ['01:02:03:59', '60', '60'],
  ['09:59:50;18', '29.97', '29.97df'],
  ['09:59:50:18', '29.97', '29.97'],
  ['09:59:50;58', '59.94', '59.94df'],
  ['10:00:00:00', '23.98', '23.976'],
])('a film says that it begins at %s, at %s frames a second', (timecode, said, frameRate) => {
  expect(start({ timecode }, said)).toEqual({ timecode, frameRate })
})

test('a WAV says how many samples after midnight it begins, and names no frames', () => {
  const ten = { timecode: '10:00:00:00', frameRate: null }
  expect(start({ time_reference: String(36_000 * 48_000) }, null)).toEqual(ten)
  const later = { timecode: '10:00:01:12', frameRate: null }
  expect(start({ time_reference: String(36_001.5 * 44_100) }, null, 44_100)).toEqual(later)
})

const none: [Record<string, string>, string | null][] = [
  [{}, '25'],
  [{}, null],
  // Nobody set it.
  [{ timecode: '00:00:00:00' }, '25'],
  [{ time_reference: '0' }, null],
  // There is none of that name, or nobody counts so many frames.
  [{ timecode: '10:00:00:25' }, '25'],
  [{ timecode: '25:00:00:00' }, '25'],
  [{ timecode: '10:00' }, '25'],
  [{ timecode: '10:00:00:00' }, '1k'],
  [{ time_reference: '18446744073709551615' }, null],
  [{ time_reference: 'noon' }, null],
]
test.each(none)('%o at %s says no beginning', (tags, framesPerSecond) => {
  expect(start(tags, framesPerSecond)).toBeNull()
})
