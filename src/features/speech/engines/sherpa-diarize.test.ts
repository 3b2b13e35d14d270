import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { tinyPcm, type TinyWord, writeTinySpeakers } from '#test/tiny-model.ts'

import { chosen } from '#features/models/models.ts'

import type { PcmFile } from './engine.ts'
import { diarizeWith, windowsOf } from './sherpa-diarize-host.ts'
import { openDiarizer } from './sherpa-diarize.ts'

const signal = new AbortController().signal
const folder = aFolder('diarizer')

/** Each word is said for 1.6 s. */
const aRecording = (said: readonly (TinyWord | { pauseMs: number })[]): Promise<PcmFile> =>
  tinyPcm(join(folder, 'sound.pcm'), said, { toneMs: 1600 })
const times = (word: TinyWord, count: number) => Array.from({ length: count }, () => word)

test('two models that are loaded hear who speaks when', async () => {
  await writeTinySpeakers(folder)
  const { speakers } = await chosen(folder)
  const diarizer = openDiarizer(speakers!)
  try {
    const pcm = await aRecording([
      ...times('hello', 3),
      ...times('test', 3),
      ...times('hello', 2),
      { pauseMs: 3000 },
      ...times('test', 2),
    ])
    const turns = await diarizer.diarize(pcm, [], { signal })
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 1])
    for (const [index, startMs] of [320, 5600, 10_880, 17_400].entries())
      expect(Math.abs(turns[index]!.startMs - startMs)).toBeLessThan(50)
    // Where voice activity found nothing, what is left of a voice at a turn's end may be too short.
    for (const [index, endMs] of [5440, 10_720, 14_240, 20_760].entries())
      expect(Math.abs(turns[index]!.endMs - endMs)).toBeLessThan(400)
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

test('models that hear nobody where somebody speaks have failed', async () => {
  await writeTinySpeakers(folder)
  const { speakers } = await chosen(folder)
  const diarizer = openDiarizer(speakers!)
  const pcm = await aRecording([{ pauseMs: 3000 }])
  expect(await diarizer.diarize(pcm, [], { signal })).toEqual([])
  const regions = [{ startMs: 1000, endMs: 2000 }]
  await expect(diarizer.diarize(pcm, regions, { signal })).rejects.toThrow('heard nobody')
  await diarizer.close?.()
})

test('each moment is heard twice but for the first and last five seconds, in windows of ten', () => {
  expect(windowsOf(23 * 16_000)).toEqual([
    { startMs: 0, endMs: 10_000 },
    { startMs: 5000, endMs: 15_000 },
    { startMs: 10_000, endMs: 20_000 },
    { startMs: 13_000, endMs: 23_000 },
  ])
  expect(windowsOf(2 * 16_000)).toEqual([{ startMs: 0, endMs: 2000 }])
})

test('a voice is listened to in stretches of at most two seconds, cut where it is softest', async () => {
  await writeTinySpeakers(folder)
  const { speakers } = await chosen(folder)
  const pcm = await tinyPcm(join(folder, 'long.pcm'), times('hello', 4), { toneMs: 1600 })
  const question = {
    kind: 'diarize',
    segmentation: null,
    embedding: speakers!.embedding.files['model']!,
    pcmPath: pcm.path,
    sampleCount: pcm.sampleCount,
  } as const
  const require = createRequire(import.meta.url)
  const [window] = (await diarizeWith(question, { require, isCancelled: () => false }))!
  const { runs, stretches } = window!.voices[0]!
  expect(runs).toEqual([{ startMs: 0, endMs: window!.endMs }])
  expect(stretches[0]!.startMs).toBe(0)
  expect(stretches.at(-1)!.endMs).toBe(window!.endMs)
  for (const [index, { startMs, endMs, sound }] of stretches.entries()) {
    expect(startMs).toBe(stretches[index - 1]?.endMs ?? 0)
    expect(endMs - startMs).toBeLessThanOrEqual(2000)
    expect(Math.hypot(...sound)).toBeCloseTo(1)
  }
  // A word lasts 1.6 s, and 160 ms of silence follow.
  for (const { endMs } of stretches.slice(0, -1))
    expect((endMs - 320) % 1760).toBeGreaterThanOrEqual(1600)
})
