/**
 * The server behind PgBouncer in transaction mode, where a connection of PostgreSQL belongs to
 * somebody for one transaction, and to somebody else right after.
 */
import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { expect, inject } from 'vitest'

import { queues } from '#root/worker.ts'
import { test as base } from '#test/database.ts'
import { databaseUrl, onServer } from '#test/global-setup.ts'
import { times } from '#test/long.ts'
import { type Pooler, startPooler } from '#test/pgbouncer.ts'

import { openDatabase } from './db.ts'
import { createLog, silentLog } from './log.ts'
import { migrate } from './migrate.ts'
import { openQueue } from './queue.ts'

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

test('three processes start at once on an empty database, time after time, and leave no lock', async ({
  pooler,
  database,
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
    for (let round = 0; round < times(1, 3); round++) await Promise.all([start(), start(), start()])
    const { rows } = await database.pool.query(
      `select 1 from pg_locks join pg_database on pg_database.oid = database
       where locktype = 'advisory' and datname = $1`,
      [name],
    )
    expect(rows).toEqual([])
  } finally {
    await onServer(serverUrl, `drop database ${name} with (force)`)
  }
})

test('behind a pooler too no connection compiles its queries', async ({ pooler, database }) => {
  await using behind = await openDatabase(pooler.urlOf(database.url))
  // Each of them has a connection of PostgreSQL's while the others wait for it.
  const asked = Array.from({ length: 5 }, () =>
    behind.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_sleep(0.05)`)
      return (await tx.execute(sql`show jit`)).rows[0]
    }),
  )
  expect(await Promise.all(asked)).toEqual(asked.map(() => ({ jit: 'off' })))
})

test('a process that waits for the migrations of another says who holds the lock', async ({
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
