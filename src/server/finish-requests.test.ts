import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'vitest'

import { healthFor } from '#root/app.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/database.ts'

import { finishRequests } from './finish-requests.ts'

test('a server that stops refuses nobody whom its proxy still sends', async ({ database }) => {
  const given = await anApp(database, { works: false })
  const health = healthFor(given.parts)
  const { app, close } = await anApp(database, { works: false, parts: { health } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (path: string) => {
    const call = get({ host: '127.0.0.1', port, path, agent, headers: { host: 'localhost' } })
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    return { status: answer.statusCode, connection: answer.headers.connection }
  }
  expect(await ask('/readyz')).toEqual({ status: 200, connection: 'keep-alive' })

  // A request of which the beginning has come, on a connection that was there before.
  const late = connect(port, '127.0.0.1')
  await once(late, 'connect')
  late.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n')

  health.leave()
  const finished = finishRequests(app, { graceMs: 500 })
  // The proxy is told not to send the next request over a connection that will be closed.
  expect(await ask('/readyz')).toEqual({ status: 503, connection: 'close' })
  expect(await ask('/livez')).toEqual({ status: 200, connection: 'close' })
  while (app.server.listening) await sleep(10)
  late.write('\r\n')
  const [answer] = (await once(late, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /)
  await finished
  agent.destroy()
  await close()
  await given.close()
})
