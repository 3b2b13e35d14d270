import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { silentLog } from '#server/log.ts'
import { type ChatBehaviour, type ChatFake, chatFake } from '#test/fakes/chat.ts'
import { freePort } from '#test/server.ts'

import { contextOf, contextOfLlamaCpp, modelsOfOllama } from './model-servers.ts'
import { factsIn, tryModel } from './trial.ts'

let chat: ChatFake
beforeAll(async () => {
  chat = await chatFake({ contextTokens: 4_096 })
})
afterAll(() => chat.close())

const usual = { apiKey: 'sk-canary', contextTokens: 8_192, timeoutMs: 10_000 }
const options = { signal: new AbortController().signal, log: silentLog }
const trying = (model: ChatBehaviour | 'quoth-writer', more: Partial<typeof usual> = {}) =>
  tryModel({ ...usual, ...more, baseUrl: chat.url, model }, options)

test('a model that works shows its answer, and is asked about nothing but sentences of ours', async () => {
  const trial = await trying('obedient')
  expect(trial).toMatchObject({
    why: null,
    answer: expect.stringMatching(/^They talk about/),
    language: 'en',
    calls: 1,
    tokensIn: 100,
    tokensOut: 20,
    context: { server: 'Ollama', tokens: 4_096 },
  })
  expect(factsIn({ ...trial, ms: 3_240 })).toBe(
    '3.2 s · English · 100 tokens read, 20 written · asked once',
  )
  expect(chat.asked.at(-1)?.prompt).toMatch(
    /^<<<.*\n\[0\] 0:00 Ada: .*\n\[1\] 0:06 Ben: .*\n.*>>>$/,
  )
})

test.each([
  ['unknown-key', 'does not take the key (401). Look at LLM_API_KEY. It said: Incorrect API key'],
  ['unknown-model', 'It knows no model unknown-model, or'],
  ['no-memory', 'reads less at once than the 8,192 tokens of LLM_CONTEXT_TOKENS'],
  ['down', 'The server is there and broke (500). It said: out of memory'],
  ['busy', 'no time or no quota (429)'],
  ['hang-up', 'The connection broke'],
  ['elsewhere', 'sends its callers elsewhere'],
  ['error-page', 'It answered with a web page.'],
  ['invalid', 'not in the form that is asked for'],
  ['empty', 'Its answer was empty.'],
  ['blank', 'Its answer was empty.'],
  ['cut', 'Its answer broke off'],
] as const)('the trial of a model that is %s names the fault', async (model, sentence) => {
  const trial = await trying(model)
  expect(trial.why).toContain(sentence)
  expect(trial.why).not.toContain('canary')
  expect(trial.answer).toBeNull()
})

test.each([
  ['other-language', 'wrote another language', 'de', 'Sie sprechen'],
  ['one-sentence', 'the same again and again', 'en', 'The bridge is closed'],
  ['parrot', 'repeated its instructions', 'en', 'You summarise recordings'],
  ['false-figures', null, 'en', 'They talk about'],
] as const)(
  'what one that is %s wrote is shown to its operator',
  async (model, why, code, words) => {
    const trial = await trying(model)
    if (why === null) expect(trial.why).toBeNull()
    else expect(trial.why).toContain(why)
    expect(trial.language).toBe(code)
    expect(trial.answer).toContain(words)
  },
)

test('the text of a hostile model is shown as plain text', async () => {
  const trial = await trying('hostile')
  expect(trial.answer ?? '').not.toMatch(/<script|https?:|javascript:/)
  expect(chat.trapped.filter((request) => !request.endsWith('/props'))).toEqual([])
})

test('a model that does not answer is not waited for longer than the setting says', async () => {
  const trial = await trying('slow', { timeoutMs: 600 })
  expect(trial).toMatchObject({ why: expect.stringContaining('after 1 seconds'), answer: null })
})

test('a trial without a server says that none answers', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/v1`
  const trial = await tryModel({ ...usual, baseUrl, model: 'obedient' }, options)
  expect(trial.why).toContain('Nothing listens there.')
  expect(trial.context).toBeNull()
})

test('Ollama and llama.cpp tell their models and how much they read', async () => {
  const answers: Record<string, unknown> = {
    '/ollama/api/tags': { models: [{ name: 'qwen3:4b-instruct', size: 2_500_000_000 }] },
    '/llama/props': { default_generation_settings: { n_ctx: 8_192 } },
    '/props': { default_generation_settings: { n_ctx: 2_048 } },
    '/other/api/tags': { models: 'none' },
  }
  const server = createServer(({ url = '' }, response) => {
    if (!(url in answers)) response.statusCode = 404
    response.end(JSON.stringify(answers[url] ?? '<html>'))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    expect(await modelsOfOllama(`${origin}/ollama`)).toEqual([
      { name: 'qwen3:4b-instruct', bytes: 2_500_000_000 },
    ])
    expect(await modelsOfOllama(`${origin}/other`)).toBeNull()
    expect(await modelsOfOllama(`${origin}/llama`)).toBeNull()
    expect(await contextOfLlamaCpp(`${origin}/llama`)).toBe(8_192)
    expect(await contextOfLlamaCpp(`${origin}/ollama`)).toBeNull()
    expect(await contextOf({ baseUrl: `${origin}/v1`, model: 'any' })).toEqual({
      server: 'llama.cpp',
      tokens: 2_048,
    })
  } finally {
    server.close()
  }
})
