import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { frameRates } from '#shared/frame-rates.ts'

import { frameAt, frameOf, framesOf, rates, timecodeOf } from './frames.ts'

/** Timecode read by the definition: numbers are counted one by one, without those left out. */
function counted(text: string, { base, dropped }: { base: number; dropped: number }): number {
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = text.split(/[:;]/).map(Number)
  let frame = 0
  for (let minute = 0; minute < hours * 60 + minutes; minute += 1)
    frame += 60 * base - (minute % 10 === 0 ? 0 : dropped)
  const skipped = minutes % 10 === 0 ? 0 : dropped
  return frame + seconds * base + frames - skipped
}

test.each(frameRates)('at %s each frame of a day has a timecode of its own, in order', (name) => {
  const rate = rates[name]
  const day = framesOf(24 * 60, rate)
  fc.assert(
    fc.property(fc.nat(day - 1), (frame) => {
      const text = timecodeOf(frame, rate)
      expect(counted(text, rate)).toBe(frame)
      expect(frameOf(text, rate)).toBe(frame)
      const [, minutes, seconds, frames] = text.split(/[:;]/).map(Number)
      expect(frames).toBeLessThan(rate.base)
      // No number that is left out is ever written.
      if (seconds === 0 && minutes! % 10 !== 0) expect(frames).toBeGreaterThanOrEqual(rate.dropped)
    }),
    { numRuns: 200 },
  )
  expect(timecodeOf(day, rate)).toBe(timecodeOf(0, rate))
})

test.each(['29.97df', '59.94df'] as const)('%s keeps to the clock', (name) => {
  const rate = rates[name]
  fc.assert(
    fc.property(fc.nat(86_000_000), (ms) => {
      const [h = 0, m = 0, s = 0, f = 0] = timecodeOf(frameAt(ms, rate), rate)
        .split(/[:;]/)
        .map(Number)
      const read = (h * 3600 + m * 60 + s + f / rate.base) * 1000
      expect(Math.abs(read - ms)).toBeLessThan(200)
    }),
    { numRuns: 200 },
  )
})

test('known timecodes are written as everybody writes them', () => {
  const df = rates['29.97df']
  expect(timecodeOf(1799, df)).toBe('00:00:59;29')
  expect(timecodeOf(1800, df)).toBe('00:01:00;02')
  expect(timecodeOf(17_982, df)).toBe('00:10:00;00')
  expect(timecodeOf(107_892, df)).toBe('01:00:00;00')
  expect(timecodeOf(3600, rates['59.94df'])).toBe('00:01:00;04')
  expect(timecodeOf(frameAt(3_600_000, rates['23.976']), rates['23.976'])).toBe('00:59:56:10')
  expect(timecodeOf(frameAt(3_600_000, rates['25']), rates['25'])).toBe('01:00:00:00')
})

test.each([
  ['01:00:00:25', '25'],
  ['24:00:00:00', '25'],
  ['00:60:00:00', '25'],
  ['1:00:00:00', '25'],
  ['00:01:00;00', '29.97df'],
] as const)('%s is no timecode at %s', (text, rate) => {
  expect(frameOf(text, rates[rate])).toBeNull()
})
