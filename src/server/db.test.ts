import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { expect, inject } from 'vitest'

import { test } from '#test/database.ts'
import { isLong } from '#test/long.ts'
import { databaseUrl, onServer } from '#test/global-setup.ts'

import { connectAlone, openDatabase } from './db.ts'
import { createLog } from './log.ts'
import { DatabaseIsNewer, migrate, newestMigration } from './migrate.ts'

if (isLong)
  test('that the tables of an older release are brought up to date is said, once', async () => {
    const serverUrl = inject('databaseServerUrl')
    const name = `quoth_older_${randomUUID().slice(0, 8)}`
    await onServer(serverUrl, `create database ${name}`)
    const database = await openDatabase(databaseUrl(serverUrl, name))
    const said: string[] = []
    const log = createLog({ level: 'info', destination: { write: (line) => void said.push(line) } })
    try {
      // A migration of long ago is all that was made here.
      await database.db.execute(sql`
      create schema drizzle
      create table __drizzle_migrations (id serial primary key, hash text, created_at bigint)`)
      await database.db.execute(sql`
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('first', 1)`)
      await migrate(database, { log })
      await migrate(database, { log })
    } finally {
      await database.close()
      await onServer(serverUrl, `drop database ${name} with (force)`)
    }
    const [first, ...indexes] = said
    expect(first).toContain('bringing the tables up to date')
    expect(indexes.every((line) => line.includes('an index is being made'))).toBe(true)
  })

test('an older release does not start on the database of a newer one', async ({ database, db }) => {
  const later = newestMigration() + 1
  const isLater = sql`created_at = ${later}`
  await db.execute(sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the next release', ${later})`)
  await expect(migrate(database)).rejects.toThrow(DatabaseIsNewer)
  await db.execute(sql`delete from drizzle.__drizzle_migrations where ${isLater}`)
  await migrate(database)
})

test('no connection of any part compiles its queries', async () => {
  const serverUrl = inject('databaseServerUrl')
  const name = `quoth_jit_${randomUUID().slice(0, 8)}`
  const url = databaseUrl(serverUrl, name)
  await onServer(serverUrl, `create database ${name}`)
  try {
    await onServer(serverUrl, `alter database ${name} set jit = on`)
    const opened = await Promise.all([openDatabase(url), openDatabase(url), openDatabase(url)])
    await using alone = await connectAlone(url, 'a tool')
    const asked = [...opened.map(({ pool }) => pool), alone]
    const answers = await Promise.all(asked.map((each) => each.query('show jit')))
    expect(answers.map(({ rows }) => rows)).toEqual(asked.map(() => [{ jit: 'off' }]))
    await Promise.all(opened.map(({ close }) => close()))
  } finally {
    await onServer(serverUrl, `drop database ${name} with (force)`)
  }
})

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

test('the error of a transaction is told, also where it cannot be rolled back', async ({
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
