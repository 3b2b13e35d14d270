import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { descendantsOf } from '#test/children.ts'
import {
  inByteLetters,
  tinyPcm,
  type TinyWord,
  tinyWords,
  writeTinyModel,
} from '#test/tiny-model.ts'

import { chosen, familyNames, filesOf, type Recogniser } from '#features/models/models.ts'

import type { Chunk, Engine, PcmFile } from './engine.ts'
import { openSherpa } from './sherpa.ts'

const never = new AbortController().signal
const folder = aFolder('sherpa')
let model: Recogniser
const opened: Engine[] = []

beforeAll(async () => {
  model = await aModel('tiny')
})
afterAll(async () => {
  for (const engine of opened) await engine.close?.()
})

/** A model of its own folder of models, which is then the one in use. */
async function aModel(name: string, damage?: (folder: string) => Promise<void>) {
  const models = join(folder, `models-${name}`)
  await writeTinyModel(join(models, name), { name })
  await damage?.(join(models, name))
  const { recogniser } = await chosen(models)
  return recogniser!
}

function anEngine(of: Recogniser, options: Parameters<typeof openSherpa>[1] = {}): Engine {
  const engine = openSherpa(of, options)
  opened.push(engine)
  return engine
}

const aRecording = (
  name: string,
  words: readonly (TinyWord | { pauseMs: number })[],
): Promise<PcmFile> => tinyPcm(join(folder, `${name}.pcm`), words)

const chunk = (index: number, startMs: number, endMs: number): Chunk => ({ index, startMs, endMs })
/** Work for seconds, in 200 s of sound. */
const manyChunks = () =>
  Array.from({ length: 400 }, (_, index) => chunk(index, index * 400, index * 400 + 20_000))
const options = () => ({ language: null, workDir: folder, signal: never })

/** The processes of ours in which a model is loaded. */
async function hosts(): Promise<number[]> {
  const all = await descendantsOf(process.pid)
  return all
    .filter(({ isZombie, name }) => !isZombie && /^(node|MainThread)/.test(name))
    .map(({ pid }) => pid)
}

test('a model that is loaded hears words, with times of the recording', async () => {
  const engine = anEngine(model)
  const pcm = await aRecording('words', [...tinyWords, { pauseMs: 2000 }, 'test', 'hello'])
  const result = await engine.recognise(pcm, [chunk(0, 0, 2800), chunk(1, 4600, 5600)], options())
  expect(result).toMatchObject({ kind: 'done' })
  if (result.kind !== 'done') return
  expect(result.words.map(({ text, startMs }) => [text, startMs])).toEqual([
    ['hello', 320],
    ['world', 720],
    ['this', 1120],
    ['is', 1520],
    ['a', 1920],
    ['test', 2320],
    ['test', 4720],
    ['hello', 5120],
  ])
  expect(result.words.every(({ startMs, endMs }) => endMs - startMs === 300)).toBe(true)
  expect(engine.capabilities).toMatchObject({ hasWordTimes: true, longestChunkMs: 28_000 })
})

test('a model with a byte-level vocabulary writes what was said, with times', async () => {
  const byteLevel = await aModel('bytes', (dir) => {
    // Letters are cut in the middle: each tone stands for some bytes.
    const [日本, καλά, smile] = ['日本', 'καλά', '😀'].map(inByteLetters) as [
      string,
      string,
      string,
    ]
    const spelling = [`▁${日本.slice(0, 4)}`, 日本.slice(4), `▁${καλά.slice(0, 3)}`, καλά.slice(3)]
    spelling.push(`▁${smile.slice(0, 1)}`, smile.slice(1))
    return writeTinyModel(dir, { name: 'bytes', spelling })
  })
  const pcm = await aRecording('bytes', tinyWords)
  const result = await anEngine(byteLevel).recognise(pcm, [chunk(0, 0, 2800)], options())
  const words = result.kind === 'done' ? result.words : []
  expect(words.map(({ text, startMs }) => [text, startMs])).toEqual([
    ['日本', 320],
    ['καλά 😀', 1120],
  ])
})

test('a model that was made ready answers from the process that loaded it', async () => {
  const pcm = await aRecording('ready', ['hello'])
  const before = await hosts()
  const newHosts = async () => (await hosts()).filter((pid) => !before.includes(pid))
  const engine = anEngine(model)
  await engine.prepare?.(options())
  const kept = await newHosts()
  expect(kept).toHaveLength(1)
  const result = await engine.recognise(pcm, [chunk(0, 0, 700)], options())
  expect(result).toMatchObject({ kind: 'done', words: [{ text: 'hello' }] })
  expect(await newHosts()).toEqual(kept)
})

test('the model is loaded once, and forgotten when nobody needs it', async () => {
  const pcm = await aRecording('idle', ['hello'])
  const before = await hosts()
  const newHosts = async () => (await hosts()).filter((pid) => !before.includes(pid))
  const engine = anEngine(model)
  await engine.recognise(pcm, [chunk(0, 0, 700)], options())
  const kept = await newHosts()
  expect(kept).toHaveLength(1)
  await engine.recognise(pcm, [chunk(0, 0, 700)], options())
  expect(await newHosts()).toEqual(kept)

  const forgetful = anEngine(model, { idleMs: 1 })
  await forgetful.recognise(pcm, [chunk(0, 0, 700)], options())
  await expect.poll(newHosts).toEqual(kept)
  const again = await forgetful.recognise(pcm, [chunk(0, 0, 700)], options())
  expect(again).toMatchObject({ kind: 'done', words: [{ text: 'hello' }] })
})

test.each([
  ['cut off', (dir: string) => writeFile(join(dir, 'model.onnx'), Buffer.alloc(700, 7))],
  ['without words', (dir: string) => writeFile(join(dir, 'tokens.txt'), 'nothing\n')],
])('a model that is %s fails its job, and nothing else', async (what, damage) => {
  const broken = await aModel(`broken-${what.replaceAll(' ', '-')}`, damage)
  const engine = anEngine(broken)
  const pcm = await aRecording('broken', ['hello'])
  const running = () => engine.recognise(pcm, [chunk(0, 0, 700)], options())
  await expect(running()).rejects.toThrow(/speech model broken-/)
  // The queue tries again; that is a new process, and the same answer.
  await expect(running()).rejects.toThrow(/speech model broken-/)
  const whole = await anEngine(model).recognise(pcm, [chunk(0, 0, 700)], options())
  expect(whole).toMatchObject({ kind: 'done', words: [{ text: 'hello' }] })
})

test('a process that is killed fails its question, and the next one is answered', async () => {
  const engine = anEngine(model)
  const long = await aRecording(
    'long',
    Array.from({ length: 500 }, () => 'test' as const),
  )
  await engine.recognise(long, [chunk(0, 0, 700)], options())
  const before = await hosts()
  const chunks = manyChunks()
  const running = engine.recognise(long, chunks, options())
  running.catch(() => undefined)
  await sleep(20)
  for (const pid of before) process.kill(pid, 'SIGKILL')
  await expect(running).rejects.toThrow('ended the process it ran in (SIGKILL)')
  const next = await engine.recognise(long, [chunk(0, 0, 700)], options())
  expect(next).toMatchObject({ kind: 'done', words: [{ text: 'test' }] })
})

test('aborting stops the work, keeps the model, and lets the next job in', async () => {
  const engine = anEngine(model, { cores: 1 })
  const long = await aRecording(
    'abort',
    Array.from({ length: 500 }, () => 'test' as const),
  )
  await engine.recognise(long, [chunk(0, 0, 700)], options())
  const before = await hosts()
  const stop = new AbortController()
  const chunks = manyChunks()
  const running = engine.recognise(long, chunks, { ...options(), signal: stop.signal })
  await sleep(50)
  stop.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
  const next = await engine.recognise(long, [chunk(0, 0, 700)], options())
  expect(next).toMatchObject({ kind: 'done', words: [{ text: 'test' }] })
  expect(await hosts()).toEqual(before)
})

test.each(familyNames)(
  'the family %s is given the files that the engine looks for',
  async (family) => {
    const [first = ''] = filesOf(family)
    const files = {
      ...Object.fromEntries(filesOf(family).map((role) => [role, `/nowhere/${role}.onnx`])),
      tokens: model.files['tokens']!,
    }
    const engine = anEngine({ ...model, family, languages: ['en'], files }, { cores: 1 })
    const pcm = await aRecording('family', ['hello'])
    const running = engine.recognise(pcm, [chunk(0, 0, 700)], options())
    // Moonshine's first file is looked for only when the second is there.
    const missing = first === 'preprocessor' ? 'encoder' : first
    await expect(running).rejects.toThrow(
      new RegExp(`/nowhere/${missing}.onnx.* (not|doesn't) exist`),
    )
  },
)

test('a chunk without words is tried in halves, and stays without words when they have none', async () => {
  const engine = anEngine(model)
  const pcm = await aRecording('silence', [{ pauseMs: 6000 }])
  const result = await engine.recognise(pcm, [chunk(0, 0, 5000)], options())
  expect(result).toMatchObject({ kind: 'done', words: [] })
})

test('a machine with several groups of cores works on several chunks at once', () => {
  expect(openSherpa(model, { cores: 2 }).parallelGroups).toBe(1)
  expect(openSherpa(model, { cores: 8 }).parallelGroups).toBe(2)
})

test('a model that gains nothing by threads has half of the cores', () => {
  const small: Recogniser = { ...model, family: 'moonshine_v2' }
  expect(openSherpa(small, { cores: 2 }).parallelGroups).toBe(1)
  expect(openSherpa(small, { cores: 8 }).parallelGroups).toBe(4)
})
