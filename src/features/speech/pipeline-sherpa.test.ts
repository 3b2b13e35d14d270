/** A recording all the way to words with times, by a model that the real neural engine loads. */
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { stageStore } from '#test/engine.ts'
import { transcriberFake } from '#test/fakes/transcriber.ts'
import {
  asWav,
  type TinyWord,
  tinySpeech,
  writeTinyModel,
  writeTinySpeakers,
} from '#test/tiny-model.ts'

import { type BrokenModel, chooseEngine, type EngineSettings, transcribe } from './speech.ts'

const voice = join(import.meta.dirname, '../transcriptions/sample/sample.m4a')
const words: readonly (TinyWord | { pauseMs: number })[] = [
  ...(['hello', 'world', 'this', 'is', 'a', 'test', 'hello', 'world'] as const),
  { pauseMs: 4000 },
  ...(['test', 'is', 'this', 'a', 'world', 'hello'] as const),
]
const spoken = words.filter((word) => typeof word === 'string')
/** 320 ms of silence, 400 ms for each word; what follows the pause is 4 s later. */
const startOf = (index: number) => 320 + index * 400 + (index >= 8 ? 4000 : 0)

const folder = aFolder('pipeline')
let recording: string
beforeAll(async () => {
  await writeTinyModel(join(folder, 'models/tiny'))
  recording = join(folder, 'upload.wav')
  await writeFile(recording, asWav(await voiced(tinySpeech(words))))
})

/**
 * Mixes a quiet voice under the tones, but not in the pause: voice activity takes tones alone for
 * silence.
 */
async function voiced(tones: Buffer): Promise<Buffer> {
  const decode = '-v error -ss 6.9 -ac 1 -ar 16000 -f s16le pipe:1'.split(' ')
  const { stdout } = await promisify(execFile)('ffmpeg', ['-i', voice, ...decode], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  })
  const murmur = 0.3
  const pause = { from: (320 + 8 * 400) * 16, to: (320 + 8 * 400 + 4000) * 16 }
  const mixed = Buffer.alloc(tones.length)
  for (let at = 0; at < tones.length / 2; at++) {
    const isPause = at >= pause.from && at < pause.to
    // The voice is silent in the pause, and goes on where it stopped.
    const spokenAt = at < pause.from ? at : at - (pause.to - pause.from)
    const under = isPause ? 0 : stdout.readInt16LE(spokenAt * 2) * murmur
    mixed.writeInt16LE(Math.round(tones.readInt16LE(at * 2) + under), at * 2)
  }
  return mixed
}

async function heardBy(settings: EngineSettings, language: string | null = null) {
  const engine = await chooseEngine(settings)
  const workDir = await mkdtemp(join(folder, 'work-'))
  const signal = new AbortController().signal
  try {
    const job = { path: recording, workDir, engine, language }
    const result = await transcribe(job, stageStore(), () => undefined, signal)
    if (result.kind === 'refused') throw new Error(result.reason)
    return { ...result, words: result.turns.flatMap((turn) => turn.words) }
  } finally {
    await engine.close?.()
  }
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

test('a recording becomes words with times, by a model that is installed', async () => {
  const modelsDir = join(folder, 'models')
  const { engine, words, turns } = await heardBy({ transcriber: 'auto', modelsDir })
  expect(engine).toBe('sherpa')
  expect(words.map(({ text }) => plain(text))).toEqual(spoken)
  for (const [index, { startMs, endMs }] of words.entries()) {
    expect(Math.abs(startMs - startOf(index)), `word ${index}`).toBeLessThanOrEqual(100)
    expect(endMs).toBeLessThanOrEqual(startOf(index) + 440)
  }
  expect(turns.length).toBeGreaterThan(1)
})

test.each([
  ['whole', undefined],
  ['broken', Buffer.alloc(900, 9)],
])('with a %s pair of models for speakers the recording has its speakers', async (what, damage) => {
  const modelsDir = join(folder, `models-${what}`)
  await writeTinyModel(join(modelsDir, 'tiny'))
  await writeTinySpeakers(modelsDir)
  if (damage) await writeFile(join(modelsDir, 'tiny-segmentation/model.onnx'), damage)
  const broken: string[] = []
  const onBroken = ({ id }: BrokenModel) => void broken.push(id)
  const heard = await heardBy({ transcriber: 'auto', modelsDir, onBroken })
  expect(heard.words.map(({ text }) => plain(text))).toEqual(spoken)
  expect(heard.turns.every(({ speaker }) => speaker !== null)).toBe(true)
  expect(broken).toEqual(damage ? ['tiny-segmentation'] : [])
})

test.each([
  ['whisper-1', 100, undefined],
  ['gpt-4o-transcribe', 700, true],
])(
  'the same recording becomes words with times by %s on a server',
  async (model, nearMs, isEstimated) => {
    const server = await transcriberFake()
    try {
      const openai = { apiKey: null, baseUrl: server.url, model }
      const heard = await heardBy({ transcriber: 'auto', openai }, 'de')
      expect(heard.engine).toBe('openai')
      expect(heard.language).toBe('de')
      expect(heard.words.map(({ text }) => plain(text))).toEqual(spoken)
      for (const [index, { startMs, ...word }] of heard.words.entries()) {
        expect(Math.abs(startMs - startOf(index)), `word ${index}`).toBeLessThanOrEqual(nearMs)
        expect(word.isEstimated).toBe(isEstimated)
      }
      expect(server.asked.every(({ language }) => language === 'de')).toBe(true)
    } finally {
      await server.close()
    }
  },
)

test('the speakers that a server names are the speakers of the recording', async () => {
  const server = await transcriberFake()
  try {
    const openai = { apiKey: null, baseUrl: server.url, model: 'gpt-4o-transcribe-diarize' }
    const { turns } = await heardBy({ transcriber: 'openai', openai })
    // It gives each sentence to whoever says its first word: low tones are one voice, high ones another.
    const bySpeaker = turns.map(({ speaker, text }) => [speaker, plain(text).slice(0, 5)])
    expect(bySpeaker.at(0)).toEqual([0, 'hello'])
    expect(bySpeaker.at(-1)?.[0]).toBe(1)
  } finally {
    await server.close()
  }
})
