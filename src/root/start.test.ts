/** Tests of a process while it is put together. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect } from 'vitest'

import { connectAlone } from '#server/db.ts'
import { MIGRATION_LOCK } from '#server/migrate.ts'
import { test } from '#test/database.ts'
import { isLong } from '#test/long.ts'
import { freePort, startServer } from '#test/server.ts'

test('a process that waits for the migrations of another lives, and is given nothing', async ({
  database,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoth-start-'))
  const opsPort = await freePort()
  const asked = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${opsPort}${path}`).catch(() => null)
    return answer && [answer.status, await answer.text()]
  }
  const holder = await connectAlone(database.directUrl, 'another process')
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])

  const starting = startServer({
    dataDir,
    port: await freePort(),
    settings: {
      DATABASE_URL: database.url.replace('@/', '@localhost/'),
      OPS_PORT: String(opsPort),
    },
  })
  const told = JSON.stringify({ status: 'starting', problems: ['starting'] })
  await expect.poll(() => asked('/livez'), { timeout: 60_000 }).toEqual([200, '{"status":"ok"}'])
  expect(await asked('/readyz')).toEqual([503, told])
  expect(await asked('/healthz')).toEqual([503, told])
  expect(await asked('/metrics')).toEqual([503, ''])

  await holder.query('rollback')
  await holder.end()
  const server = await starting
  await expect.poll(() => asked('/readyz')).toEqual([200, expect.stringContaining('"status":"')])
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 120_000)

if (isLong)
  test('a process waits for a bucket that is away, says so, and ends for one that is not there', async ({
    database,
  }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'quoth-start-'))
    const opsPort = await freePort()
    let isAway = true
    const bucket = createServer((_request, response) => {
      if (isAway) return response.writeHead(503).end()
      response.writeHead(404, { 'Content-Type': 'application/xml' })
      return response.end('<Error><Code>NoSuchBucket</Code><Message>none</Message></Error>')
    }).listen(0, '127.0.0.1')
    await once(bucket, 'listening')
    const { port } = bucket.address() as AddressInfo

    const starting = startServer({
      dataDir,
      port: await freePort(),
      settings: {
        DATABASE_URL: database.url.replace('@/', '@localhost/'),
        OPS_PORT: String(opsPort),
        STORAGE_URL: `s3://key:secret@recordings?endpoint=http://127.0.0.1:${port}`,
      },
    })
    const ending = expect(starting).rejects.toThrow(
      /"waiting for the bucket of STORAGE_URL[^]*The bucket recordings of STORAGE_URL cannot be used/,
    )
    const told = { status: 'starting', problems: ['starting', 'storage_unavailable'] }
    const readiness = async () =>
      (await fetch(`http://127.0.0.1:${opsPort}/readyz`).catch(() => null))?.json()
    await expect.poll(readiness, { timeout: 60_000 }).toEqual(told)
    isAway = false
    await ending
    bucket.close()
    await rm(dataDir, { recursive: true, force: true })
  }, 120_000)
