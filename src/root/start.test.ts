/** Tests of a process while it is put together. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { connectAlone } from '#server/db.ts'
import { MIGRATION_LOCK, newestMigration } from '#server/migrate.ts'
import { test } from '#test/database.ts'
import { aFolder } from '#test/folder.ts'
import { isLong } from '#test/long.ts'
import { freePort, startServer } from '#test/server.ts'

const dataDir = aFolder('quoth-start')

/** A process on the database of the test, which is not waited for. */
const begun = async ({ url }: { url: string }, settings: Record<string, string>) =>
  startServer({
    dataDir,
    port: await freePort(),
    settings: { DATABASE_URL: url.replace('@/', '@localhost/'), ...settings },
  })

if (isLong)
  test('a process that waits for the migrations of another lives, and is given nothing', async ({
    database,
  }) => {
    const opsPort = await freePort()
    const asked = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${opsPort}${path}`).catch(() => null)
      return answer && [answer.status, await answer.text()]
    }
    const holder = await connectAlone(database.directUrl, 'another process')
    await holder.query('begin')
    await holder.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])

    const starting = begun(database, { OPS_PORT: String(opsPort) })
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
  }, 120_000)

test('an older release says in a sentence why it does not start on the database of a newer one', async ({
  database: { db, ...database },
}) => {
  const isNewer = sql`hash = 'of the next release'`
  await db.execute(sql`
    insert into drizzle.__drizzle_migrations (hash, created_at)
    values ('of the next release', ${newestMigration() + 1})`)
  const said = await begun(database, {}).catch(String)
  await db.execute(sql`delete from drizzle.__drizzle_migrations where ${isNewer}`)
  expect(said).toContain('Start the newer release, or restore a back-up from before.')
  expect(said).not.toMatch(/"stack"|    at /)
})

/** A module that sets the clock of a process a day fast. */
const fast = `data:text/javascript,${encodeURIComponent(`
  const { Date: Right } = globalThis
  globalThis.Date = class extends Right {
    constructor(...given) {
      given.length === 0 ? super(Right.now() + 86400000) : super(...given)
    }
    static now() {
      return Right.now() + 86400000
    }
  }`)}`

if (isLong)
  test('a process whose clock is a day fast dates an account by the clock of the database', async ({
    database,
  }) => {
    const server = await begun(database, { NODE_OPTIONS: `--import="${fast}"` })
    const person = { firstName: 'Ada', lastName: 'Lovett', email: 'ada@example.com' }
    const answer = await fetch(`${server.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ ...person, password: 'a long passphrase' }),
    })
    expect(answer.status).toBe(201)
    const { rows } = await database.db.execute(
      sql`select abs(extract(epoch from created_at - now())) < 3600 as "isRight" from users`,
    )
    expect(rows).toEqual([{ isRight: true }])
    await server.stop()
  }, 60_000)

if (isLong)
  test('a process waits for a bucket that is away, says so, and ends for one that is not there', async ({
    database,
  }) => {
    const opsPort = await freePort()
    let isAway = true
    const bucket = createServer((_request, response) => {
      if (isAway) return response.writeHead(503).end()
      response.writeHead(404, { 'Content-Type': 'application/xml' })
      return response.end('<Error><Code>NoSuchBucket</Code><Message>none</Message></Error>')
    }).listen(0, '127.0.0.1')
    await once(bucket, 'listening')
    const { port } = bucket.address() as AddressInfo

    const starting = begun(database, {
      OPS_PORT: String(opsPort),
      STORAGE_URL: `s3://key:secret@recordings?endpoint=http://127.0.0.1:${port}`,
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
  }, 120_000)
