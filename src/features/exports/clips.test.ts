import fc from 'fast-check'
import { expect, test } from 'vitest'

import { clockWithout, joined, lengthOf, without } from '#features/cuts/ranges.ts'
import { frameRates } from '#shared/frame-rates.ts'

import { clipsOf } from './clips.ts'
import { frameAt, rates } from './frames.ts'

const LENGTH_MS = 30_000
const anyCuts = fc
  .array(
    fc
      .tuple(fc.nat(LENGTH_MS), fc.nat(2_000))
      .map(([startMs, length]) => ({ startMs, endMs: Math.min(LENGTH_MS, startMs + length) })),
    { maxLength: 20 },
  )
  .map(joined)

test('the clips of what is left follow each other, lie in the recording, and are as long as it', () => {
  fc.assert(
    fc.property(anyCuts, fc.constantFrom(...frameRates), (cuts, name) => {
      const rate = rates[name]
      const clips = clipsOf({ cuts, durationMs: LENGTH_MS }, rate)
      const sum = clips.reduce((all, { frames }) => all + frames, 0)
      expect(sum).toBe(frameAt(LENGTH_MS - lengthOf(cuts), rate))
      let next = 0
      for (const { at, from, frames } of clips) {
        expect(at).toBe(next)
        next += frames
        expect(from).toBeGreaterThanOrEqual(0)
        expect(from + frames).toBeLessThanOrEqual(frameAt(LENGTH_MS, rate))
      }
      const clock = clockWithout(cuts)
      const stays = without([{ startMs: 0, endMs: LENGTH_MS }], cuts)
      for (const { startMs } of stays) {
        const clip = clips.find(({ at }) => at === frameAt(clock(startMs), rate))
        // A stretch of less than a frame may have none.
        if (clip && stays.length === clips.length)
          expect(Math.abs(clip.from - frameAt(startMs, rate))).toBeLessThanOrEqual(1)
      }
    }),
  )
})
