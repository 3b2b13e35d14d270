import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { cutter, group } from './chunks.ts'
import type { Region } from '../engines/engine.ts'

const longestMs = 20_000
const evenly = (durationMs: number) => new Uint8Array(Math.ceil(durationMs / 20)).fill(120)
const aCutter = () => cutter(longestMs)
/** The chunks of a recording that is heard at once. */
function cutOf(regions: Region[], durationMs: number, loudness = evenly(durationMs)) {
  const cutting = aCutter()
  const heard = { regions, loudness, settledMs: 0, isNarrowBand: false }
  return [...cutting.hear(heard), ...cutting.end(durationMs)]
}
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

  test('a chunk of ten seconds ends at the next pause of half a second', () => {
    const regions = [
      { startMs: 0, endMs: 10_500 },
      { startMs: 11_000, endMs: 16_000 },
    ]
    expect(spans(cutOf(regions, 16_000))).toEqual([
      [0, 10_700],
      [10_800, 16_000],
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

describe('a recording that is still being listened to', () => {
  const longPhrase = fc.integer({ min: 1, max: 90_000 })
  const shortPhrase = fc.integer({ min: 1, max: 5000 })
  const phrases = fc.array(
    fc.record({
      gap: fc.integer({ min: 1, max: 4000 }),
      length: fc.oneof(shortPhrase, shortPhrase, longPhrase),
    }),
    { maxLength: 60 },
  )

  test('is cut into the chunks that are found in the whole', () => {
    fc.assert(
      fc.property(
        phrases,
        fc.nat(3000),
        fc.array(fc.nat(255), { minLength: 20, maxLength: 200 }),
        fc.integer({ min: 1000, max: 30_000 }),
        (parts, tail, levels, blockMs) => {
          let at = 0
          const regions = parts.map(({ gap, length }) => {
            const startMs = at + gap
            at = startMs + length
            return { startMs, endMs: at }
          })
          const durationMs = at + tail
          const loudness = Uint8Array.from(
            { length: Math.ceil(durationMs / 20) },
            (_, index) => levels[index % levels.length]!,
          )

          const cutting = aCutter()
          const chunks = []
          for (let heardMs = 0; heardMs < durationMs; heardMs += blockMs) {
            const untilMs = Math.min(durationMs, heardMs + blockMs)
            const open = regions.find(({ startMs, endMs }) => startMs < untilMs && endMs >= untilMs)
            chunks.push(
              ...cutting.hear({
                regions: regions.filter(({ endMs }) => endMs >= heardMs && endMs < untilMs),
                loudness: loudness.subarray(Math.ceil(heardMs / 20), Math.ceil(untilMs / 20)),
                settledMs: Math.min(untilMs, open?.startMs ?? untilMs),
                isNarrowBand: false,
              }),
            )
          }
          const { endMs: lastMs = 0 } = regions.at(-1) ?? {}
          const rest = regions.filter(({ endMs }) => endMs === lastMs && endMs === durationMs)
          const loose = { regions: rest, loudness: new Uint8Array(), settledMs: durationMs }
          chunks.push(...cutting.hear({ ...loose, isNarrowBand: false }))
          chunks.push(...cutting.end(durationMs))
          expect(chunks).toEqual(cutOf(regions, durationMs, loudness))
        },
      ),
      {
        examples: [
          // A long phrase is cut in a breath, and the cut is handed out before the rest is heard.
          [
            [
              { gap: 1, length: 9393 },
              { gap: 478, length: 24_376 },
            ],
            922,
            [0, 0, 0, 47, 199, 0, 0, 0, 78, 168, 0, 0, 0, 192, 54, 0, 0, 145, 47, 199],
            1000,
          ],
        ],
      },
    )
  })

  test('gives its first chunk away long before its end', () => {
    const cutting = aCutter()
    const regions = Array.from({ length: 10 }, (_, index) => ({
      startMs: index * 7000,
      endMs: index * 7000 + 6400,
    }))
    const loudness = evenly(70_000)
    // As the first of a long recording it is short.
    const heard = { regions, loudness, settledMs: 70_000, isNarrowBand: false }
    expect(cutting.hear(heard)[0]).toEqual({
      index: 0,
      startMs: 0,
      endMs: 6600,
    })
  })
})

describe('how long chunks are', () => {
  const regions = (seconds: number) =>
    Array.from({ length: seconds / 5 }, (_, index) => ({
      startMs: index * 5000,
      endMs: index * 5000 + 4700,
    }))
  const lengths = (seconds: number, spoken = regions(seconds)) => {
    const cutting = cutter(25_000)
    const durationMs = seconds * 1000
    const heard = { regions: spoken, loudness: evenly(durationMs), settledMs: durationMs }
    const chunks = [...cutting.hear({ ...heard, isNarrowBand: false }), ...cutting.end(durationMs)]
    return chunks.map(({ startMs, endMs }) => endMs - startMs)
  }

  test('the first two of a long recording are short, so that there is something to read soon', () => {
    const [first, second, ...others] = lengths(120)
    expect(Math.max(first!, second!)).toBeLessThanOrEqual(8000)
    expect(Math.max(...others)).toBeGreaterThan(12_000)
  })

  test('a short recording is heard in long ones from its beginning', () => {
    expect(lengths(50)[0]).toBeGreaterThan(12_000)
  })

  test('a first sentence is not cut, however short the others are', () => {
    const sentence = { startMs: 0, endMs: 11_000 }
    const after = regions(120).slice(3)
    expect(lengths(120, [sentence, ...after])[0]).toBe(11_200)
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
  type Chunks = ReturnType<typeof chunks>
  async function* coming(all: Chunks, taken = { count: 0 }) {
    for (const chunk of all) {
      taken.count += 1
      yield await Promise.resolve(chunk)
    }
  }
  async function groupsOf(all: Chunks, sizes: Parameters<typeof group>[1]): Promise<Chunks[]> {
    const groups = []
    for await (const members of group(coming(all), sizes)) groups.push(members)
    return groups
  }

  test('a short recording is shared out over the cores', async () => {
    const groups = await groupsOf(chunks(10_000, 10_000, 10_000, 10_000), {
      groupMs: 45_000,
      parallelGroups: 2,
    })
    expect(groups.map((members) => members.length)).toEqual([2, 2])
  })

  test('a very short one is a single process', async () => {
    const groups = await groupsOf(chunks(4000, 4000), { groupMs: 45_000, parallelGroups: 8 })
    expect(groups).toHaveLength(1)
  })

  test('a long one begins with single chunks, and ends with small groups', async () => {
    const tenSeconds = Array.from({ length: 60 }, () => 10_000)
    const groups = await groupsOf(chunks(...tenSeconds), { groupMs: 45_000, parallelGroups: 2 })
    const sizes = groups.map((members) => members.length)
    expect(sizes.slice(0, 4)).toEqual([1, 1, 5, 5])
    expect(sizes.at(-1)).toBeLessThanOrEqual(2)
  })

  test('the first group waits for a minute of speech and no more', async () => {
    const taken = { count: 0 }
    const all = chunks(...Array.from({ length: 60 }, () => 10_000))
    const groups = group(coming(all, taken), { groupMs: 45_000, parallelGroups: 2 })
    await groups.next()
    expect(taken.count).toBe(6)
    await groups.return(undefined)
  })

  test('groups hold every chunk once, in order, and stay near their size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 500, max: 20_000 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 16 }),
        async (lengths, parallelGroups) => {
          const all = chunks(...lengths)
          const groups = await groupsOf(all, { groupMs: 45_000, parallelGroups })
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
