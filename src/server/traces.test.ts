import { AsyncLocalStorage } from 'node:async_hooks'

import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { afterAll, expect, onTestFinished } from 'vitest'
import { z } from 'zod'

import { timed } from '#features/transcriptions/stage-times.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/database.ts'
import { aUser, anUpload } from '#test/factories.ts'

import { silentLog } from './log.ts'
import { openQueue } from './queue.ts'

interface Told {
  name: string
  id: string
  parent: string | undefined
  attributes: Record<string, unknown>
  isError: boolean
}

/** An SDK, as little of it as this test needs: it remembers the spans that ended. */
const ended: Told[] = []
let spans = 0

function startSpan(name: string, options: SpanOptions = {}, parent = context.active()): Span {
  const id = String(++spans).padStart(16, '0')
  const attributes: Told['attributes'] = { ...options.attributes }
  const told = { name, id, parent: trace.getSpanContext(parent)?.spanId, attributes }
  let isError = false
  const span = {
    spanContext: () => ({ traceId: '1'.repeat(32), spanId: id, traceFlags: 1 }),
    setAttribute(key: string, value: unknown) {
      attributes[key] = value
      return span
    },
    setStatus() {
      isError = true
      return span
    },
    end: () => void ended.push({ ...told, isError }),
  }
  return span as unknown as Span
}

const tracer = {
  startSpan,
  startActiveSpan(name: string, options: SpanOptions, work: (span: Span) => unknown) {
    const span = startSpan(name, options)
    return context.with(trace.setSpan(context.active(), span), () => work(span))
  },
}

const current = new AsyncLocalStorage<Context>()
const contexts: ContextManager = {
  active: () => current.getStore() ?? ROOT_CONTEXT,
  with: (inside, work, self, ...args) => current.run(inside, () => work.call(self, ...args)),
  bind: (_, target) => target,
  enable: () => contexts,
  disable: () => contexts,
}

trace.setGlobalTracerProvider({ getTracer: () => tracer as unknown as Tracer })
context.setGlobalContextManager(contexts)
afterAll(() => {
  trace.disable()
  context.disable()
})

test('a request is a span, by the pattern of its route', async ({ database }) => {
  const server = await anApp(database, { works: false })
  onTestFinished(() => server.close())
  const user = await aUser(database.db)
  const { id } = await anUpload(database.db, { userId: user.id, originalName: 'secret.m4a' })
  const inside: unknown[] = []
  server.app.addHook('preHandler', async () => void inside.push(trace.getActiveSpan()))
  const ask = await server.as(user)
  expect((await ask(`/api/transcriptions/${id}`)).statusCode).toBe(200)
  const json = { method: 'POST', url: '/api/keys', payload: {} } as const
  expect((await server.inject(json)).statusCode).toBe(401)

  await expect.poll(() => ended).toHaveLength(2)
  expect(JSON.stringify(ended)).not.toMatch(`secret|${id}|${user.id}`)
  expect(ended.splice(0)).toMatchObject([
    {
      name: 'GET /api/transcriptions/:id',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/transcriptions/:id',
        'http.response.status_code': 200,
        requestId: expect.any(String),
      },
      isError: false,
    },
    { name: 'POST /api/keys', attributes: { 'http.response.status_code': 401 }, isError: false },
  ])
  expect(inside).toMatchObject([{}])
})

test('a job is a span, and its stages are inside', async ({ database: { db }, database }) => {
  const traced = { name: 'traced', data: z.object({}) }
  const queues = [{ name: 'traced', retryLimit: 1, retryDelaySeconds: 0 }]
  const queue = await openQueue(database, { log: silentLog, queues })
  onTestFinished(() => queue.stop())
  const kept = new Map<string, unknown>()
  const { store, took } = timed({
    get: async <T>(name: string) => (kept.get(name) as T | undefined) ?? null,
    put: async (name, result) => void kept.set(name, result),
  })
  await queue.work(traced, { concurrency: 1 }, async ({ attempt }) => {
    for (const stage of ['pcm', 'words:0', 'words:1'])
      if ((await store.get(stage)) === null) await store.put(stage, {})
    if (attempt === 1) throw new TypeError('what somebody said')
    return { outcome: 'completed', engine: 'ear' }
  })
  const jobId = await db.transaction((tx) => queue.add(tx, traced, {}))

  await expect.poll(() => ended).toHaveLength(5)
  const jobs = ended.filter(({ name }) => name === 'job traced')
  expect(jobs).toMatchObject([
    { attributes: { jobId, attempt: 1, 'error.type': 'TypeError' }, isError: true },
    { attributes: { jobId, attempt: 2 }, isError: false },
  ])
  const stages = ended.filter(({ parent }) => parent === jobs[0]?.id).map(({ name }) => name)
  expect(stages).toEqual(['stage decode', 'stage words', 'stage words'])
  expect(took()).toEqual({ decode: expect.any(Number), words: expect.any(Number) })
  expect(JSON.stringify(ended)).not.toContain('somebody')
})
