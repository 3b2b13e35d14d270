import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { type TranscriberFake, transcriberFake } from '#test/fakes/transcriber.ts'
import { impatientNode } from '#test/impatient-node.ts'
import { tinyPcm, type TinyWord } from '#test/tiny-model.ts'

import type { Chunk, PcmFile, Word } from './engine.ts'
import { openOpenai, withTimes } from './openai.ts'

const never = new AbortController().signal
const hurried = { answerMs: 3000, pauseMs: 1, longestPauseMs: 2500, tries: 4 }
/** Opus and the stand-in's frames move the start of a tone by up to this much. */
const NEAR_MS = 60

let server: TranscriberFake
const folder = aFolder('openai')
beforeAll(async () => {
  server = await transcriberFake()
})
afterAll(async () => {
  await server.close()
})

const aRecording = (words: readonly (TinyWord | { pauseMs: number })[]): Promise<PcmFile> =>
  tinyPcm(join(folder, `${crypto.randomUUID()}.pcm`), words)

const anEngine = (model: string, patience = hurried) =>
  openOpenai({ apiKey: null, baseUrl: server.url, model }, patience)
const chunk = (index: number, startMs: number, endMs: number): Chunk => ({ index, startMs, endMs })
const options = (more: { language?: string; signal?: AbortSignal } = {}) => ({
  language: null,
  workDir: folder,
  signal: never,
  ...more,
})

/** Two sentences with a pause of five seconds between them; the second begins at 6480 ms. */
const said = ['hello', 'world', 'this', { pauseMs: 5000 }, 'is', 'a', 'test'] as const
const chunks = [chunk(0, 120, 1600), chunk(1, 6280, 7800)]
const starts = { hello: 320, world: 720, this: 1120, is: 6520, a: 6920, test: 7320 }

function expectPlaced(words: readonly Word[], nearMs: number): void {
  expect(words.map(({ text }) => text)).toEqual(['Hello', 'world', 'this.', 'Is', 'a', 'test.'])
  for (const [index, startMs] of Object.values(starts).entries())
    expect(Math.abs((words[index]?.startMs ?? 0) - startMs)).toBeLessThan(nearMs)
}

test('words with times come back in times of the recording, with the punctuation of the text', async () => {
  const pcm = await aRecording(said)
  const result = await anEngine('whisper-1').recognise(pcm, chunks, options())
  expect(result).toMatchObject({ kind: 'done', language: 'en' })
  if (result.kind === 'done') expectPlaced(result.words, NEAR_MS)
  const asked = server.asked.at(-1)
  expect(asked).toMatchObject({
    fileName: 'audio.ogg',
    format: 'verbose_json',
    authorization: null,
  })
  // The long pause was left out, and Opus is small.
  expect(asked!.lengthMs).toBeLessThan(3500)
  expect(asked!.sizeBytes).toBeLessThan(16_000)
  expect(await readdir(folder)).not.toContain('sound.pcm')
})

test('names and terms are sent as a prompt, as many as it reads', async () => {
  const pcm = await aRecording(['hello', 'world'])
  const terms = ['Ulverston', 'Kendal', ...Array.from({ length: 98 }, (_, n) => `Okafor ${n}`)]
  const promptOf = async (model: string) => {
    const engine = anEngine(model)
    await engine.recognise(pcm, [chunk(0, 120, 1200)], { ...options(), terms })
    const sent = server.asked.at(-1)!.fields.find((field) => field.startsWith('prompt='))
    return { takesTerms: engine.capabilities.takesTerms ?? false, sent }
  }
  const { takesTerms, sent } = await promptOf('whisper-1')
  expect(takesTerms).toBe(true)
  expect(sent).toMatch(/^prompt=Ulverston, Kendal, Okafor 0, /)
  expect(sent!.length).toBeLessThan(620)
  expect(await promptOf('gpt-4o-transcribe-diarize')).toEqual({ takesTerms: false })
})

test.each(['phrases', 'gpt-4o-transcribe', 'text'])(
  'of %s the words are placed between the pauses, and marked as estimated',
  async (model) => {
    const pcm = await aRecording(said)
    const regions = [
      { startMs: 320, endMs: 1360 },
      { startMs: 6520, endMs: 7560 },
    ]
    const engine = anEngine(model)
    const result = await engine.recognise(pcm, chunks, { ...options(), regions })
    if (result.kind !== 'done') throw new Error(result.kind)
    expectPlaced(result.words, 400)
    expect(result.words.every(({ isEstimated }) => isEstimated)).toBe(true)
  },
)

test('a diarizing model names who speaks', async () => {
  const engine = anEngine('gpt-4o-transcribe-diarize')
  const result = await engine.recognise(await aRecording(said), chunks, options())
  if (result.kind !== 'done') throw new Error(result.kind)
  expectPlaced(result.words, 400)
  expect(result.words.map(({ voice }) => voice).join('')).toBe('AAABBB')
  expect(server.asked.at(-1)).toMatchObject({ format: 'diarized_json' })
})

test('the language is passed on, and the key where there is one', async () => {
  const guarded = await transcriberFake({ apiKey: 'sk-secret' })
  try {
    const asking = (apiKey: string | null) =>
      openOpenai({ apiKey, baseUrl: `${guarded.url}/`, model: 'whisper-1' }, hurried)
    const pcm = await aRecording(['hello'])
    const asked = asking('sk-secret').recognise(
      pcm,
      [chunk(0, 0, 800)],
      options({ language: 'de' }),
    )
    expect(await asked).toMatchObject({ kind: 'done', language: 'de' })
    expect(guarded.asked).toMatchObject([{ language: 'de', authorization: 'Bearer sk-secret' }])
    await expect(asking('sk-wrong').recognise(pcm, [chunk(0, 0, 800)], options())).rejects.toThrow(
      'it answered 401 (invalid_api_key): check OPENAI_API_KEY',
    )
    expect(guarded.asked).toHaveLength(1)
  } finally {
    await guarded.close()
  }
})

test.each(['429!429', '503', '500!502', 'reset', 'cut', 'half!half', 'nonsense', '429~1'])(
  'after %s the same work is asked again, and charged once',
  async (failures) => {
    const before = server.asked.length
    const pcm = await aRecording(said)
    const result = await anEngine(`whisper-1!${failures}`).recognise(pcm, chunks, options())
    if (result.kind !== 'done') throw new Error(result.kind)
    expectPlaced(result.words, NEAR_MS)
    const asked = server.asked.slice(before)
    expect(asked).toHaveLength(failures.split('!').length + 1)
    const keys = new Set(asked.map(({ key }) => key))
    expect(keys.size).toBe(1)
    expect(server.charged.get([...keys][0] ?? '')).toBe(1)
  },
)

test('a request of a process that died is sent again by the next one, and charged once', async () => {
  const pcm = await aRecording(said)
  await anEngine('gpt-4o-transcribe').recognise(pcm, chunks, options({ language: 'en' }))
  await anEngine('gpt-4o-transcribe').recognise(pcm, chunks, options({ language: 'en' }))
  const [first, second] = server.asked.slice(-2)
  expect(second!.key).toBe(first!.key)
  expect(server.charged.get(first!.key ?? '')).toBe(1)
})

test('an answer that never comes is asked for again', async () => {
  const engine = anEngine('whisper-1!hang', { ...hurried, answerMs: 700 })
  const result = await engine.recognise(await aRecording(['test']), [chunk(0, 0, 800)], options())
  expect(result).toMatchObject({ kind: 'done', words: [{ text: 'Test.' }] })
})

test('an answer that comes later than Node waits for one is taken', async () => {
  const nodeGaveUp = await impatientNode()
  const before = server.asked.length
  const engine = anEngine('whisper-1!late', { ...hurried, answerMs: 60_000 })
  const result = engine.recognise(await aRecording(['this']), [chunk(0, 0, 800)], options())
  await expect.poll(() => server.asked.length).toBe(before + 1)
  await nodeGaveUp()
  server.release()
  expect(await result).toMatchObject({ kind: 'done', words: [{ text: 'This.' }] })
  expect(server.asked).toHaveLength(before + 1)
})

test('a server that stays busy, or asks for a long wait, is left to the queue', async () => {
  const pcm = await aRecording(['a'])
  const ask = (model: string) => anEngine(model).recognise(pcm, [chunk(0, 0, 800)], options())
  expect(await ask('whisper-1!429!429!429!429')).toMatchObject({ kind: 'busy' })
  expect(await ask('whisper-1!429~3600')).toEqual({ kind: 'busy', retryAfterMs: 3_600_000 })
  await expect(ask('whisper-1!500!500!500!500')).rejects.toThrow('failed 4 times: it answered 500')
})

test('an account without money fails at once, and says why', async () => {
  const before = server.asked.length
  const pcm = await aRecording(['is'])
  const running = anEngine('whisper-1!broke').recognise(pcm, [chunk(0, 0, 800)], options())
  await expect(running).rejects.toThrow('429 (insufficient_quota)')
  expect(server.asked).toHaveLength(before + 1)
})

test('a group too large for one request goes in several, and nothing is lost at the seams', async () => {
  const words = Array.from(
    { length: 40 },
    (_, index) => (index % 2 === 0 ? 'hello' : 'test') as TinyWord,
  )
  const pcm = await aRecording(words)
  const many = Array.from({ length: 10 }, (_, index) =>
    chunk(index, 200 + index * 1600, 1800 + index * 1600),
  )
  const small = await transcriberFake({ mostBytes: 30_000 })
  try {
    const engine = openOpenai({ apiKey: null, baseUrl: small.url, model: 'whisper-1' })
    const result = await engine.recognise(pcm, many, options())
    if (result.kind !== 'done') throw new Error(result.kind)
    expect(result.words.map(({ text }) => text.replace(/\W/g, '').toLowerCase())).toEqual(words)
    expect(small.asked.length).toBeGreaterThan(1)
  } finally {
    await small.close()
  }
})

test('aborting ends the wait for an answer', async () => {
  const stop = new AbortController()
  const engine = anEngine('whisper-1!hang', { ...hurried, answerMs: 60_000 })
  const pcm = await aRecording(['world'])
  const before = server.asked.length
  const running = engine.recognise(pcm, [chunk(0, 0, 800)], options({ signal: stop.signal }))
  running.catch(() => undefined)
  await expect.poll(() => server.asked.length).toBe(before + 1)
  stop.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
})

test('words that are written otherwise than they were heard lie between their neighbours', () => {
  const timed = [
    { word: 'It', start: 0, end: 0.2 },
    { word: 'costs', start: 0.2, end: 0.6 },
    { word: 'twenty', start: 0.7, end: 1 },
    { word: 'five', start: 1, end: 1.3 },
    { word: 'euros', start: 1.4, end: 1.9 },
    { word: 'dont', start: 2, end: 2.2 },
  ]
  expect(withTimes("It costs €25 – euros. Don't!", timed, 3000)).toMatchObject([
    { text: 'It', startMs: 0, endMs: 200 },
    { text: 'costs', startMs: 200, endMs: 600 },
    { text: '€25 –', startMs: 600, endMs: 1400, isEstimated: true },
    { text: 'euros.', startMs: 1400, endMs: 1900 },
    { text: "Don't!", startMs: 2000, endMs: 2200 },
  ])
})
