import fc from 'fast-check'
import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import { type CutPlan, cutter, type Stretch } from './cut-samples.ts'

const RATE = 8000
const per = (ms: number) => (ms * RATE) / 1000
const silence = 0

/** Syllables of a voice: harmonics that swell and fade, with short pauses, over a little noise. */
function speech(durationMs: number, { channelCount = 1, seed = 1 } = {}): Int16Array {
  const random = seeded(seed)
  const count = per(durationMs)
  const samples = new Int16Array(count * channelCount)
  let [pitch, height, until, from] = [120, 0, 0, 0]
  for (let at = 0; at < count; at++) {
    if (at >= until) {
      from = at
      until = at + per(80 + 160 * random())
      height = random() < 0.25 ? 0 : 2000 + 8000 * random()
      pitch = 90 + 120 * random()
    }
    const swell = Math.sin((Math.PI * (at - from)) / (until - from))
    let sample = 40 * (random() - 0.5)
    for (const harmonic of [1, 2, 3, 5, 8])
      sample +=
        ((height * swell) / harmonic / 2) * Math.sin((2 * Math.PI * pitch * harmonic * at) / RATE)
    for (let channel = 0; channel < channelCount; channel++)
      samples[at * channelCount + channel] = Math.round(sample / (channel + 1))
  }
  return samples
}

const tone = (durationMs: number, hz: number) =>
  Int16Array.from({ length: per(durationMs) }, (_, at) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * hz * at) / RATE)),
  )

const asBytes = (samples: Int16Array) => Buffer.from(samples.buffer)

function cut(
  samples: Int16Array,
  plan: Partial<CutPlan> & { cuts: readonly Stretch[] },
  blockBytes: readonly number[] = [4096],
) {
  const channelCount = plan.channelCount ?? 1
  const durationMs = (1000 * samples.length) / channelCount / RATE
  const cutting = cutter({ rateHz: RATE, channelCount, durationMs, ...plan })
  const bytes = asBytes(samples)
  const blocks: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = blockBytes[turn % blockBytes.length] ?? 1
    blocks.push(...cutting.take(bytes.subarray(at, at + size)))
    at += size
  }
  const whole = Buffer.concat([...blocks, ...cutting.finish()])
  return {
    samples: new Int16Array(whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length)),
    edges: cutting.edges,
  }
}

const DURATION_MS = 4000
/** In order and apart, from a millisecond to seconds long, a millisecond to seconds from each other. */
const stretches = fc
  .uniqueArray(fc.integer({ min: 0, max: DURATION_MS }), { maxLength: 16 })
  .map((times) => {
    const sorted = times.toSorted((a, b) => a - b)
    return Array.from({ length: sorted.length >> 1 }, (_, at) => ({
      startMs: sorted[2 * at] ?? 0,
      endMs: sorted[2 * at + 1] ?? 0,
    }))
  })
const frameRates = fc.constantFrom(
  { count: 24, seconds: 1 },
  { count: 25, seconds: 1 },
  { count: 30_000, seconds: 1001 },
  { count: 60, seconds: 1 },
)
const voice = speech(DURATION_MS)

const lengthOf = ({ startMs, endMs }: Stretch) => per(endMs - startMs)

test('each edge is near where it was asked for, and the clock is right within 20 ms at each', () => {
  fc.assert(
    fc.property(stretches, (cuts) => {
      const { edges, samples } = cut(voice, { cuts })
      expect(edges).toHaveLength(cuts.length)
      let [asked, left, until] = [0, 0, 0]
      for (const [at, { from, to }] of edges.entries()) {
        const { startMs, endMs } = cuts[at] ?? { startMs: 0, endMs: 0 }
        const end = Math.min(to, voice.length)
        expect(from).toBeGreaterThanOrEqual(until)
        expect(Math.abs(from - per(startMs))).toBeLessThanOrEqual(per(60))
        expect(Math.abs(end - per(endMs))).toBeLessThanOrEqual(per(60))
        asked += per(endMs - startMs)
        left += end - from
        expect(Math.abs(left - asked)).toBeLessThanOrEqual(per(20) + 1)
        until = end
      }
      expect(samples).toHaveLength(voice.length - left)
    }),
  )
})

test('of a film each edge lies between two frames, and the clock is right within half a frame', () => {
  fc.assert(
    fc.property(stretches, frameRates, (cuts, frameRate) => {
      const { edges, samples } = cut(voice, { cuts, frameRate })
      const frame = (RATE * frameRate.seconds) / frameRate.count
      let [asked, left] = [0, 0]
      for (const [at, { from, to }] of edges.entries()) {
        for (const edge of [from, to].filter((place) => place !== Infinity))
          expect(Math.abs(edge - Math.round(edge / frame) * frame)).toBeLessThanOrEqual(0.5)
        asked += lengthOf(cuts[at] ?? { startMs: 0, endMs: 0 })
        left += Math.min(to, voice.length) - from
        // Its last frame is a part of one, and lies between no two.
        const most = Math.max(per(20), voice.length - to < frame ? 1.5 * frame : frame / 2)
        expect(Math.abs(left - asked)).toBeLessThanOrEqual(most + 2)
      }
      expect(samples).toHaveLength(voice.length - left)
    }),
  )
})

test('all that is kept is there, unchanged but for the fades', () => {
  fc.assert(
    fc.property(stretches, fc.constantFrom(1, 2), (cuts, channelCount) => {
      const source = speech(DURATION_MS, { channelCount })
      const { edges, samples } = cut(source, { cuts, channelCount })
      let [at, from] = [0, 0]
      for (const to of [...edges.map((edge) => edge.from), source.length / channelCount]) {
        const [first, last] = [from + per(20), to - per(20)]
        for (let place = first * channelCount; place < last * channelCount; place++)
          if (samples[at * channelCount + place - from * channelCount] !== source[place])
            expect.fail(`sample ${place} is another one`)
        at += to - from
        from = edges.find((edge) => edge.from === to)?.to ?? 0
      }
    }),
    { numRuns: 40 },
  )
})

test('samples are the same in blocks of any size', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(stretches, stretches, sizes, (cuts, muted, blockBytes) => {
      const plan = { cuts, muted, muteWith: 'tone', channelCount: 2 } as const
      const source = speech(DURATION_MS, { channelCount: 2 })
      const whole = cut(source, plan, [4 * source.length])
      const cutUp = cut(
        source,
        plan,
        blockBytes.map((size) => 64 + size),
      )
      expect(Buffer.compare(asBytes(cutUp.samples), asBytes(whole.samples))).toBe(0)
    }),
    { numRuns: 40 },
  )
})

const largestJump = (samples: Int16Array) => {
  let largest = 0
  for (let at = 1; at < samples.length; at++)
    largest = Math.max(largest, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)))
  return largest
}

test('no two neighbouring samples are further apart than those of the sound itself', () => {
  const apart = stretches.filter((cuts) =>
    cuts.every(({ startMs }, at) => startMs - (cuts[at - 1]?.endMs ?? -40) >= 40),
  )
  const sources = [speech(DURATION_MS, { seed: 2 }), tone(DURATION_MS, 130), tone(DURATION_MS, 700)]
  fc.assert(
    fc.property(apart, fc.constantFrom(...sources), (cuts, source) => {
      // A fade of 20 ms moves by less than a hundredth of the height in a sample.
      const most = largestJump(source) + 0.02 * Math.max(...source)
      expect(largestJump(cut(source, { cuts }).samples)).toBeLessThanOrEqual(most)
    }),
  )
})

test('an edge is where the sound is quietest', () => {
  const source = tone(3000, 300)
  const pauses = [per(1030), per(1965)]
  for (const pause of pauses) source.fill(silence, pause - per(8), pause + per(8))
  const { edges } = cut(source, { cuts: [{ startMs: 1000, endMs: 1950 }] })
  const [{ from, to } = { from: 0, to: 0 }] = edges
  expect(Math.abs(from - per(1030))).toBeLessThanOrEqual(per(6))
  expect(Math.abs(to - per(1965))).toBeLessThanOrEqual(per(6))
})

test('a cut at the beginning or the end fades in and out, and all of it leaves nothing', () => {
  const source = tone(3000, 300)
  const { samples } = cut(source, {
    cuts: [
      { startMs: 0, endMs: 500 },
      { startMs: 2500, endMs: 3000 },
    ],
  })
  expect(Math.abs(samples.length - per(2000))).toBeLessThanOrEqual(per(20))
  expect(Math.abs(samples[0] ?? 1)).toBeLessThan(200)
  expect(Math.abs(samples.at(-1) ?? 1)).toBeLessThan(200)
  expect(largestJump(samples)).toBeLessThanOrEqual(1.1 * largestJump(source))
  expect(cut(source, { cuts: [{ startMs: 0, endMs: 3000 }] }).samples).toHaveLength(0)
})

test('of what is muted nothing is left, and everything else stays', () => {
  fc.assert(
    fc.property(stretches, fc.constantFrom('silence', 'tone'), (muted, muteWith) => {
      const loud = cut(voice, { cuts: [], muted, muteWith }).samples
      const other = cut(speech(DURATION_MS, { seed: 7 }), { cuts: [], muted, muteWith }).samples
      expect(loud).toHaveLength(voice.length)
      for (const { startMs, endMs } of muted)
        for (let at = per(startMs); at < per(endMs); at++)
          if (loud[at] !== other[at] || (muteWith === 'silence' && loud[at] !== 0))
            expect.fail(`at ${at} something is left`)
      const isTouched = (at: number) =>
        muted.some(({ startMs, endMs }) => at >= per(startMs - 10) && at < per(endMs + 10))
      for (const [at, sample] of loud.entries())
        if (sample !== voice[at] && !isTouched(at)) expect.fail(`at ${at} something is lost`)
    }),
    { numRuns: 40 },
  )
})

test('a muted stretch becomes a soft tone of 1 kHz', () => {
  const muted = [{ startMs: 1000, endMs: 2000 }]
  const { samples } = cut(voice, { cuts: [], muted, muteWith: 'tone' })
  const inside = samples.subarray(per(1010), per(1990))
  expect(Math.max(...inside)).toBeCloseTo(3277, -1)
  const turns = inside.filter((sample, at) => sample >= 0 && (inside[at - 1] ?? 0) < 0).length
  expect(turns / 0.98).toBeCloseTo(1000, -1)
  expect(largestJump(samples.subarray(per(985), per(2015)))).toBeLessThan(largestJump(voice))
})

test('what is muted is not heard in the fade of a cut beside it', () => {
  const source = tone(3000, 300)
  const stretch = { startMs: 1000, endMs: 2000 }
  const muted = [{ startMs: 950, endMs: 2050 }]
  const { samples, edges } = cut(source, { cuts: [stretch], muted })
  const from = edges[0]?.from ?? 0
  expect(new Set(samples.subarray(per(950), from))).toEqual(new Set([0]))
})

test('stretches that are out of order, or touch each other, are not taken', () => {
  const taken =
    (...cuts: Stretch[]) =>
    () =>
      cut(voice, { cuts })
  expect(taken({ startMs: 5, endMs: 5 })).toThrow('apart')
  expect(taken({ startMs: -5, endMs: 5 })).toThrow('apart')
  expect(taken({ startMs: NaN, endMs: 5 })).toThrow('apart')
  expect(taken({ startMs: 50, endMs: 60 }, { startMs: 10, endMs: 20 })).toThrow('apart')
  expect(taken({ startMs: 10, endMs: 20 }, { startMs: 20, endMs: 30 })).toThrow('apart')
})
