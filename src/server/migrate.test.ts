import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, inject, test as base } from 'vitest'

import { databaseUrl, onServer } from '#test/global-setup.ts'

import { connectAlone } from './db.ts'
import { createLog } from './log.ts'
import { migrate } from './migrate.ts'

/** A database of its own, and a release whose migrations are given as texts. */
const test = base.extend<{
  directUrl: string
  release: (...migrations: string[]) => Promise<string>
}>({
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
  directUrl: async ({}, hand) => {
    const serverUrl = inject('databaseServerUrl')
    const name = `quoth_migrated_${randomUUID().slice(0, 8)}`
    await onServer(serverUrl, `create database ${name}`)
    await hand(databaseUrl(serverUrl, name))
    await onServer(serverUrl, `drop database ${name} with (force)`)
  },
  // oxlint-disable-next-line no-empty-pattern -- see above
  release: async ({}, hand) => {
    const folder = await mkdtemp(join(tmpdir(), 'quoth-migrations-'))
    await hand(async (...migrations) => {
      await mkdir(join(folder, 'meta'), { recursive: true })
      const entries = migrations.map((_, idx) => ({
        idx,
        version: '7',
        when: 1_000 + idx,
        tag: `000${idx}`,
        breakpoints: true,
      }))
      await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
      for (const [idx, sql] of migrations.entries())
        await writeFile(join(folder, `000${idx}.sql`), sql)
      return folder
    })
    await rm(folder, { recursive: true })
  },
})

const first = 'create table notes (id integer); insert into notes values (1), (1)'

test('who reads a table is not held up by a migration that waits for it', async ({
  directUrl,
  release,
}) => {
  await migrate({ directUrl }, { migrationsFolder: await release(first) })
  await using user = await connectAlone(directUrl, 'a long question')
  await using reader = await connectAlone(directUrl, 'another')
  await user.query('begin')
  await user.query('select from notes')
  const waited = Promise.withResolvers<void>()
  const log = createLog({
    level: 'warn',
    destination: { write: (line) => line.includes('a migration waits') && waited.resolve() },
  })
  const migrationsFolder = await release(first, 'alter table notes add column text text')
  const migrating = migrate({ directUrl }, { log, migrationsFolder, tableWaitMs: 300 })
  await waited.promise
  // The first question is still there: without a limit the migration would wait for it, and this one behind.
  for (let times = 0; times < 5; times += 1) await reader.query('select from notes')
  await user.query('commit')
  await migrating
  expect((await reader.query('select text from notes')).rowCount).toBe(2)
})

test('what was done before a migration that fails stays, and is not done again', async ({
  directUrl,
  release,
}) => {
  const broken = await release(first, 'alter table notes add column a text', 'select 1 / 0')
  await expect(migrate({ directUrl }, { migrationsFolder: broken })).rejects.toThrow('zero')
  await using client = await connectAlone(directUrl, 'a look')
  expect((await client.query('select a from notes')).rowCount).toBe(2)
  const mended = await release(
    first,
    'alter table notes add column a text',
    'alter table notes add column b text',
  )
  await migrate({ directUrl }, { migrationsFolder: mended })
  expect((await client.query('select b from notes')).rowCount).toBe(2)
})

test('an index is made while others write, and made anew where that was broken off', async ({
  directUrl,
  release,
}) => {
  await migrate({ directUrl }, { migrationsFolder: await release(first) })
  const index =
    '-- Allowed: few rows.\ncreate unique index concurrently "notes_by_id" on notes (id)'
  const migrationsFolder = await release(first, index)
  // Two rows are the same, so the index is left behind as one of no use.
  await expect(migrate({ directUrl }, { migrationsFolder })).rejects.toThrow('unique')
  await using writer = await connectAlone(directUrl, 'a writer')
  await writer.query('update notes set id = 2 where ctid = (select max(ctid) from notes)')
  await migrate({ directUrl }, { migrationsFolder })
  const { rows } = await writer.query(
    'select indisvalid from pg_index where indexrelid = $1::regclass',
    ['notes_by_id'],
  )
  expect(rows).toEqual([{ indisvalid: true }])
})
