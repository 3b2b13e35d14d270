import { describe, expect, test } from 'vitest'

import { anEngine, capabilities } from '#test/engine.ts'

import type { Run } from '../job.ts'
import type { Hearing } from '../listen/hearing.ts'
import type { Chunk } from './engine.ts'
import { recognise } from './recognise.ts'

const chunks: Chunk[] = Array.from({ length: 8 }, (_, index) => ({
  index,
  startMs: index * 15_000,
  endMs: (index + 1) * 15_000,
}))

/** Two minutes of which all chunks are there at once, while the rest is still being heard. */
function heard(own: readonly Chunk[] = chunks): Hearing {
  async function* all(): AsyncGenerator<Chunk> {
    yield* own
  }
  return {
    chunks: all(),
    soundOf: async () => ({
      pcm: { path: 'none', sampleCount: 0, sourceSampleRateHz: null },
      regions: own.map(({ startMs, endMs }) => ({ startMs, endMs })),
    }),
    whole: new Promise(() => undefined),
  }
}
const aRun = (own: Pick<Run, 'engine'> & Partial<Run>): Run => ({
  path: 'none',
  workDir: 'none',
  stages: { get: async () => null, put: async () => undefined },
  onProgress: () => undefined,
  signal: new AbortController().signal,
  ...own,
})

test('progress is told before all of a long recording was heard', async () => {
  const told: { done: number; total: number }[] = []
  const engine = anEngine({
    groupMs: 15_000,
    recognise: async () => ({ kind: 'done', language: 'en', words: [] }),
  })
  const onProgress: Run['onProgress'] = (progress) => {
    if (progress.kind === 'chunk') told.push(progress)
  }
  await recognise(aRun({ engine, durationMs: 600_000, onProgress }), heard())
  // Eight chunks are two minutes of ten.
  expect(told.at(-1)).toMatchObject({ done: 8, total: 39 })
  expect(told[0]).toMatchObject({ done: 1, total: 38 })
})

test('the engine is made ready before there is a chunk, and told of no failure in that', async () => {
  const { promise: isAsked, resolve } = Promise.withResolvers<void>()
  async function* afterwards(): AsyncGenerator<Chunk> {
    await isAsked
    yield* chunks
  }
  const engine = anEngine({
    prepare: async () => {
      resolve()
      throw new Error('there is no memory for it now')
    },
    recognise: async () => ({ kind: 'done', language: 'en', words: [] }),
  })
  const groups = await recognise(aRun({ engine }), { ...heard(), chunks: afterwards() })
  expect(groups.at(-1)?.toMs).toBe(120_000)
})

test('a short first chunk does not make it many', async () => {
  let first: { done: number; total: number } | undefined
  const engine = anEngine({ recognise: async () => ({ kind: 'done', language: 'en', words: [] }) })
  const onProgress: Run['onProgress'] = (progress) => {
    if (progress.kind === 'chunk') first ??= progress
  }
  const short = heard([{ index: 0, startMs: 0, endMs: 3000 }])
  await recognise(aRun({ engine, durationMs: 600_000, onProgress }), short)
  expect(first?.total).toBeLessThan(45)
})

test('how sure an engine is of a word is kept in three digits, and nearly sure is not confirmed', async () => {
  const sure = [0.876543219876, 0.9999999, 0, null, 1]
  const engine = anEngine({
    recognise: async (_pcm, [first]) => ({
      kind: 'done',
      language: 'en',
      words: sure.map((confidence, place) => ({
        text: `word${place}`,
        startMs: (first?.startMs ?? 0) + place * 500,
        endMs: (first?.startMs ?? 0) + place * 500 + 400,
        confidence,
      })),
    }),
  })
  const [first] = await recognise(aRun({ engine }), heard(chunks.slice(0, 1)))
  expect(first?.words.map(({ confidence }) => confidence)).toEqual([0.877, 0.999, 0, null, 1])
})

test('without times, a group is asked for while the words of the one before are looked for', async () => {
  const second = Promise.withResolvers<void>()
  let atOnce = 0
  let most = 0
  const engine = anEngine({
    capabilities: { ...capabilities, hasWordTimes: false },
    groupMs: 15_000,
    recognise: async (_pcm, [first]) => {
      most = Math.max(most, ++atOnce)
      if (first?.index === 1) second.resolve()
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return { kind: 'done', language: 'en', words: [] }
    },
  })
  // The first group is not finished before the second is asked for.
  const stages: Run['stages'] = { get: async () => null, put: () => second.promise }
  expect(await recognise(aRun({ engine, stages }), heard())).toHaveLength(8)
  expect(most).toBe(1)
})

describe('what is heard over and over', () => {
  const phrase = 'thank you for watching'.split(' ')
  /** A chunk of a quarter of a minute, of which the engine answers so many phrases for each piece. */
  async function phrasesOf(times: (piece: Chunk) => number): Promise<number> {
    const engine = anEngine({
      recognise: async (_pcm, pieces) => ({
        kind: 'done',
        language: 'en',
        words: pieces.flatMap((piece) => {
          const count = times(piece) * phrase.length
          const eachMs = (piece.endMs - piece.startMs) / count
          return Array.from({ length: count }, (_, at) => ({
            text: phrase[at % phrase.length] ?? '',
            startMs: Math.round(piece.startMs + at * eachMs),
            endMs: Math.round(piece.startMs + (at + 1) * eachMs),
            confidence: null,
          }))
        }),
      }),
    })
    const [first] = await recognise(aRun({ engine }), heard(chunks.slice(0, 1)))
    return (first?.words.length ?? 0) / phrase.length
  }
  const lengthS = ({ startMs, endMs }: Chunk) => (endMs - startMs) / 1000

  test('is kept where each piece of the sound holds its share', async () => {
    expect(await phrasesOf((piece) => Math.round(lengthS(piece) / 1.25))).toBe(12)
  })

  test('is cut short where every piece, however short, brings more of it', async () => {
    expect(await phrasesOf(() => 20)).toBe(3)
  })

  test('is cut short where it could not be said in that time', async () => {
    expect(await phrasesOf((piece) => (lengthS(piece) > 2 ? 20 : 3))).toBe(3)
  })
})
