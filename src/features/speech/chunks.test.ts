import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { cut, group } from './chunks.ts'
import type { Region } from './vad.ts'

const longestMs = 20_000
const evenly = (durationMs: number) => new Uint8Array(Math.ceil(durationMs / 20)).fill(120)
const cutOf = (regions: Region[], durationMs: number, loudness = evenly(durationMs)) =>
  cut(regions, { loudness, durationMs, longestMs })
const spans = (chunks: Region[]) => chunks.map(({ startMs, endMs }) => [startMs, endMs])

describe('cut', () => {
  test('phrases further apart than 1.2 s become chunks of their own, with soft edges', () => {
    const regions = [
      { startMs: 1000, endMs: 3000 },
      { startMs: 4500, endMs: 6000 },
    ]
    expect(spans(cutOf(regions, 7000))).toEqual([
      [800, 3200],
      [4300, 6200],
    ])
  })

  test('short phrases are joined until there are four seconds', () => {
    const regions = [
      { startMs: 1000, endMs: 2000 },
      { startMs: 2700, endMs: 3500 },
      { startMs: 4400, endMs: 7000 },
    ]
    expect(spans(cutOf(regions, 8000))).toEqual([[800, 7200]])
  })

  test('a chunk of six seconds ends at the next pause of half a second', () => {
    const regions = [
      { startMs: 0, endMs: 6500 },
      { startMs: 7000, endMs: 12_000 },
    ]
    expect(spans(cutOf(regions, 12_000))).toEqual([
      [0, 6700],
      [6800, 12_000],
    ])
  })

  test('long speech is cut at its quietest tenth of a second', () => {
    const loudness = evenly(30_000)
    loudness.fill(20, 14_000 / 20, 14_100 / 20)
    expect(spans(cutOf([{ startMs: 0, endMs: 30_000 }], 30_000, loudness))).toEqual([
      [0, 14_050],
      [14_050, 30_000],
    ])
  })

  test('silence holds no chunk', () => {
    expect(cutOf([], 60_000)).toEqual([])
  })

  const someRegions = fc
    .array(fc.record({ gap: fc.integer({ min: 0, max: 4000 }), length: speechLength() }), {
      maxLength: 40,
    })
    .map((parts) => {
      let at = 0
      return parts.map(({ gap, length }) => {
        const startMs = at + gap
        at = startMs + length
        return { startMs, endMs: at }
      })
    })
  function speechLength() {
    return fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 90_000 }))
  }

  test('every ms of speech is in exactly one chunk, and no chunk is too long', () => {
    fc.assert(
      fc.property(
        someRegions,
        fc.nat(3000),
        fc.infiniteStream(fc.nat(255)),
        (regions, tail, levels) => {
          const durationMs = (regions.at(-1)?.endMs ?? 0) + tail
          const loudness = Uint8Array.from(levels.take(Math.min(2000, Math.ceil(durationMs / 20))))
          const chunks = cutOf(regions, durationMs, loudness)

          for (const [index, chunk] of chunks.entries()) {
            expect(chunk.index).toBe(index)
            expect(Number.isInteger(chunk.startMs) && Number.isInteger(chunk.endMs)).toBe(true)
            expect(chunk.startMs).toBeGreaterThanOrEqual(chunks[index - 1]?.endMs ?? 0)
            expect(chunk.endMs - chunk.startMs).toBeGreaterThan(0)
            expect(chunk.endMs - chunk.startMs).toBeLessThanOrEqual(longestMs)
            expect(chunk.endMs).toBeLessThanOrEqual(durationMs)
          }
          // Chunks do not overlap, so each ms that is covered is covered once.
          for (const region of regions) {
            const coveredMs = chunks.reduce(
              (sum, { startMs, endMs }) =>
                sum +
                Math.max(0, Math.min(endMs, region.endMs) - Math.max(startMs, region.startMs)),
              0,
            )
            expect(coveredMs).toBe(region.endMs - region.startMs)
          }
        },
      ),
    )
  })
})

describe('group', () => {
  const chunks = (...lengths: number[]) => {
    let at = 0
    return lengths.map((length, index) => {
      const startMs = at
      at += length
      return { index, startMs, endMs: at }
    })
  }

  test('a short recording is shared out over the cores', () => {
    const groups = group(chunks(10_000, 10_000, 10_000, 10_000), {
      groupMs: 45_000,
      parallelGroups: 2,
    })
    expect(groups.map((members) => members.length)).toEqual([2, 2])
  })

  test('a very short one is a single process', () => {
    const groups = group(chunks(4000, 4000), { groupMs: 45_000, parallelGroups: 8 })
    expect(groups).toHaveLength(1)
  })

  test('groups hold every chunk once, in order, and stay near their size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 500, max: 20_000 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 16 }),
        (lengths, parallelGroups) => {
          const all = chunks(...lengths)
          const groups = group(all, { groupMs: 45_000, parallelGroups })
          expect(groups.flat()).toEqual(all)
          for (const members of groups) {
            expect(members.length).toBeGreaterThan(0)
            const lengthMs = members.at(-1)!.endMs - members[0]!.startMs
            expect(lengthMs).toBeLessThanOrEqual(45_000 + 10_000)
          }
        },
      ),
    )
  })
})
