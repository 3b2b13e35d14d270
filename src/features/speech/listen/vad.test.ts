import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, expect, test } from 'vitest'

import { decodeToFile } from '#features/sound/decode.ts'
import { aFolder } from '#test/folder.ts'
import { findSpeech } from '#test/find-speech.ts'

import type { PcmFile, Region } from '../engines/engine.ts'
import type { HeardPiece } from './chunks.ts'
import { listen } from './vad.ts'

const fixture = (name: string) => join(import.meta.dirname, '../../transcriptions/sample', name)
const signal = new AbortController().signal

const folder = aFolder('vad')
let sample: PcmFile
/** The speech that the detector in use hears in the sample. */
let whole: Awaited<ReturnType<typeof findSpeech>>
beforeAll(async () => {
  sample = await pcmOf(fixture('sample.m4a'), 'sample')
  whole = await findSpeech(sample, { signal })
})

async function pcmOf(recording: string, name: string): Promise<PcmFile> {
  const path = join(folder, `${name}.pcm`)
  const decoded = await decodeToFile(recording, path, { signal, maxDurationMs: 3_600_000 })
  if (decoded.kind === 'refused') throw new Error(decoded.reason)
  return { path, ...decoded }
}

/** ffmpeg's own sources of sound. */
async function generated(source: string, name: string): Promise<PcmFile> {
  const path = join(folder, `${name}.wav`)
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, path])
  return pcmOf(path, name)
}

/** Where the sample's speakers really talk. */
async function spoken(): Promise<Region[]> {
  const lines = (await readFile(fixture('sample.rttm'), 'utf8')).trim().split('\n')
  return lines.map((line) => {
    const [, , , start, length] = line.split(' ')
    const startMs = Number(start) * 1000
    return { startMs, endMs: startMs + Number(length) * 1000 }
  })
}
const overlapMs = (a: readonly Region[], b: readonly Region[]) =>
  a
    .flatMap((x) =>
      b.map((y) => Math.max(0, Math.min(x.endMs, y.endMs) - Math.max(x.startMs, y.startMs))),
    )
    .reduce((sum, ms) => sum + ms, 0)
const lengthMs = (regions: readonly Region[]) =>
  regions.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)

test.each(['best', 'energy'] as const)(
  'speech is found where it is spoken (%s)',
  async (detector) => {
    const { regions } = detector === 'best' ? whole : await findSpeech(sample, { signal, detector })
    const truth = await spoken()
    const foundMs = overlapMs(truth, regions)
    expect(foundMs / lengthMs(truth)).toBeGreaterThan(0.9)
    expect(foundMs / lengthMs(regions)).toBeGreaterThan(0.85)
    for (const [index, { startMs, endMs }] of regions.entries()) {
      expect(Number.isInteger(startMs) && Number.isInteger(endMs)).toBe(true)
      expect(startMs).toBeGreaterThanOrEqual(regions[index - 1]?.endMs ?? 0)
      expect(endMs).toBeGreaterThan(startMs)
    }
    expect(regions.at(-1)!.endMs).toBeLessThanOrEqual(Math.floor(sample.sampleCount / 16))
  },
)

test('the neural detector is the one that is used', () => {
  const { detector, isNarrowBand } = whole
  expect({ detector, isNarrowBand }).toEqual({ detector: 'silero', isNarrowBand: false })
})

test.each([
  ['silence', 'anullsrc=r=16000:cl=mono:d=8'],
  ['noise', 'anoisesrc=c=pink:a=0.2:d=8:seed=1'],
  ['noise that is lifted', 'anoisesrc=c=pink:a=0.005:d=8:seed=1'],
  ['hiss that is lifted', 'anoisesrc=c=white:a=0.003:d=8:seed=1'],
  ['hum', 'sine=f=50:d=8'],
])('%s holds no speech', async (name, source) => {
  const pcm = await generated(source, name)
  expect((await findSpeech(pcm, { signal })).regions).toEqual([])
  expect((await findSpeech(pcm, { signal, detector: 'energy' })).regions).toEqual([])
})

test('a telephone call is recognised by its sound, whatever rate it is saved with', async () => {
  const path = join(folder, 'call.wav')
  const narrow = ['-i', fixture('sample.m4a'), '-t', '20', '-af', 'aresample=8000,aresample=44100']
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...narrow, path])
  const call = await pcmOf(path, 'call')
  expect(call.sourceSampleRateHz).toBe(44_100)
  expect((await findSpeech(call, { signal })).isNarrowBand).toBe(true)
})

test('a recording that is heard while it is written has the same speech as when it is whole', async () => {
  const pieces: HeardPiece[] = []
  const first = Promise.withResolvers<void>()
  const listening = listen(sample.path, {
    signal,
    onHeard: (heard) => {
      pieces.push(heard)
      if (heard.settledMs > 0) first.resolve()
    },
  })
  const { sampleCount } = sample
  listening.grown({ sampleCount: Math.floor(sampleCount / 2) + 1234, isAll: false })
  // Some of it is certain before the rest is there.
  await first.promise
  listening.grown({ sampleCount: sampleCount - 1, isAll: false })
  listening.grown({ sampleCount, isAll: true })
  await listening.ended

  expect(pieces.flatMap(({ regions }) => regions)).toEqual(whole.regions)
  expect(pieces.flatMap(({ loudness }) => [...loudness])).toEqual([...whole.loudness])
  for (const [index, { settledMs }] of pieces.entries())
    for (const { startMs } of pieces.slice(index + 1).flatMap(({ regions }) => regions))
      expect(startMs).toBeGreaterThanOrEqual(settledMs)
})

test('the speech of a nearly silent recording is reported only at its end', async () => {
  const path = join(folder, 'quiet.wav')
  const late = ['-t', '2', '-i', fixture('sample.m4a'), '-af', 'adelay=60000|60000']
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...late, path])
  const pieces: HeardPiece[] = []
  await findSpeech(await pcmOf(path, 'quiet'), { signal, onHeard: (heard) => pieces.push(heard) })
  const told = pieces.map(({ regions }) => regions.length)
  expect(told.at(-1)).toBeGreaterThan(0)
  expect(told.slice(0, -1).every((count) => count === 0)).toBe(true)
  expect(pieces.slice(0, -1).every(({ settledMs }) => settledMs === 0)).toBe(true)
})

test.each(['best', 'energy'] as const)(
  'on a side, what is softer than its own voice all the time is no speech (%s)',
  async (detector) => {
    const heardAt = async (floorDb: number | null) => {
      const regions: Region[] = []
      const onHeard = (heard: HeardPiece) => void regions.push(...heard.regions)
      const listening = listen(sample.path, { signal, detector, floorDb, onHeard })
      listening.grown({ sampleCount: sample.sampleCount, isAll: true })
      await listening.ended
      return lengthMs(regions)
    }
    expect(await heardAt(-60)).toBe(await heardAt(null))
    expect(await heardAt(-3)).toBe(0)
  },
)

test('aborting ends it', async () => {
  const stop = new AbortController()
  const heard = findSpeech(sample, {
    signal: stop.signal,
    onHeard: () => stop.abort(new Error('cancelled')),
  })
  await expect(heard).rejects.toThrow('cancelled')
})
