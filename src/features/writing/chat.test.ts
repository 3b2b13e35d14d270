import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'

import { silentLog } from '#server/log.ts'
import { type ChatBehaviour, type ChatFake, chatFake } from '#test/fakes/chat.ts'
import { impatientNode } from '#test/impatient-node.ts'

import { openChat } from './chat.ts'

let server: ChatFake
beforeAll(async () => {
  server = await chatFake()
})
afterAll(() => server.close())

const { signal } = new AbortController()
const open = (url: string, model: ChatBehaviour) =>
  openChat(
    { baseUrl: url, apiKey: null, model, contextTokens: 8_192, timeoutMs: 60_000 },
    silentLog,
  )

const question = {
  instructions: 'Only what is between the marks. NOT SAID if nothing is.',
  prompt:
    '[0] 0:00 Ada: The ferry to the island was late again.\n[1] 0:06 Ben: I will call the office on Friday.',
  answerTokens: 200,
  signal,
}

test('an answer whose head comes later than Node waits for one is taken', async () => {
  const nodeGaveUp = await impatientNode()
  const held = await chatFake()
  const answer = open(held.url, 'held').askText({ ...question, read: String, check: () => null })
  await expect.poll(() => held.asked).toHaveLength(1)
  await nodeGaveUp()
  held.release()
  expect(await answer).toContain('The ferry to the island')
  expect(held.asked).toHaveLength(1)
  await held.close()
})

test('an answer that is silent for longer than Node waits for more is taken', async () => {
  const nodeGaveUp = await impatientNode()
  const dripping = await chatFake()
  const lines: string[] = []
  const begun = Promise.withResolvers<void>()
  const answer = open(dripping.url, 'drips').askLines({
    ...question,
    take(line) {
      lines.push(line)
      begun.resolve()
      return 'more'
    },
  })
  await begun.promise
  await nodeGaveUp()
  dripping.release()
  await answer
  expect(lines.length).toBeGreaterThan(1)
  await dripping.close()
})

const Shape = z.object({ summary: z.string() })

test.each(['obedient', 'unstreamed', 'no-stream', 'no-usage'] as const)(
  'a server that is %s answers in the form that is asked for, and as text',
  async (model) => {
    const chat = open(server.url, model)
    const before = server.asked.length
    const asked = { ...question, instructions: 'As JSON, with "keyPoints".' }
    expect(
      await chat.ask({ ...asked, schema: Shape, read: Shape, check: () => null }),
    ).toMatchObject({ summary: expect.stringContaining('They talk') })
    expect(await chat.askText({ ...question, read: String, check: () => null })).toContain('ferry')
    const [first] = server.asked.slice(before)
    expect(first?.fields).toEqual(expect.arrayContaining(['stream', 'stream_options']))
    const isCounted = model !== 'no-usage'
    expect(chat.spent()).toMatchObject({ calls: 2, tokensOut: isCounted ? 40 : 0 })
  },
)

test('what a server does not understand is kept for an hour, and not what it refuses to read', async () => {
  const formsFor = async (model: ChatBehaviour, prompt = question.prompt) => {
    const before = server.asked.length
    const asked = { ...question, prompt, instructions: 'As JSON, with "keyPoints".' }
    const answer = open(server.url, model).ask({
      ...asked,
      schema: Shape,
      read: Shape,
      check: () => null,
    })
    await answer.catch((error: unknown) => error)
    return server.asked.slice(before).map(({ fields }) => fields.includes('response_format'))
  }
  expect(await formsFor('filter', 'forbidden')).toEqual([true, true, true, false, false])
  expect(await formsFor('filter')).toEqual([true])

  expect(await formsFor('no-schema')).toEqual([true, true, true, false])
  expect(await formsFor('no-schema')).toEqual([false])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 })
  expect(await formsFor('no-schema')).toEqual([true, true, true, false])
  vi.useRealTimers()
})
