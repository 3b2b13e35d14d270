import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { stageStore } from '#test/engine.ts'
import { hasRealModel, realModel } from '#test/real-model.ts'
import { isLong } from '#test/long.ts'
import { writeTinyMoonshine } from '#test/tiny-moonshine.ts'

import { chosen, type Recogniser } from '#features/models/models.ts'

import type { EngineResult, Region } from './engine.ts'
import { likeliest, loadMoonshine } from './moonshine.ts'
import { type Onnxruntime, openOnnxruntime, type Tensor } from './onnxruntime.ts'
import { inOtherLanguage } from './other-language.ts'
import { transcribe } from '../speech.ts'
import { openSherpa } from './sherpa.ts'

const folder = aFolder('moonshine')

const BEGIN = 1
const END = 2

async function aModel(
  name: string,
  model: Omit<Parameters<typeof writeTinyMoonshine>[1], 'name'>,
): Promise<Recogniser> {
  const models = join(folder, name)
  await writeTinyMoonshine(join(models, name), { name, ...model })
  return (await chosen(models)).recogniser!
}

/** Hears 1 s of sound, or so much of a file. */
async function hear(
  model: Recogniser,
  {
    path = join(folder, 'hum.pcm'),
    lengthMs = 1000,
    regions = [{ startMs: 0, endMs: lengthMs }],
  }: { path?: string; lengthMs?: number; regions?: Region[] } = {},
): Promise<Extract<EngineResult, { kind: 'done' }>> {
  const engine = openSherpa(model, { cores: 1 })
  try {
    if (path.endsWith('hum.pcm')) await writeFile(path, Buffer.alloc(lengthMs * 32, 7))
    const pcm = { path, sampleCount: lengthMs * 16, sourceSampleRateHz: 16_000 }
    const chunk = { index: 0, startMs: 0, endMs: lengthMs }
    const signal = new AbortController().signal
    const options = { language: null, regions, workDir: folder, signal }
    const result = await engine.recognise(pcm, [chunk], options)
    if (result.kind !== 'done') throw new Error(`it answered ${result.kind}`)
    return result
  } finally {
    await engine.close?.()
  }
}
const read = ({ words }: { words: readonly { text: string }[] }) =>
  words.map(({ text }) => text).join(' ')

test('the likeliest token is found, with the logarithm of its probability among all', () => {
  const { id, logProbability } = likeliest(Float32Array.of(1, 3, 2, -40))
  expect(id).toBe(1)
  const sum = Math.exp(1) + Math.exp(3) + Math.exp(2)
  expect(logProbability).toBeCloseTo(Math.log(Math.exp(3) / sum), 6)
})

test('tokens become words, each with how likely the model found it', async () => {
  const spelling = ['▁Hel', 'lo', '▁w', 'orld', '.']
  const next = new Map([
    [BEGIN, 3],
    [3, 4],
    [4, 5],
    [5, 6],
    [6, 7],
    [7, END],
  ])
  const sure = await hear(await aModel('sure', { spelling, next }))
  expect(read(sure)).toBe('Hello world.')
  expect(sure.words.every(({ confidence }) => confidence! > 0.99)).toBe(true)

  const unsure = await hear(await aModel('unsure', { spelling, next, logit: 3 }))
  expect(read(unsure)).toBe('Hello world.')
  // Two tokens, each as much likelier than the seven others.
  const each = Math.exp(3) / (Math.exp(3) + 7)
  for (const { confidence } of unsure.words) expect(confidence).toBeCloseTo(each ** 2, 4)
})

test('a letter that is made of two tokens is one letter', async () => {
  const model = await aModel('letters', {
    spelling: ['▁caf', '_', '_', '.'],
    next: new Map([
      [BEGIN, 3],
      [3, 4],
      [4, 5],
      [5, 6],
      [6, END],
    ]),
  })
  const é = [...Buffer.from('é')].map(
    (byte, place) => `${Buffer.of(byte).toString('base64')}\t${4 + place}`,
  )
  const lines = [
    `${Buffer.from('▁caf').toString('base64')}\t3`,
    ...é,
    `${Buffer.from('.').toString('base64')}\t6`,
  ]
  await writeFile(model.files['tokens']!, lines.join('\n'))
  const { words } = await hear(model)
  expect(read({ words })).toBe('café.')
  expect(words[0]!.confidence).toBeGreaterThan(0.99)
})

test('a model that goes round in circles is stopped, and only what it repeats is lost', async () => {
  const spelling = ['▁thank', '▁you']
  const next = new Map([
    [BEGIN, 3],
    [3, 4],
    [4, 3],
  ])
  const { words, cutOff } = await hear(await aModel('circles', { spelling, next }), {
    lengthMs: 8000,
  })
  // The guards of the pipeline cut it short.
  expect(words.length).toBeGreaterThan(20)
  expect(words.length).toBeLessThan(200)
  expect(cutOff).toBeUndefined()
})

test('a short reply that the model hardly believes in is kept, and marked as doubtful', async () => {
  const spelling = ['▁You', '▁know', '.', '▁a', '▁b', '▁c']
  const next = new Map([
    [BEGIN, 3],
    [3, 4],
    [4, 5],
    [5, END],
  ])
  const unsure = await aModel('unsure-reply', { spelling, next, logit: 1 })
  for (const lengthMs of [1000, 3000]) {
    const { words } = await hear(unsure, { lengthMs })
    expect(read({ words })).toBe('You know.')
    for (const { confidence } of words) expect(confidence).toBeLessThan(0.3)
  }
  // Voice activity found nothing here until it listened harder.
  const regions: Region[] = [{ startMs: 100, endMs: 900, isFaint: true }]
  expect(read(await hear(unsure, { regions }))).toBe('')
  const sure = await aModel('sure-reply', { spelling, next, logit: 2 })
  expect(read(await hear(sure, { regions }))).toBe('You know.')
})

test('a step that fails leaves nothing behind in the memory of the library', async () => {
  const next = new Map([
    [BEGIN, 3],
    [3, 3],
  ])
  const { files } = await aModel('broken', { spelling: ['▁a'], next })
  const real = openOnnxruntime()
  const held = new Set<Tensor>()
  let steps = 0
  const hold = (tensor: Tensor): Tensor => {
    const counted = { ...tensor, free: () => (held.delete(counted), tensor.free()) }
    held.add(counted)
    return counted
  }
  const watched: Onnxruntime = {
    tensor: (...given) => hold(real.tensor(...given)),
    load(...given) {
      const session = real.load(...given)
      return {
        ...session,
        run(...asked) {
          // The encoder is the first.
          if (++steps === 4) throw new Error('no memory is left')
          return session.run(...asked).map(hold)
        },
      }
    },
  }
  const { encoder = '', mergedDecoder = '', tokens = '' } = files
  const model = loadMoonshine({ encoder, mergedDecoder, tokens, threads: 1 }, watched)
  expect(() => model.write(new Float32Array(16_000))).toThrow('no memory is left')
  expect(steps).toBe(4)
  expect(held.size).toBe(0)
  expect(model.write(new Float32Array(16_000)).isCutOff).toBe(true)
  expect(held.size).toBe(0)
})

test('an empty text is no failure of the process', async () => {
  const next = new Map([[BEGIN, END]])
  expect(read(await hear(await aModel('silent', { spelling: ['▁a'], next })))).toBe('')
})

if (isLong)
  test.runIf(hasRealModel)(
    'a chunk of 24 s is heard in whole sentences, each word with a probability',
    async () => {
      const sample = fileURLToPath(
        new URL('../../transcriptions/sample/sample.m4a', import.meta.url),
      )
      const path = join(folder, 'sample.pcm')
      const toPcm = ['-v', 'error', '-i', sample, '-f', 's16le', '-ac', '1', '-ar', '16000', path]
      await promisify(execFile)('ffmpeg', toPcm)
      const { words } = await hear(await realModel(), { path, lengthMs: 24_000 })
      expect(words.length).toBeGreaterThan(40)
      expect(read({ words })).toMatch(/^\p{Lu}.*[.?!,] .*/u)
      expect(words.every(({ confidence }) => confidence! > 0 && confidence! <= 1)).toBe(true)
      expect(words.at(-1)!.endMs).toBeGreaterThan(20_000)
      expect(inOtherLanguage(words)).not.toContain(true)
    },
    60_000,
  )

test.runIf(hasRealModel)(
  'in music nobody speaks, so nothing is made up',
  async () => {
    const path = join(folder, 'music.wav')
    const chord = [262, 330, 392].map((hz) => `sin(2*PI*${hz}*t)`).join('+')
    const source = `aevalsrc=0.2*(${chord})*exp(-3*mod(t\\,0.5)):s=16000`
    const generated = ['-v', 'error', '-f', 'lavfi', '-i', source, '-t', '30', path]
    await promisify(execFile)('ffmpeg', generated)
    const engine = openSherpa(await realModel(), { cores: 1 })
    const job = { path, workDir: join(folder, 'work'), engine }
    const { signal } = new AbortController()
    try {
      const result = await transcribe(job, stageStore(), () => undefined, signal)
      expect(result).toEqual({ kind: 'refused', reason: 'no_speech' })
    } finally {
      await engine.close?.()
    }
  },
  60_000,
)

if (isLong)
  test.runIf(hasRealModel)(
    'speech that is in no language it knows, here played backwards, is told from English',
    async () => {
      const sample = fileURLToPath(
        new URL('../../transcriptions/sample/sample.m4a', import.meta.url),
      )
      const path = join(folder, 'backwards.pcm')
      const part = ['-ss', '16', '-t', '9', '-i', sample, '-af', 'areverse']
      const toPcm = ['-v', 'error', ...part, '-f', 's16le', '-ac', '1', '-ar', '16000', path]
      await promisify(execFile)('ffmpeg', toPcm)
      const { words } = await hear(await realModel(), { path, lengthMs: 9000 })
      const isOther = inOtherLanguage(words)
      expect(isOther.filter(Boolean).length).toBeGreaterThan(words.length / 2)
    },
    60_000,
  )
