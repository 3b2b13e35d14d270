/** The `test` of every test that needs a database: each test file has one of its own. */
import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { test as base, expect, inject } from 'vitest'

import { type Db, type Tx, openDatabase } from '#server/db.ts'

import { copyDataDir, databaseUrl, onServer } from './global-setup.ts'

export const test = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
  .extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
    const serverUrl = inject('databaseServerUrl')
    const name = `quoth_test_${randomUUID().slice(0, 8)}`
    await onServer(serverUrl, `create database ${name} template ${inject('databaseTemplate')}`)
    const database = await openDatabase(databaseUrl(serverUrl, name))
    onCleanup(async () => {
      await database.close()
      // Dropping is a third of what PostgreSQL does in the run. Our own server goes as a whole.
      if (!inject('isDatabaseServerKept')) return
      await onServer(serverUrl, `drop database if exists ${name} with (force)`)
    })
    return database
  })
  .extend('db', ({ database }) => database.db)

/** Makes of an empty folder the data folder of a server that was started once: it is migrated. */
export async function begin(dataDir: string): Promise<void> {
  await copyDataDir(inject('begunDataDir'), dataDir)
}

/** How often the work looks into an index. Tables are small here, so reading all of one is not allowed to it. */
export async function looksInto(
  db: Db,
  index: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    // Those of the last second on this connection are counted in, whoever looked.
    const looks = async () => {
      const { rows } = await tx.execute<{ looks: number }>(
        sql`select pg_stat_get_xact_numscans(${index}::regclass)::int as looks`,
      )
      return rows[0]?.looks ?? 0
    }
    const before = await looks()
    await work(tx)
    return (await looks()) - before
  })
}

/**
 * Waits until the work is blocked by a lock, which the caller's open transaction holds, or has
 * ended because it needed no lock.
 */
export async function untilItWaits(db: Db, work: Promise<unknown>): Promise<void> {
  let hasEnded = false
  const end = () => void (hasEnded = true)
  work.then(end, end)
  const waiting = sql`
    select 1 from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`
  await expect
    .poll(async () => hasEnded || (await db.execute(waiting)).rows.length > 0, {
      interval: 20,
    })
    .toBe(true)
}
