/**
 * Behind PgBouncer in transaction mode, which gives a connection of PostgreSQL to whoever has a
 * transaction, and to somebody else right after.
 */
import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { expect, inject } from 'vitest'

import { rememberSessions } from '#features/account/session-memory.ts'
import { anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aSession, aUser } from '#test/factories.ts'
import { databaseUrl, onServer } from '#test/global-setup.ts'
import { type Pooler, startPooler } from '#test/pgbouncer.ts'

import { openDatabase } from './db.ts'
import { createLog, silentLog } from './log.ts'
import { migrate } from './migrate.ts'
import { openQueue } from './queue.ts'
import { queues } from './worker.ts'

const test = base.extend<{ $file: { installed: Pooler | null }; $test: { pooler: Pooler } }>({
  installed: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
    async ({}, hand) => {
      const pooler = await startPooler(inject('databaseServerUrl'))
      await hand(pooler)
      await pooler?.stop()
    },
    { scope: 'file' },
  ],
  pooler: async ({ installed, skip }, hand) => {
    if (!installed) return skip('PgBouncer is not installed: sudo apt install pgbouncer')
    await hand(installed)
  },
})

test('three processes start at once on an empty database, three times in a row', async ({
  pooler,
}) => {
  const serverUrl = inject('databaseServerUrl')
  const name = `quoth_empty_${randomUUID().slice(0, 8)}`
  await onServer(serverUrl, `create database ${name}`)
  const url = pooler.urlOf(databaseUrl(serverUrl, name))
  const start = async () => {
    const database = await openDatabase(url)
    await migrate(database)
    const queue = await openQueue(database, { log: silentLog, queues })
    await queue.stop({ timeoutMs: 1_000 })
    await database.close()
  }
  try {
    for (let round = 0; round < 3; round++) await Promise.all([start(), start(), start()])
  } finally {
    await onServer(serverUrl, `drop database ${name} with (force)`)
  }
})

test('whoever waits for the migrations of another says who holds the lock', async ({
  database,
}) => {
  const lines: string[] = []
  const log = createLog({ destination: { write: (line) => void lines.push(line) } })
  const holder = await database.pool.connect()
  await holder.query(`set application_name = 'left behind'`)
  await holder.query('select pg_advisory_lock(7310583104)')
  const waiting = migrate(database, { log })
  await expect.poll(() => lines.join()).toContain('"application":"left behind"')
  expect(lines.join()).toContain('waiting for the lock')
  await holder.query('select pg_advisory_unlock_all()')
  holder.release(true)
  await waiting
})

test.for([
  ['with DATABASE_DIRECT_URL ends are heard', true],
  ['without it every request asks, which is said once', false],
] as const)(
  'a session ended at one process is over at the other: %s',
  async ([, isDirect], { pooler, database, db }) => {
    const lines: string[] = []
    const log = createLog({ destination: { write: (line) => void lines.push(line) } })
    const url = pooler.urlOf(database.url)
    const directUrl = isDirect ? database.url : null
    const processes = await Promise.all(
      [1, 2].map(async () => {
        const own = await openDatabase(url, { log, directUrl })
        const sessionMemory = rememberSessions(own)
        const server = await anApp(own, { works: false, parts: { sessionMemory } })
        return { own, sessionMemory, server }
      }),
    )
    try {
      const isEachListening = () =>
        processes.map(({ sessionMemory }) => sessionMemory.isListening())
      const toldOf = () => lines.filter((line) => line.includes('DATABASE_DIRECT_URL')).length
      if (isDirect) await expect.poll(isEachListening).toEqual([true, true])
      // Each process finds out for itself that it hears nothing.
      else await expect.poll(toldOf).toBe(2)
      expect(isEachListening()).toEqual([isDirect, isDirect])

      const { token } = await aSession(db, { userId: (await aUser(db)).id })
      const headers = { cookie: `quoth_session=${token}` }
      const statuses = () =>
        Promise.all(
          processes.map(async ({ server }) =>
            server.inject({ url: '/api/user', headers }).then(({ statusCode }) => statusCode),
          ),
        )
      expect(await statuses()).toEqual([200, 200])
      await processes[0]!.server.inject({ method: 'POST', url: '/api/logout', headers })
      if (isDirect) await expect.poll(statuses, { timeout: 1_000 }).toEqual([401, 401])
      else expect(await statuses()).toEqual([401, 401])
      expect(toldOf()).toBe(isDirect ? 0 : 2)
    } finally {
      for (const { own, sessionMemory, server } of processes) {
        await server.close()
        sessionMemory.close()
        await own.close()
      }
    }
    // Of this database: other tests lock theirs meanwhile.
    const { rows } = await db.execute(sql`
      select 1 from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`)
    expect(rows).toEqual([])
  },
)
