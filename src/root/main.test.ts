import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { begin } from '#test/database.ts'
import { aFolder } from '#test/folder.ts'
import { isLong } from '#test/long.ts'
import { freePort, refusalOf, startServer } from '#test/server.ts'

const dataDir = aFolder('quoth-main')
beforeAll(() => begin(dataDir))

test('all settings that are wrong are named before anything is started', async () => {
  const untouched = join(dataDir, 'untouched')
  const wrong = { PORT: 'x', ROLE: 'web', TRANSCRIBER: 'magic', DATA_DIR: untouched }
  const said = await refusalOf({ dataDir, settings: wrong })
  for (const name of ['PORT', 'DATABASE_URL', 'TRANSCRIBER']) expect(said).toContain(name)
  expect(said).not.toContain('    at ')
  expect(existsSync(untouched)).toBe(false)
})

if (isLong)
  test('a port that is taken is said in a sentence, and nothing is left running', async () => {
    const other = createServer((_request, response) => {
      response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const said = await refusalOf({ dataDir, port })
    expect(said).toContain(
      `Port ${port} is in use by another program. Stop that program, or choose another port: PORT=${port + 1} npm start"`,
    )
    expect(said).not.toMatch(/"stack"|    at /)
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
    other.close()
  })

test('a server says at once where it is and what is odd, refuses a second one on its data, and stops when asked', async () => {
  const port = await freePort()
  const settings = { LOG_LEVEL: 'debug', LOG_LEVLE: 'warn' }
  const server = await startServer({ dataDir, port, settings })
  expect(server.output()).toContain(`Quoth is ready: http://localhost:${port}"`)
  expect(server.output()).toContain(`Data: ${dataDir}.`)
  const whole = server.output().slice(0, server.output().lastIndexOf('\n'))
  const lines = whole.split('\n').map((line) => JSON.parse(line) as object)
  const msg = 'LOG_LEVLE is not a setting. Did you mean LOG_LEVEL?'
  expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg }))
  // What went well is only said at this level.
  await expect.poll(server.output).toContain('"route":"/healthz","status":200')

  expect(await refusalOf({ dataDir, port: await freePort() })).toContain(
    `is in use by process ${server.pid}`,
  )
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await server.stop()
  expect(server.isRunning()).toBe(false)
  expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
})
