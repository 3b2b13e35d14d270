import { type Subquery, eq, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { expect } from 'vitest'

import { test } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'

import * as row from './row.ts'

test('a text, work on it and the text before are each asked for by a name, and deleted ones by none', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const text = await aTranscription(db, { userId })
  const again = { userId, againOf: text.id, againWhat: 'text', storageKey: null } as const
  const failed = { status: 'error', errorMessage: 'Something broke on our side.' } as const
  const run = await aTranscription(db, { ...again, status: 'processing', finishedAt: null })
  const over = await aTranscription(db, { ...again, ...failed })
  const earlier = await aTranscription(db, { ...again, keptUntil: new Date() })
  const deletedAt = new Date()
  const gone = await aTranscription(db, { userId, deletedAt })
  const goneEarlier = await aTranscription(db, { ...again, keptUntil: new Date(), deletedAt })

  const idsIn = async (rows: Subquery & { id: AnyPgColumn; userId: AnyPgColumn }) => {
    const found = await db.select({ id: rows.id }).from(rows).where(eq(rows.userId, userId))
    return new Set(found.map(({ id }) => id))
  }
  expect(await idsIn(row.shownRows)).toEqual(new Set([text.id]))
  expect(await idsIn(row.runRows)).toEqual(new Set([run.id, over.id]))
  expect(await idsIn(row.earlierRows)).toEqual(new Set([earlier.id]))
  expect(await idsIn(row.textRows)).toEqual(new Set([text.id, earlier.id]))
  expect(await db.$count(row.everyRow, eq(row.everyRow.userId, userId))).toBe(6)

  for (const { id } of [text, run, earlier, gone, goneEarlier])
    await row.writeShown(db, { userId, id }, { originalName: 'renamed.mp3' })
  const isRenamed = eq(row.everyRow.originalName, 'renamed.mp3')
  const renamed = await db.select({ id: row.everyRow.id }).from(row.everyRow).where(isRenamed)
  expect(renamed).toEqual([{ id: text.id }])
})

test('a condition for what is shown is refused in a query of every row', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId })
  const mixed = db.select().from(row.everyRow).where(row.isThere({ userId, id }))
  await expect(mixed).rejects.toMatchObject({ cause: { code: '42P01' } })
})

test('each row that goes with another is found by an index', async ({ db }) => {
  const { rows } = await db.execute(sql`
    select conrelid::regclass::text as "table", conname as name from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select from pg_index where indrelid = conrelid
        and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey)`)
  // What is kept of a sign-in for some minutes.
  const few = ['google_trips', 'sign_in_tickets']
  expect(rows.filter(({ table }) => !few.includes(String(table)))).toEqual([])
})

test('how far the work is stands in the place of “processing”, and of nothing else', () => {
  const progress = 'processing chunk 2/5'
  expect(row.shownStatus({ status: 'processing', progress })).toBe(progress)
  expect(row.shownStatus({ status: 'processing', progress: null })).toBe('processing')
  expect(row.shownStatus({ status: 'error', progress })).toBe('error')
})
