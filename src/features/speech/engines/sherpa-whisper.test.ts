/** The engine with a Whisper model, whose long texts sherpa-onnx cuts off silently. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { tinyPcm, type TinyWord, tinyWords } from '#test/tiny-model.ts'
import { isLong } from '#test/long.ts'
import { MARKED_AT_MS, type TinyWhisper, writeTinyWhisper } from '#test/tiny-whisper.ts'

import { chosen } from '#features/models/models.ts'

import type { Engine } from './engine.ts'
import { openSherpa } from './sherpa.ts'

const folder = aFolder('whisper')
const opened: Engine[] = []
afterAll(async () => {
  for (const engine of opened) await engine.close?.()
})

/** Words that do not repeat themselves as a model does that goes round in circles. */
const someWords = (count: number): TinyWord[] =>
  Array.from({ length: count }, (_, at) => tinyWords[(at * at + Math.floor(at / 4)) % 6]!)

/** Lets a stand-in model hear a chunk of nothing but words, one directly after the other. */
async function heard(
  words: readonly TinyWord[],
  { language = null, ...model }: TinyWhisper & { language?: string | null; wordsPerS: number },
) {
  const modelsDir = await mkdtemp(join(folder, 'models-'))
  await writeTinyWhisper(join(modelsDir, 'tiny-whisper'), model)
  const engine = openSherpa((await chosen(modelsDir)).recogniser!)
  opened.push(engine)
  const speech = { toneMs: 1000 / model.wordsPerS, pauseMs: 0 }
  const pcm = await tinyPcm(join(modelsDir, 'sound.pcm'), words, speech)
  const result = await engine.recognise(
    pcm,
    [{ index: 0, startMs: 0, endMs: pcm.sampleCount / 16 }],
    { language, workDir: folder, signal: new AbortController().signal },
  )
  if (result.kind !== 'done') throw new Error(result.kind)
  return { ...result, texts: result.words.map(({ text }) => text) }
}

test.each(['hi', null])(
  'a text of more tokens than the engine lets through is whole (language %s)',
  async (language) => {
    const words = someWords(40)
    const { texts, cutOff } = await heard(words, { wordsPerS: 10, language })
    expect(texts).toEqual(words)
    expect(cutOff).toBeUndefined()
  },
)

if (isLong)
  test('a text that the longest sound has no room for is written in halves', async () => {
    const words = someWords(192)
    const { texts, cutOff, ...said } = await heard(words, { wordsPerS: 20 })
    expect(texts).toEqual(words)
    expect(said.words.at(-1)!.endMs).toBe(9600)
    expect(cutOff).toBeUndefined()
  })

test('a text that stays cut off even so is reported, and its last word is in doubt', async () => {
  const { words, cutOff } = await heard(someWords(200), { wordsPerS: 40 })
  expect(words.length).toBeLessThan(200)
  expect(cutOff).toEqual([{ startMs: 0, endMs: 5000 }])
  expect(words.filter(({ confidence }) => confidence === 0)).toEqual([words.at(-1)])
})

test('a model that repeats itself is not asked again and again', async () => {
  const { texts, cutOff } = await heard(
    Array.from({ length: 80 }, () => 'test' as const),
    { wordsPerS: 10 },
  )
  expect(texts.length).toBeLessThan(80)
  expect(cutOff).toBeUndefined()
})

test('phrases have times, but an English-only model is not asked for them', async () => {
  const words = someWords(10)
  const first = async (languages: string[] | null) =>
    (await heard(words, { wordsPerS: 2.5, languages })).words[0]
  expect(await first(['en', 'de'])).toMatchObject({ text: 'hello', startMs: MARKED_AT_MS })
  expect(await first(null)).toMatchObject({ text: 'hello', startMs: 0 })
})
