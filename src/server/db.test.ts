import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { test } from '#test/database.ts'

import { openDatabase } from './db.ts'

test('a database that goes away under load takes no connection of the pool with it', async ({
  database,
  db,
}) => {
  const other = await openDatabase(database.url)
  for (let round = 0; round < 10; round++) {
    const busy = Array.from({ length: 100 }, () =>
      other.db.transaction((tx) => tx.execute(sql`select 1`)),
    )
    const cut = db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'quoth'
        and pid <> pg_backend_pid()`)
    await Promise.allSettled([...busy, cut])
  }
  expect(other.pool.waitingCount).toBe(0)
  expect(other.pool.totalCount - other.pool.idleCount).toBe(0)
  await other.close()
})

test('what a transaction failed of is told, also where it cannot be rolled back', async ({
  database,
}) => {
  const other = await openDatabase(database.url)
  const working = other.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => undefined)
    throw new Error('the disk is full')
  })
  await expect(working).rejects.toThrow('the disk is full')
  expect(other.pool.totalCount).toBe(0)
  await other.close()
})
