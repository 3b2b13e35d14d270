/** For tests that ask a language model: a stand-in for its server, and the writer that asks it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, onTestFinished } from 'vitest'

import type { WritingTurn } from '#features/writing/contract.ts'
import { type Writer, type WriterSettings, chooseWriter } from '#features/writing/writing.ts'
import { silentLog } from '#server/log.ts'

import { type ChatBehaviour, chatFake } from './fakes/chat.ts'

let models = 0

/** How a model is set up that behaves so. Each has a name of its own, so that no way to ask is remembered. */
export function modelAt(
  url: string,
  behaviour: ChatBehaviour,
  more: Partial<WriterSettings> = {},
): WriterSettings {
  const model = `${behaviour}@${(models += 1)}`
  const usual = { apiKey: null, contextTokens: 8_192, timeoutMs: 10_000, pauseMs: 5 }
  return { baseUrl: url, model, ...usual, ...more }
}

/** The turns of two people, six seconds each. */
export const turnsOf = (...said: string[]): WritingTurn[] =>
  said.map((text, index) => ({
    speaker: index % 2 === 0 ? 'Ada Lovett' : 'Ben Okafor',
    startMs: index * 6_000,
    endMs: index * 6_000 + 5_500,
    text,
  }))

/** A writer whose model says this, whatever it is asked; for one test. */
export async function aModelSaying(words: unknown): Promise<Writer> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const content = typeof words === 'string' ? words : JSON.stringify(words)
      const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ choices: [choice] }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const llm = modelAt(`http://127.0.0.1:${port}/v1`, 'obedient')
  return chooseWriter({ summarizer: 'llm', llm }, silentLog)
}

/** A server for a test file, until its end. */
export async function aChatServer() {
  const chat = await chatFake()
  afterAll(() => chat.close())
  const aModel = (behaviour: ChatBehaviour, more?: Partial<WriterSettings>) => {
    const settings = modelAt(chat.url, behaviour, more)
    const writer = chooseWriter({ summarizer: 'auto', llm: settings }, silentLog)
    return {
      settings,
      writer,
      /** A document; null where there is none. */
      compose: async (order: Parameters<Writer['compose']>[0]) => {
        const answer = await writer.compose(order, { signal: new AbortController().signal })
        return answer.kind === 'written' ? answer.document : null
      },
      asked: () => chat.asked.filter(({ model }) => model === settings.model),
    }
  }
  return { chat, aModel }
}
