import { Readable } from 'node:stream'

import Fastify from 'fastify'
import { expect, test } from 'vitest'

import { limitCallsAtOnce } from './calls-at-once.ts'

function anApp() {
  const app = Fastify()
  app.decorateRequest('user', null)
  app.addHook('onRequest', async (request) => {
    request.user = { id: 'ada', sessionId: 'hers', kind: 'web' }
  })
  limitCallsAtOnce(app)
  return app
}

test('a file that is sent to somebody who does not read it holds up no other read', async () => {
  await using app = anApp()
  const sent: Readable[] = []
  app.get('/file', (_request, reply) => {
    const file = new Readable({ read() {} })
    file.push('its beginning')
    sent.push(file)
    return reply.send(file)
  })
  app.get('/short', async () => 'read')
  const files = Array.from({ length: 12 }, () =>
    app.inject({ url: '/file', payloadAsStream: true }),
  )
  try {
    await expect.poll(() => sent.length).toBe(12)
    expect((await app.inject('/short')).body).toBe('read')
  } finally {
    for (const file of sent) file.push(null)
    await Promise.all(files)
  }
})

test('a client that goes away leaves its place to the next', async () => {
  await using app = anApp()
  const { promise: held, resolve: end } = Promise.withResolvers<string>()
  let begun = 0
  app.post('/long', () => {
    begun += 1
    return held
  })
  const gone = new AbortController()
  const { signal } = gone
  const ask = (options = {}) => app.inject({ method: 'POST', url: '/long', ...options })
  const all = [ask({ signal }).catch(() => null), ask(), ask()]
  await expect.poll(() => begun).toBe(3)
  const next = ask()
  gone.abort()
  try {
    await expect.poll(() => begun).toBe(4)
  } finally {
    end('done')
  }
  expect((await next).body).toBe('done')
  await Promise.all(all)
})
