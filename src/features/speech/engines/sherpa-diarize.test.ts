import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type TinyWord, tinySpeech, writeTinySpeakers } from '#test/tiny-model.ts'

import { chosen } from '#features/models/models.ts'

import type { PcmFile } from './engine.ts'
import type { Voice } from './sherpa-diarize-host.ts'
import { joinVoices, openDiarizer, withoutOverlaps } from './sherpa-diarize.ts'

const signal = new AbortController().signal
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diarizer-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function aRecording(said: readonly (TinyWord | { pauseMs: number })[]): Promise<PcmFile> {
  const path = join(folder, 'sound.pcm')
  const pcm = tinySpeech(said)
  await writeFile(path, pcm)
  return { path, sampleCount: pcm.length / 2, sourceSampleRateHz: 16_000 }
}
const times = (word: TinyWord, count: number) => Array.from({ length: count }, () => word)

test('two models that are loaded hear who speaks when', async () => {
  await writeTinySpeakers(folder)
  const { speakers } = await chosen(folder)
  const diarizer = openDiarizer(speakers!)
  try {
    const pcm = await aRecording([
      ...times('hello', 12),
      ...times('test', 12),
      ...times('hello', 8),
      { pauseMs: 3000 },
      ...times('test', 10),
    ])
    const turns = await diarizer.diarize(pcm, [], { signal })
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 1])
    for (const [index, startMs] of [320, 5120, 9920, 16_120].entries())
      expect(Math.abs(turns[index]!.startMs - startMs)).toBeLessThan(50)
    for (const [index, endMs] of [4960, 9760, 12_960, 19_960].entries())
      expect(Math.abs(turns[index]!.endMs - endMs)).toBeLessThan(100)
    const one = await diarizer.diarize(pcm, [], { signal, speakers: { count: 1 } })
    expect(new Set(one.map(({ speaker }) => speaker))).toEqual(new Set([0]))
  } finally {
    await diarizer.close?.()
  }
})

test('a model that is broken fails, so that our own diarization can take over', async () => {
  const broken = join(folder, 'broken')
  await writeTinySpeakers(broken)
  await writeFile(join(broken, 'tiny-segmentation/model.onnx'), Buffer.alloc(900, 9))
  const { speakers } = await chosen(broken)
  const diarizer = openDiarizer(speakers!)
  const pcm = await aRecording(times('test', 5))
  await expect(diarizer.diarize(pcm, [], { signal })).rejects.toThrow('tiny-segmentation')
  await diarizer.close?.()
})

/** A voice that sounds like a direction in the plane, in degrees. */
function aVoice(degrees: number | null, ...stretches: [number, number][]): Voice {
  const angle = ((degrees ?? 0) * Math.PI) / 180
  return {
    embedding: degrees === null ? null : Float32Array.of(Math.cos(angle), Math.sin(angle)),
    stretches: stretches.map(([startMs, endMs]) => ({ startMs, endMs })),
  }
}

test('voices of different blocks that sound alike are one person', () => {
  const voices = [
    aVoice(0, [0, 10_000]),
    aVoice(120, [10_000, 20_000]),
    aVoice(110, [600_000, 610_000]),
    aVoice(10, [610_000, 620_000]),
  ]
  const [a, b, c, d] = joinVoices(voices, {}, 0.4)
  expect(a).toBe(d)
  expect(b).toBe(c)
  expect(a).not.toBe(b)
})

test('how similar two voices must be to count as one depends on the model', () => {
  const voices = [aVoice(0, [0, 10_000]), aVoice(60, [10_000, 20_000])]
  expect(new Set(joinVoices(voices, {}, 0.4)).size).toBe(1)
  expect(new Set(joinVoices(voices, {}, 0.7)).size).toBe(2)
})

test('a known number of speakers is found', () => {
  const voices = [0, 20, 120, 140, 240].map((degrees, index) =>
    aVoice(degrees, [index * 10_000, index * 10_000 + 9000]),
  )
  expect(new Set(joinVoices(voices, {}, 0.4)).size).toBe(3)
  expect(new Set(joinVoices(voices, { count: 2 }, 0.4)).size).toBe(2)
  expect(new Set(joinVoices(voices, { count: 1 }, 0.4)).size).toBe(1)
  expect(new Set(joinVoices(voices, { count: 4 }, 0.4)).size).toBe(4)
})

test('never more speakers than the most, and fewer where fewer speak', () => {
  const voices = [0, 120, 240].map((degrees, index) =>
    aVoice(degrees, [index * 10_000, index * 10_000 + 9000]),
  )
  const found = (max: number) => new Set(joinVoices(voices, { max }, 0.4)).size
  expect([1, 2, 3, 5].map(found)).toEqual([1, 2, 3, 3])
})

test('with two speakers given, a cough is none of them', () => {
  const voices = [
    aVoice(0, [0, 100_000]),
    aVoice(70, [100_000, 200_000]),
    aVoice(200, [200_000, 200_500]),
  ]
  const [first, second] = joinVoices(voices, { count: 2 }, 0.4)
  expect(first).not.toBe(second)
  expect(joinVoices(voices, { max: 2 }, 0.4)[0]).not.toBe(joinVoices(voices, { max: 2 }, 0.4)[1])
})

test('a voice of half a second is no new speaker, and one that cannot be compared joins the nearest', () => {
  const voices = [
    aVoice(0, [0, 100_000]),
    aVoice(180, [100_000, 200_000]),
    aVoice(100, [200_000, 200_500]),
    aVoice(null, [99_000, 99_300]),
  ]
  const [first, second, cough, unheard] = joinVoices(voices, {}, 0.4)
  expect(cough).toBe(second)
  expect(unheard).toBe(first)
  expect(joinVoices([aVoice(null, [0, 300])], {}, 0.4)).toEqual([0])
  expect(joinVoices([], {}, 0.4)).toEqual([])
})

test('a short word inside the turn of another is heard, and an overlap is shared', () => {
  const voices = [
    aVoice(0, [0, 10_000], [20_000, 26_000]),
    aVoice(180, [4000, 5000], [24_000, 30_000]),
  ]
  expect(withoutOverlaps(voices, [0, 1])).toEqual([
    { speaker: 0, startMs: 0, endMs: 4000 },
    { speaker: 1, startMs: 4000, endMs: 5000 },
    { speaker: 0, startMs: 5000, endMs: 10_000 },
    { speaker: 0, startMs: 20_000, endMs: 25_000 },
    { speaker: 1, startMs: 25_000, endMs: 30_000 },
  ])
})

test('however voices overlap, turns follow each other and stay where somebody spoke', () => {
  const stretch = fc
    .tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 3000 }))
    .map(([from, length]): [number, number] => [from, from + length])
  const voices = fc.array(
    fc.array(stretch, { minLength: 1, maxLength: 5 }).map((each) => aVoice(0, ...each)),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(voices, (several) => {
      const turns = withoutOverlaps(
        several,
        several.map((_, index) => index),
      )
      let lastMs = 0
      for (const { speaker, startMs, endMs } of turns) {
        expect(startMs).toBeGreaterThanOrEqual(lastMs)
        expect(endMs).toBeGreaterThan(startMs)
        lastMs = endMs
        const own = several[speaker]!.stretches
        const covered = (ms: number) => own.some((one) => one.startMs <= ms && ms < one.endMs)
        expect(covered(startMs) && covered(endMs - 1)).toBe(true)
      }
      const spoken = several.flatMap((voice) => voice.stretches)
      for (const { startMs } of spoken)
        expect(turns.some((turn) => turn.startMs <= startMs && startMs < turn.endMs)).toBe(true)
    }),
  )
})
