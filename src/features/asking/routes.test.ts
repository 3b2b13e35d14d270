/** The stream of an answer, as a client on a real connection reads it. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect } from 'vitest'

import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/asking.ts'
import { aSession, aTranscription, aUser } from '#test/factories.ts'
import type { ChatBehaviour } from '#test/fakes/chat.ts'

import { Answered, Answers, Quote } from './contract.ts'

const said = [
  { speaker: 0, text: 'Welcome to the meeting about the harbour.' },
  { speaker: 1, text: 'The ferry runs every ten minutes and costs three euros.' },
  { speaker: 0, text: 'The ferry stops at midnight because of the harbour police.' },
]
const question = 'What does the ferry cost?'

const test = base.extend('open', ({ database, db, deps, chat }, { onCleanup }) => {
  const servers: TestApp[] = []
  onCleanup(async () => {
    for (const server of servers) await server.close()
  })
  /** A server with such a model, somebody with a recording, and a way to ask it. */
  return async (behaviour: ChatBehaviour | null) => {
    const { writer, model } = deps(behaviour)
    const server = await anApp(database, { works: false, parts: { writer } })
    servers.push(server)
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as AddressInfo
    const user = await aUser(db)
    const { id } = await aTranscription(db, { userId: user.id, turns: said })
    const { token } = await aSession(db, { userId: user.id, kind: 'token' })
    const headers = {
      host: 'localhost',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    }
    const ask = async (path: string, accept = 'text/event-stream') => {
      const asked = request({
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        headers: { ...headers, accept },
      })
      asked.on('error', () => undefined)
      asked.end(JSON.stringify({ question }))
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      return { asked, response }
    }
    const kept = async () =>
      Answers.parse((await (await server.as(user))(`/api/transcriptions/${id}/questions`)).json())
    const isOver = () => chat.asked.find((one) => one.model === model)?.isOver ?? false
    return { server, id, ask, kept, isOver, path: `/api/transcriptions/${id}/questions` }
  }
})

function eventsIn(stream: string): { event: string; data: unknown }[] {
  return stream
    .split('\n\n')
    .filter((part) => part.startsWith('event: '))
    .map((part) => {
      const [, event = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(part) ?? []
      return { event, data: JSON.parse(data) as unknown }
    })
}

test('a stream sends each sentence and quote, and at its end the whole answer', async ({
  open,
}) => {
  const { ask, kept, path } = await open('obedient')
  for (const where of [path, '/api/questions']) {
    const { response } = await ask(where)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const events = eventsIn(await text(response))
    expect(events[0]?.event).toBe('sentence')
    const quotes = events.filter(({ event }) => event === 'quote')
    expect(quotes.length).toBeGreaterThan(0)
    const done = Answered.parse(events.at(-1)?.data)
    expect(events.at(-1)?.event).toBe('done')
    expect(done.answer.quotes).toEqual(quotes.map(({ data }) => Quote.parse(data)))
  }
  expect((await kept()).answers).toHaveLength(1)
})

test('a client that closes the line ends the call to the model; nothing is kept, and a read part counts', async ({
  open,
}) => {
  const { ask, kept, path, isOver } = await open('drips')
  const { asked, response } = await ask(path)
  await once(response, 'data')
  expect(isOver()).toBe(false)
  asked.destroy()
  await expect.poll(isOver).toBe(true)
  expect(await kept()).toMatchObject({ answers: [], left: 39 })
})

test('a sentence is on its way before the next one is written', async ({ open, chat }) => {
  const { ask, path } = await open('drips')
  const { response } = await ask(path)
  const [first] = (await once(response, 'data')) as [Buffer]
  expect(String(first)).toMatch(/^event: sentence\ndata: \{"text":"The ferry/)
  chat.release()
  expect(eventsIn(String(first) + (await text(response))).at(-1)?.event).toBe('done')
})

test('without a model the stream is only its end, and a call without one is answered as JSON', async ({
  open,
}) => {
  const { ask, path } = await open(null)
  const streamed = eventsIn(await text((await ask(path)).response))
  expect(streamed.map(({ event }) => event)).toEqual(['done'])
  const { response } = await ask(path, 'application/json')
  const { answer, left } = Answered.parse(JSON.parse(await text(response)))
  expect(answer).toMatchObject({ kind: 'passages', note: 'no-model', question })
  expect(left).toBeNull()
})

test('a refusal before anything was sent is answered as in any other call', async ({ open }) => {
  const { ask } = await open('obedient')
  const { response } = await ask(`/api/transcriptions/${crypto.randomUUID()}/questions`)
  expect(response.statusCode).toBe(404)
  expect(JSON.parse(await text(response))).toMatchObject({ code: 'not_found' })
})

test('a question that is empty or too long is refused with a sentence', async ({ open }) => {
  const { server, id } = await open(null)
  const call = await server.as(await aUser(server.parts.database.db))
  const url = `/api/transcriptions/${id}/questions`
  for (const payload of [{ question: '  ' }, { question: 'x'.repeat(501) }, {}]) {
    const answer = await call({ method: 'POST', url, payload })
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ message: string }>().message).toMatch(/question/)
  }
})
