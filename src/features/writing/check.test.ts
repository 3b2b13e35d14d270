/** Answers of weak models in the right form, and their outcomes. Each is served over HTTP. */
import { expect, test, vi } from 'vitest'

import { silentLog } from '#server/log.ts'
import { aChatServer, turnsOf } from '#test/models.ts'

import { openChat } from './chat.ts'
import type { DocumentOrder } from './contract.ts'
import * as llm from './llm.ts'
import { WRITTEN_BY_AI } from './writing.ts'

const { chat, aModel } = await aChatServer()

const said = [
  'The harbour bridge will be closed for repairs until October.',
  'The ferry runs every ten minutes while the bridge is closed.',
  'We have decided to extend the ferry until midnight on Fridays.',
  'It costs forty two thousand euros, and Martha Quill has to sign for it.',
]
const order = { turns: turnsOf(...said), language: 'en', requestedLanguage: 'en' }
const signal = new AbortController().signal
const documentOrder: DocumentOrder = {
  ...order,
  turns: turnsOf(
    ...Array.from({ length: 20 }, (_, n) =>
      said.map((text) => `${text} That is point ${n}.`),
    ).flat(),
  ),
  kind: 'article',
  withImages: false,
  name: 'harbour.m4a',
  recordedOn: '2026-11-20',
  durationMs: 360_000,
}

const both = { written: 'en', spoken: 'en' }

test.each([
  ['one-sentence', 'repeats'],
  ['one-phrase', 'repeats'],
  ['parrot', 'prompt'],
  ['mark', 'prompt'],
  ['echo-turns', 'prompt'],
  ['placeholder', 'placeholder'],
  ['other-language', 'language'],
  ['cut', 'cut'],
  ['page', 'markup'],
  ['blank', 'empty'],
  ['error-page', 'nonsense'],
  ['breaks-off', 'nonsense'],
] as const)(
  'an answer that is worthless (%s) is refused because of it (%s), after two tries for each form',
  async (behaviour, reason) => {
    const { settings, asked } = aModel(behaviour)
    const ask = () => openChat(settings, silentLog)
    const summary = llm.summarize(ask(), { ...order, ...both }, { signal })
    // A summary is JSON, and so a page is none.
    const inForm = behaviour === 'page' ? 'nonsense' : reason
    await expect(summary).rejects.toMatchObject({ reason: inForm })
    // One that breaks off is asked for in a shorter form first.
    const tries = behaviour === 'cut' ? 3 : 2
    expect(asked()).toHaveLength(tries)
    const document = llm.compose(ask(), { ...documentOrder, ...both }, { signal })
    await expect(document).rejects.toMatchObject({ reason })
    expect(asked()).toHaveLength(tries + 2)
  },
)

test('English where German was wanted is not shown as German', async () => {
  const { writer } = aModel('other-language')
  const summary = await writer.summarize({ ...order, requestedLanguage: 'de' }, { signal })
  expect(summary).toMatchObject({ engine: 'extractive', language: 'en' })
  expect(summary.note).toContain('so it could not be written in German')
}, 30_000)

test.each(['other-language-once', 'blank-once'] as const)(
  'what is wrong once (%s) is asked once more, and the model is told why',
  async (behaviour) => {
    const { writer, asked } = aModel(behaviour)
    expect((await writer.summarize(order, { signal })).engine).toBe('llm')
    expect(asked()).toHaveLength(2)
    expect(asked()[1]?.instructions).toMatch(/Your last answer was refused\. It was \w+/)
  },
)

test('ten equal points are one', async () => {
  const { keyPoints, engine } = await aModel('equal-points').writer.summarize(order, { signal })
  expect(engine).toBe('llm')
  expect(keyPoints).toHaveLength(1)
})

test('a quote proves a point only where it is about the same', async () => {
  const { keyPoints } = await aModel('false-proof').writer.summarize(order, { signal })
  expect(keyPoints).toMatchObject([
    { text: 'The chief resigned and left.', quote: null, startMs: null },
    { text: said[0], quote: said[0]!.slice(0, -1), startMs: 0 },
  ])
})

test('a point with a sum or a name that nobody said is left out', async () => {
  const { keyPoints } = await aModel('false-figures').writer.summarize(order, { signal })
  expect(keyPoints.map(({ text }) => text)).toEqual([said[0]])
})

test('a sentence of a document with a quote that nobody said is left out', async () => {
  const document = await aModel('false-quote').compose(documentOrder)
  expect(document).toMatchObject({ engine: 'llm', note: WRITTEN_BY_AI })
  expect(document?.content).not.toContain('rich by Tuesday')
  expect(document?.content).toContain(`“${documentOrder.turns[0]!.text}”`)
})

test('a document in one long paragraph is cut between its sentences', async () => {
  const document = await aModel('one-paragraph').compose(documentOrder)
  expect(document?.engine).toBe('llm')
  expect(document?.wordCount).toBeGreaterThan(1_100)
  expect(document?.wordCount).toBeLessThanOrEqual(1_200)
  expect(document?.content).toMatch(/\.$/)
})

test('an answer that is nearly in the right form costs one call', async () => {
  const { writer, asked } = aModel('loose')
  const { engine, keyPoints } = await writer.summarize(order, { signal })
  expect({ engine, calls: asked().length }).toEqual({ engine: 'llm', calls: 1 })
  expect(keyPoints).toMatchObject([{ text: said[0] }, { turns: [0] }])
})

const long = {
  ...order,
  turns: turnsOf(
    ...Array.from({ length: 60 }, (_, n) => `Point number ${n} is about the quay at berth ${n}.`),
  ),
}

test('a server that reads and writes 2,000 tokens in all is enough for a long transcript', async () => {
  const { writer, compose, asked } = aModel('tight', { contextTokens: 2_000 })
  expect((await writer.summarize(long, { signal })).engine).toBe('llm')
  const document = await compose({ ...documentOrder, kind: 'follow-up-email' })
  expect(document?.engine).toBe('llm')
  expect(asked().length).toBeGreaterThan(4)
}, 30_000)

test.each(['tight', 'broken-memory'] as const)(
  'where a server takes less than it was thought to (%s), parts that were read are not read again',
  async (behaviour) => {
    const { writer, asked } = aModel(behaviour, { contextTokens: 6_000 })
    expect((await writer.summarize(long, { signal })).engine).toBe('llm')
    expect(asked().some(({ isTooLong }) => isTooLong)).toBe(true)
    const read = asked()
      .filter(({ instructions, isTooLong }) => instructions.includes('part ') && !isTooLong)
      .flatMap(({ prompt }) => [...prompt.matchAll(/^\[(\d+)\]/gm)].map(([, n]) => Number(n)))
    expect(read).toEqual(long.turns.map((_, index) => index))
  },
)

test('no clock of ours is shorter than the time that an answer may take', async () => {
  const clocks = vi.spyOn(AbortSignal, 'timeout')
  const timeoutMs = 3_600_000
  const { writer } = aModel('obedient', { timeoutMs })
  expect((await writer.summarize(long, { signal })).engine).toBe('llm')
  const shortest = Math.min(...clocks.mock.calls.map(([ms]) => ms))
  clocks.mockRestore()
  expect(shortest).toBe(timeoutMs)
})

test('a model that has not answered within the patience of its user can be asked again', async () => {
  const { writer, asked } = aModel('held', { contextTokens: 3_000, patienceMs: 300 })
  const early = await writer.summarize(order, { signal, isWaitedFor: true })
  expect(early).toMatchObject({ engine: 'extractive', awaited: 'slow' })
  expect(early.note).toContain('had not answered when the transcript was ready')
  chat.release()
  const later = await writer.summarize(order, { signal })
  expect(later).toMatchObject({ engine: 'llm', note: WRITTEN_BY_AI })
  expect(asked()).toHaveLength(2)
}, 30_000)
