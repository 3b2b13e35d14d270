import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { tinyPcm, type TinyWord, writeTinySpeakers } from '#test/tiny-model.ts'

import { chosen } from '#features/models/models.ts'

import type { PcmFile } from './engine.ts'
import { listeningPlan } from './sherpa-diarize-host.ts'
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

test('each moment is judged by the window in whose middle it lies', () => {
  const minute = listeningPlan(60 * 16_000, [{ startMs: 900, endMs: 24_000 }])
  const spans = minute.flatMap((window) => window.spans.map((span) => ({ window, span })))
  expect(spans.map(({ span }) => span.startMs)).toEqual([
    0,
    ...spans.slice(0, -1).map(({ span }) => span.endMs),
  ])
  expect(spans.at(-1)?.span.endMs).toBe(60_000)
  for (const { window, span } of spans) {
    expect(span.startMs).toBeGreaterThanOrEqual(window.startMs)
    expect(span.endMs).toBeLessThanOrEqual(window.endMs)
    expect(span.endMs - span.startMs).toBeLessThanOrEqual(3000)
  }
  expect(spans.some(({ span }) => span.endMs === 24_000 && span.isSpeech)).toBe(true)
  expect(listeningPlan(2 * 16_000, []).map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 2000],
  ])
})
