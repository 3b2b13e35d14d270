import { once } from 'node:events'
import { type Socket, connect } from 'node:net'

import Fastify from 'fastify'
import { expect, test } from 'vitest'

import { limitSmallBodies } from './small-bodies.ts'

test('a body that does not come in time is cut off, and a file is waited for', async () => {
  const arrived = Promise.withResolvers<void>()
  await using app = Fastify()
  limitSmallBodies(app, { withinMs: 50 })
  app.addContentTypeParser('audio/wav', (_request, _payload, done) => done(null))
  app.post('/small', async () => 'taken')
  app.post('/file', async ({ raw }) => {
    arrived.resolve()
    let bytes = 0
    for await (const piece of raw) bytes += (piece as Buffer).length
    return `${bytes} bytes`
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const begin = (path: string, type: string): Socket => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: ${type}\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"a`,
    )
    return socket
  }
  const file = begin('/file', 'audio/wav')
  await arrived.promise
  // Is cut off after the file would have been.
  const small = begin('/small', 'application/json')
  await once(small.resume(), 'close')

  file.write('b"')
  let answer = ''
  for await (const piece of file) answer += String(piece)
  expect(answer).toContain('4 bytes')
})
