/** Tests of a process while it is put together. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'vitest'

import { connectAlone } from '#server/db.ts'
import { MIGRATION_LOCK } from '#server/migrate.ts'
import { test } from '#test/database.ts'
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
