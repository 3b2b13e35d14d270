import { expect, test } from 'vitest'

import { anEngine, capabilities } from '#test/engine.ts'

import type { Hearing } from '../listen/hearing.ts'
import type { Chunk } from './engine.ts'
import { recognise } from './recognise.ts'

const MINUTE = 60_000
const chunks: Chunk[] = Array.from({ length: 8 }, (_, index) => ({
  index,
  startMs: index * 15_000,
  endMs: (index + 1) * 15_000,
}))

async function* all(): AsyncGenerator<Chunk> {
  yield* chunks
}

test('on few cores the first words of a long recording are recognised before all others', async () => {
  const told: string[] = []
  const heard: Hearing = {
    chunks: all(),
    soundOf: async () => ({
      pcm: { path: 'none', sampleCount: 0, sourceSampleRateHz: null },
      regions: [{ startMs: 0, endMs: 2 * MINUTE }],
    }),
    giveWay: async (firstWords) => {
      told.push('hearing rests')
      await firstWords
      told.push('hearing goes on')
    },
    whole: new Promise(() => undefined),
  }
  const engine = anEngine({
    isOnFewCores: true,
    parallelGroups: 2,
    recognise: async (_pcm, [first]) => {
      told.push(`asked for ${first?.index}`)
      return { kind: 'done', language: 'en', words: [] }
    },
  })
  const groups = await recognise(
    {
      path: 'none',
      workDir: 'none',
      engine,
      stages: { get: async () => null, put: async () => undefined },
      onProgress: () => undefined,
      signal: new AbortController().signal,
    },
    heard,
  )
  expect(told.slice(0, 4)).toEqual([
    'hearing rests',
    'asked for 0',
    'hearing goes on',
    'asked for 1',
  ])
  expect(groups.map(({ fromMs }) => fromMs)).toEqual(
    groups.map(({ fromMs }) => fromMs).toSorted((a, b) => a - b),
  )
})

test('how much is done is told before all of a long recording was heard', async () => {
  const told: { done: number; total: number }[] = []
  await recognise(
    {
      path: 'none',
      workDir: 'none',
      durationMs: 10 * MINUTE,
      engine: anEngine({
        parallelGroups: 1,
        groupMs: 15_000,
        recognise: async () => ({ kind: 'done', language: 'en', words: [] }),
      }),
      stages: { get: async () => null, put: async () => undefined },
      onProgress: (progress) => {
        if (progress.kind === 'chunk') told.push(progress)
      },
      signal: new AbortController().signal,
    },
    {
      chunks: all(),
      soundOf: async () => ({
        pcm: { path: 'none', sampleCount: 0, sourceSampleRateHz: null },
        regions: [],
      }),
      giveWay: async () => undefined,
      whole: new Promise(() => undefined),
    },
  )
  // Eight chunks are two minutes of ten.
  expect(told.at(-1)).toMatchObject({ done: 8, total: 40 })
  expect(told[0]).toMatchObject({ done: 1, total: 40 })
})

test('without times, a group is asked for while the words of the one before are looked for', async () => {
  const second = Promise.withResolvers<void>()
  let atOnce = 0
  let most = 0
  const results = await recognise(
    {
      path: 'none',
      workDir: 'none',
      engine: anEngine({
        capabilities: { ...capabilities, hasWordTimes: false },
        groupMs: 15_000,
        recognise: async (_pcm, [first]) => {
          most = Math.max(most, ++atOnce)
          if (first?.index === 1) second.resolve()
          await new Promise((resolve) => setImmediate(resolve))
          atOnce -= 1
          return { kind: 'done', language: 'en', words: [] }
        },
      }),
      // The first group is not finished before the second is asked for.
      stages: { get: async () => null, put: () => second.promise },
      onProgress: () => undefined,
      signal: new AbortController().signal,
    },
    {
      chunks: all(),
      soundOf: async () => ({
        pcm: { path: 'none', sampleCount: 0, sourceSampleRateHz: null },
        regions: [],
      }),
      giveWay: async () => undefined,
      whole: new Promise(() => undefined),
    },
  )
  expect(results).toHaveLength(8)
  expect(most).toBe(1)
})
