import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'

import { beforeAll, expect, test } from 'vitest'
import { aFolder } from '#test/folder.ts'
import { findSpeech } from '#test/find-speech.ts'

import { diarizationErrors, parseRttm } from '../../../../bench/metrics.ts'
import type { PcmFile } from '../engines/engine.ts'
import { diarize } from './diarize.ts'
import { findSpeakers } from './speakers.ts'

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../transcriptions/sample/${name}`, import.meta.url))
const signal = new AbortController().signal
const folder = aFolder('diarize')
let sample: PcmFile

beforeAll(async () => {
  sample = await decoded(fixture('sample.m4a'))
})

test('the two voices of the sample are told apart, turn by turn', async () => {
  const reference = parseRttm(await readFile(fixture('sample.rttm'), 'utf8'))
  const { regions } = await findSpeech(sample, { signal })
  const turns = await diarize(sample, regions, { signal })

  expect(new Set(turns.map(({ speaker }) => speaker))).toEqual(new Set([0, 1]))
  expect(turns[0]?.speaker).toBe(0)
  expect(diarizationErrors(reference, turns, { collarMs: 250 }).rate).toBeLessThan(0.05)
  expect(diarizationErrors(reference, turns, { collarMs: 0 }).rate).toBeLessThan(0.1)
})

test('a recording that is read in parts has the same speakers in all of them', async () => {
  const reference = parseRttm(await readFile(fixture('sample.rttm'), 'utf8'))
  const { regions } = await findSpeech(sample, { signal })
  const turns = findSpeakers({ pcm: sample, regions, speakers: {}, partMs: 20_000 })
  expect(new Set(turns.map(({ speaker }) => speaker))).toEqual(new Set([0, 1]))
  expect(diarizationErrors(reference, turns, { collarMs: 250 }).rate).toBeLessThan(0.05)
})

test('turns are sorted, never overlap and stay inside the speech that was found', async () => {
  const regions = [
    { startMs: 276, endMs: 6456 },
    { startMs: 6868, endMs: 13_048 },
    { startMs: 13_396, endMs: 18_200 },
  ]
  const turns = await diarize(sample, regions, { signal })
  expect(turns.map(({ startMs, endMs }) => ({ startMs, endMs }))).toEqual(regions)
  expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0])
})

test('a given number of speakers is found', async () => {
  const regions = [{ startMs: 276, endMs: 30_000 }]
  const turns = await diarize(sample, regions, { signal, speakers: { count: 1 } })
  expect(turns).toEqual([{ speaker: 0, startMs: 276, endMs: 30_000 }])
})

test('no speech has no speakers, and a fraction of a second has one', async () => {
  expect(await diarize(sample, [], { signal })).toEqual([])
  expect(await diarize(sample, [{ startMs: 5, endMs: 10 }], { signal })).toEqual([])
  expect(await diarize(sample, [{ startMs: 1000, endMs: 1200 }], { signal })).toEqual([
    { speaker: 0, startMs: 1000, endMs: 1200 },
  ])
})

test('digital silence that was called speech has one speaker', async () => {
  const silence = await silent(60_000)
  const turns = await diarize(silence, [{ startMs: 0, endMs: 60_000 }], { signal })
  expect(turns).toEqual([{ speaker: 0, startMs: 0, endMs: 60_000 }])
})

test('aborting ends the thread', async () => {
  const threeHours = await silent(3 * 3_600_000)
  const region = { startMs: 0, endMs: 3 * 3_600_000 }
  const cancel = new AbortController()
  const started = once(process, 'worker') as Promise<[Worker]>
  const rejected = diarize(threeHours, [region], { signal: cancel.signal }).catch(
    (error: unknown) => error,
  )
  const [thread] = await started
  await once(thread, 'message') // it is ready, and was given its work
  const ended = once(thread, 'exit')
  cancel.abort()
  expect(await rejected).toMatchObject({ name: 'AbortError' })
  await ended
})

test('a recording that cannot be read is an error, not an empty answer', async () => {
  const missing = { ...sample, path: join(folder, 'missing.raw') }
  await expect(diarize(missing, [{ startMs: 0, endMs: 1000 }], { signal })).rejects.toThrow(
    'ENOENT',
  )
})

async function decoded(recording: string): Promise<PcmFile> {
  const path = join(folder, 'sample.raw')
  const output = ['-ac', '1', '-ar', '16000', '-f', 's16le', path]
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', recording, ...output])
  const { size } = await stat(path)
  return { path, sampleCount: size / 2, sourceSampleRateHz: 16_000 }
}

async function silent(durationMs: number): Promise<PcmFile> {
  const path = join(folder, `silent-${durationMs}.raw`)
  const sampleCount = durationMs * 16
  await using file = await open(path, 'w')
  await file.truncate(2 * sampleCount)
  return { path, sampleCount, sourceSampleRateHz: 16_000 }
}

/** Of all threads of this process, as Linux shows them. */
