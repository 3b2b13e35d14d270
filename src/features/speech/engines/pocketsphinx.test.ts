import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, expect, test } from 'vitest'

import { decodeToFile } from '#features/sound/decode.ts'
import { aFolder } from '#test/folder.ts'
import { isLong } from '#test/long.ts'
import { childrenOf } from '#test/children.ts'

import { wordErrors } from '../../../../bench/metrics.ts'
import type { Chunk, PcmFile } from './engine.ts'
import { openPocketsphinx, readCtm } from './pocketsphinx.ts'

const fixture = (name: string) => join(import.meta.dirname, '../../transcriptions/sample', name)
const signal = new AbortController().signal
/** As the kernel shows it: 15 characters. */
const processName = 'pocketsphinx_batch'.slice(0, 15)

const workDir = aFolder('pocketsphinx')
let sample: PcmFile
/** The text of these turns. */
let said: (...turns: number[]) => string
beforeAll(async () => {
  const path = join(workDir, 'sample.pcm')
  const decoded = await decodeToFile(fixture('sample.m4a'), path, {
    signal,
    maxDurationMs: 600_000,
  })
  if (decoded.kind === 'refused') throw new Error(decoded.reason)
  sample = { path, ...decoded }
  const lines = (await readFile(fixture('sample.txt'), 'utf8')).split('\n')
  said = (...turns) => turns.map((turn) => lines[turn]?.replace(/^\w+: /, '')).join(' ')
})

const chunk = (index: number, startMs: number, endMs: number): Chunk => ({ index, startMs, endMs })

test('the words of a chunk come with times of the recording and confidences; of silence none do', async () => {
  const engine = await openPocketsphinx()
  const chunks = [chunk(3, 18_500, 23_300), chunk(4, 67_800, 71_400)]
  const wordless = [chunk(5, 0, 120), chunk(6, 13_150, 13_350)]
  const all = [...chunks, ...wordless]
  const result = await engine.recognise(sample, all, { language: null, workDir, signal })
  expect(result).toMatchObject({ kind: 'done', language: 'en' })
  if (result.kind !== 'done') return

  const { rate } = wordErrors(said(3, 11), result.words.map(({ text }) => text).join(' '))
  expect(rate).toBeLessThan(0.25)
  for (const { startMs, endMs, confidence } of result.words) {
    expect(chunks.some((one) => one.startMs <= startMs && endMs <= one.endMs)).toBe(true)
    expect(confidence).toBeGreaterThanOrEqual(0)
    expect(confidence).toBeLessThanOrEqual(1)
  }
  const train = result.words.find(({ text }) => text === 'train')
  expect(Math.abs(train!.endMs - 23_000)).toBeLessThan(300)
  expect(await readdir(workDir)).toEqual(['sample.pcm'])
})

test('aborting ends the process and leaves nothing behind', async () => {
  const engine = await openPocketsphinx()
  const stop = new AbortController()
  const running = engine.recognise(sample, [chunk(0, 0, 20_000)], {
    language: null,
    workDir,
    signal: stop.signal,
  })
  setTimeout(() => stop.abort(new Error('cancelled')), 400)
  await expect(running).rejects.toThrow('cancelled')
  expect(await childrenOf(process.pid)).not.toContain(processName)
  expect(await readdir(workDir)).toEqual(['sample.pcm'])
})

test('several groups wait for a free core', async () => {
  const engine = await openPocketsphinx({ cores: 1 })
  const stop = new AbortController()
  const groups = [0, 1, 2].map((index) =>
    engine.recognise(sample, [chunk(index, 0, index === 0 ? 1_000 : 15_000)], {
      language: null,
      workDir,
      signal: stop.signal,
    }),
  )
  const recognisers = async () =>
    (await childrenOf(process.pid)).filter((name) => name === processName)
  await groups[0]
  // Without the wait, both others would have begun with the first.
  await expect.poll(recognisers, { interval: 20 }).not.toEqual([])
  expect(await recognisers()).toHaveLength(1)
  stop.abort(new Error('enough'))
  const endings = await Promise.allSettled(groups)
  expect(endings.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
})

test('a surer word is never less probable, and none is certain', () => {
  const posteriors = [0, 0.05, 0.1, 0.29, 0.3, 0.5, 0.77, 0.95, 0.999, 1, 1.2]
  const ctm = posteriors.map((value) => `0 1 0.05 0.26 word ${value}`).join('\n')
  const heard = readCtm(ctm, [chunk(0, 0, 1000)]).map(({ confidence }) => confidence)
  expect(heard).toEqual(heard.toSorted((a, b) => a! - b!))
  expect(heard[0]).toBeGreaterThan(0.2)
  expect(heard.at(-1)).toBeLessThan(1)
})

if (isLong)
  test('a telephone call is heard with means of its own', async () => {
    const path = join(workDir, 'call.wav')
    const band = 'highpass=f=300,lowpass=f=3400,aresample=8000'
    const narrow = ['-i', fixture('sample.m4a'), '-t', '7', '-af', band]
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...narrow, path])
    const pcmPath = join(workDir, 'call.pcm')
    const decoded = await decodeToFile(path, pcmPath, { signal, maxDurationMs: 600_000 })
    if (decoded.kind === 'refused') throw new Error(decoded.reason)
    const call: PcmFile = { path: pcmPath, ...decoded }
    const engine = await openPocketsphinx()
    const result = await engine.recognise(call, [chunk(0, 0, 6700)], {
      language: null,
      workDir,
      signal,
    })
    if (result.kind !== 'done') throw new Error(result.kind)
    const { rate } = wordErrors(said(0), result.words.map(({ text }) => text).join(' '))
    // It is a third with the model's own means, and a fifth with these.
    expect(rate).toBeLessThan(0.27)
    await Promise.all([rm(path), rm(pcmPath)])
  })

test('a CTM file is read line by line, whatever else stands in it', () => {
  const ctm = [
    '7 1 0.05 0.26 once 0.473',
    '7 1 0.32 0.09 the(2) 1.200',
    '7 1 0.41 0.10 <sil> 1.000',
    '7 1 0.52 0.30 [NOISE] 0.9',
    '7 1 0.90 0.10  0.5',
    'other 1 0.1 0.1 word 0.5',
    '8 1 3.90 0.50 late 0.100',
    '',
  ].join('\n')
  expect(readCtm(ctm, [chunk(7, 1000, 4000), chunk(8, 4000, 8200)])).toEqual([
    { text: 'once', startMs: 1050, endMs: 1310, confidence: 0.581 },
    { text: 'the', startMs: 1320, endMs: 1410, confidence: 0.97 },
    { text: 'late', startMs: 7900, endMs: 8200, confidence: 0.38 },
  ])
})
