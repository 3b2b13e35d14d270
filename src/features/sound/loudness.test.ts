import { describe, expect, test } from 'vitest'

import { isNoisySpeech, loudnessMeter } from './loudness.ts'

const RATE_HZ = 16_000
const dB = (decibels: number) => 10 ** (decibels / 20)

/** Even noise between -1 and 1, the same every time. */
function noiseSource(): () => number {
  let state = 7
  return () => (state = (state * 16_807) % 2_147_483_647) / 1_073_741_823 - 1
}

/** Syllables of 200 ms with 50 ms between them, at -20 dBFS, in noise that lies so far below them. */
function syllables(lengthS: number, noiseBelowDb: (second: number) => number) {
  const noise = noiseSource()
  const samples = Float32Array.from({ length: lengthS * RATE_HZ }, (_, at) => {
    const seconds = at / RATE_HZ
    const voice = seconds % 0.25 < 0.2 ? Math.SQRT2 * Math.sin(2 * Math.PI * 300 * seconds) : 0
    const behind = Math.sqrt(3) * noise() * dB(-noiseBelowDb(seconds))
    return dB(-20) * (voice + behind)
  })
  return {
    loudness: loudnessMeter().listen(samples),
    regions: [{ startMs: 0, endMs: lengthS * 1000 }],
  }
}
const isNoisy = ({ loudness, regions }: ReturnType<typeof syllables>) =>
  isNoisySpeech(loudness, regions)

describe('speech is noisy', () => {
  test.each([
    [40, false],
    [20, false],
    [10, true],
    [5, true],
  ])('with noise %i dB below it: %s', (below, expected) => {
    expect(isNoisy(syllables(10, () => below))).toBe(expected)
  })

  test('where a third of a recording is, but not where a twelfth is', () => {
    const noisyFor = (lengthS: number) => syllables(120, (at) => (at < lengthS ? 8 : 30))
    expect(isNoisy(noisyFor(40))).toBe(true)
    expect(isNoisy(noisyFor(10))).toBe(false)
  })

  test('only by what is heard while somebody speaks', () => {
    const { loudness } = syllables(60, (at) => (at < 20 ? 30 : 0))
    expect(isNoisySpeech(loudness, [{ startMs: 0, endMs: 20_000 }])).toBe(false)
    expect(isNoisySpeech(loudness, [{ startMs: 20_000, endMs: 60_000 }])).toBe(true)
    expect(isNoisySpeech(loudness, [])).toBe(false)
  })
})
