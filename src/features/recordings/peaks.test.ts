import { expect, test } from 'vitest'

import { MOST_PEAKS, peakMeter } from './peaks.ts'

/** Seconds of a square wave of this height, 16 kHz. */
function sound(seconds: number, height: number): Buffer {
  const samples = new Int16Array(seconds * 16_000).map((_, index) => (index % 2 ? height : -height))
  return Buffer.from(samples.buffer)
}

test('peaks follow loudness over time', () => {
  const meter = peakMeter()
  for (const height of [0, 16_384, 32_767]) meter.listen(sound(10, height))
  const peaks = meter.finish()
  expect(peaks).toHaveLength(MOST_PEAKS)
  expect([peaks[10], peaks[500], peaks[990]]).toEqual([0, 128, 255])
})

test('the loudest negative sample is no louder than can be said', () => {
  const meter = peakMeter()
  meter.listen(sound(1, -32_768))
  expect(Math.max(...meter.finish())).toBe(255)
})

test('how the samples are cut on the way makes no difference', () => {
  const whole = peakMeter()
  const cut = peakMeter()
  const all = Buffer.concat([sound(1, 1_000), sound(1, 20_000)])
  whole.listen(all)
  for (let at = 0; at < all.length; at += 1_237) cut.listen(all.subarray(at, at + 1_237))
  cut.listen(Buffer.alloc(0))
  expect(cut.finish()).toEqual(whole.finish())
})

test('a recording shorter than its peaks has as many as there is sound for', () => {
  const meter = peakMeter()
  meter.listen(sound(1, 5_000))
  expect(meter.finish()).toHaveLength(50)
  expect(peakMeter().finish()).toEqual([])
})
