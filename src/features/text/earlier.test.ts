import { type Column, eq, getTableColumns } from 'drizzle-orm'
import { expect } from 'vitest'

import { goesWithText } from '#features/row/row.ts'
import { transcriptions } from '#features/row/tables.ts'
import { systemClock } from '#shared/clock.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser, anActionItem } from '#test/factories.ts'

import { back, insertRun } from './earlier.ts'

/** Columns that say whose row it is and what it is for. They cannot take any value. */
const fixed = [
  'id',
  'userId',
  'status',
  'storageKey',
  'isSample',
  'againOf',
  'againWhat',
  'keptUntil',
  'batchId',
  'deletedAt',
]

/** A value for every column that may have any; another one for each `n`. */
const filled = (n: 1 | 2) =>
  Object.fromEntries(
    Object.entries(getTableColumns(transcriptions))
      .filter(([name, { generated }]) => !generated && !fixed.includes(name))
      .map(([name, column]) => [name, valueFor(name, column, n)]),
  )

function valueFor(name: string, { dataType, columnType, enumValues }: Column, n: 1 | 2): unknown {
  if (name === 'actionItems')
    return [anActionItem({ text: `${name} ${n}`, quote: null, startMs: null })]
  if (name === 'peaks') return [n]
  if (name === 'recordedAt') return `2026-11-0${n}`
  if (dataType === 'json') return [{ speaker: n, name: `${name} ${n}` }]
  if (dataType === 'date') return new Date(Date.UTC(2026, 10, n))
  if (dataType === 'number') return n
  if (dataType === 'boolean') return n === 2
  if (columnType === 'PgUUID') return crypto.randomUUID()
  return enumValues?.[n - 1] ?? `${name} ${n}`
}

test('every column of an earlier text comes back with it, and no other moves', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const keptUntil = new Date(Date.now() + 3_600_000)
  const now = await aTranscription(db, { userId, ...filled(1) })
  const run = { ...filled(2), status: 'completed', againWhat: 'text' as const, creditsRequired: 0 }
  const earlier = await db.transaction((tx) => insertRun(tx, now, { ...run, keptUntil }))

  await back({ db, clock: systemClock }, { userId, id: now.id })
  const [after] = await db.select().from(transcriptions).where(eq(transcriptions.id, now.id))
  const [kept] = await db.select().from(transcriptions).where(eq(transcriptions.againOf, now.id))
  const isOfText = (name: string) => goesWithText[name as keyof typeof goesWithText]
  const text = (row: typeof now) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => isOfText(name)))
  const { speakerSearch } = earlier
  const moved = { ...text(earlier), speakerSearch, revision: 2, summaryPending: null }
  expect(after).toEqual({ ...now, ...moved })
  expect(text(kept!)).toEqual(text(now))
})
