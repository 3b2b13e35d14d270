import { randomUUID } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { expect } from 'vitest'

import { creditsFor } from '#features/credits/contract.ts'
import * as credits from '#features/credits/credits.ts'
import { batches as batchRows, transcriptions } from '#features/row/tables.ts'
import { Refusal } from '#shared/refusals.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { test } from '#test/jobs.ts'
import { times } from '#test/long.ts'

import * as batches from './batches.ts'
import * as room from './transcriptions.ts'

const uploadsOf = async (deps: room.Deps, userId: string, lengths: readonly number[]) =>
  Promise.all(lengths.map(async (seconds) => (await anUpload(deps.db, { userId, seconds })).id))

async function jobsOf({ db }: room.Deps, ids: readonly string[]) {
  const { rows } = await db.execute<{ id: string; priority: number }>(
    sql`select data->>'transcriptionId' as id, priority from pgboss.job where name = 'transcribe'`,
  )
  return rows
    .filter(({ id }) => ids.includes(id))
    .sort((a, b) => b.priority - a.priority)
    .map(({ id }) => id)
}

test('one confirm takes the price of all, queues them in their order, and may be repeated', async ({
  deps,
}) => {
  const { id: userId } = await aUser(deps.db, { credits: 10 })
  const ids = await uploadsOf(deps, userId, [1200, 60, 200])
  const asked = { userId, ids, summaryLanguage: 'fr', creditsRequired: 10 } as const
  const answer = { creditsDeducted: 10, creditsRemaining: 0 }
  const twice = await Promise.all([batches.confirm(deps, asked), batches.confirm(deps, asked)])
  expect(twice).toEqual([answer, answer])
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 0, held: 10 })
  expect(await jobsOf(deps, ids)).toEqual(ids)

  const [{ id } = { id: '' }] = await deps.db
    .select()
    .from(batchRows)
    .where(eq(batchRows.userId, userId))
  const shown = await batches.get(deps, { userId, id })
  expect(shown.transcriptions.map((row) => [row.id, row.status, row.batchId])).toEqual(
    ids.map((each) => [each, 'processing', id]),
  )
  // One of them is taken back; the others stay, and the repeat holds nothing.
  await room.cancel(deps, { userId, id: ids[1]! })
  expect(await batches.confirm(deps, asked)).toEqual(answer)
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 1, held: 9 })
  expect((await batches.get(deps, { userId, id })).transcriptions).toHaveLength(2)
  const stranger = await aUser(deps.db)
  const theirs = batches.get(deps, { userId: stranger.id, id })
  await expect(theirs).rejects.toMatchObject({ code: 'not_found' })
})

test('a document of each is in the price, and takes the place of one that came with a file', async ({
  deps,
}) => {
  const { id: userId } = await aUser(deps.db, { credits: 10, plan: 'professional' })
  const ids = await uploadsOf(deps, userId, [60, 200])
  const own = { documentType: 'meeting-minutes', includeImages: false } as const
  await deps.db
    .update(transcriptions)
    .set({ withDocument: true, documentOrder: own, creditsRequired: 3 })
    .where(eq(transcriptions.id, ids[1]!))
  const document = { documentType: 'article', includeImages: true } as const
  const asked = { userId, ids, document, creditsRequired: 5 }
  expect(await batches.confirm(deps, asked)).toEqual({ creditsDeducted: 5, creditsRemaining: 5 })
  const rows = await deps.db
    .select()
    .from(transcriptions)
    .where(eq(transcriptions.userId, userId))
    .orderBy(transcriptions.creditsRequired)
  const ordered = { withDocument: true, documentOrder: document }
  expect(rows).toMatchObject([
    { ...ordered, creditsRequired: 2 },
    { ...ordered, creditsRequired: 3 },
  ])
})

test('an upload that cannot be confirmed is named by its id, and stops all', async ({ deps }) => {
  const { id: userId } = await aUser(deps.db, { credits: 20 })
  const { id: stranger } = await aUser(deps.db, { credits: 20 })
  const [free, taken] = (await uploadsOf(deps, userId, [60, 60])) as [string, string]
  const [theirs] = (await uploadsOf(deps, stranger, [60])) as [string]
  await room.confirm(deps, { userId, id: taken })
  const confirm = (ids: string[], more = {}) => batches.confirm(deps, { userId, ids, ...more })
  await expect(confirm([free, theirs, taken, 'no id'])).rejects.toMatchObject({
    message: expect.stringContaining(theirs),
    refused: [
      { id: theirs, code: 'not_found' },
      { id: taken, code: 'already_confirmed' },
      { id: 'no id', code: 'not_found' },
    ],
  })
  await expect(confirm([free], { creditsRequired: 2 })).rejects.toMatchObject({
    code: 'price_differs',
    figures: { creditsRequired: 1 },
  })
  await expect(confirm([randomUUID()])).rejects.toMatchObject({ code: 'not_found' })
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 19, held: 1 })
  expect(await jobsOf(deps, [free])).toEqual([])
})

test('of batches that share files and race for the credits each is taken whole or not at all', async ({
  deps,
}) => {
  const lengths = fc.array(fc.integer({ min: 1, max: 1200 }), { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      lengths,
      fc.integer({ min: 1, max: 25 }),
      fc.array(fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 6 }), {
        minLength: 2,
        maxLength: 4,
      }),
      async (seconds, given, choices) => {
        const { id: userId } = await aUser(deps.db, { credits: given })
        const files = await uploadsOf(deps, userId, seconds)
        const asked = choices.map((choice) => [
          ...new Set(choice.map((index) => files[index % files.length]!)),
        ])
        const answers = await Promise.all(
          asked.map((ids) => batches.confirm(deps, { userId, ids }).catch((error) => error)),
        )
        for (const answer of answers)
          if (answer instanceof Error && !(answer instanceof Refusal)) throw answer
        const taken = asked.filter((_, index) => !(answers[index] instanceof Refusal))
        const all = new Set(taken.flat())
        const rows = await deps.db
          .select()
          .from(transcriptions)
          .where(eq(transcriptions.userId, userId))
        const started = rows.filter(({ status }) => status === 'processing')
        expect(new Set(started.map(({ id }) => id))).toEqual(all)
        const price = started.reduce(
          (sum, { durationMs }) => sum + creditsFor(durationMs / 1000),
          0,
        )
        expect(await credits.balance(deps.db, userId)).toEqual({
          available: given - price,
          held: price,
        })
        expect((await jobsOf(deps, files)).length).toBe(all.size)
      },
    ),
    { numRuns: times(15, 200) },
  )
})
