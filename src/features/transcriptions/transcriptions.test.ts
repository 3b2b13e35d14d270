import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import * as library from '#features/library/library.ts'
import { transcriptions } from '#features/row/tables.ts'
import type { Db } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'
import { untilItWaits } from '#test/database.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'
import { test } from '#test/jobs.ts'

import * as batches from './batches.ts'
import * as room from './transcriptions.ts'
import * as unpaidJobs from './unpaid-jobs.ts'

const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof Refusal ? error.code : `no refusal but ${String(error)}`
}

const queuedJobs = async (db: Db, id: string): Promise<number> => {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from pgboss.job
      where name like 'transcribe%' and data->>'transcriptionId' = ${id}`,
  )
  return rows[0]!.count
}

test('confirming sets the price aside and queues one job', async ({ deps }) => {
  const user = await aUser(deps.db, { credits: 10 })
  const { id } = await anUpload(deps.db, { userId: user.id, seconds: 2470 - 900 })
  expect(await room.confirm(deps, { userId: user.id, id })).toEqual({
    creditsDeducted: 8,
    creditsRemaining: 2,
  })
  expect(await credits.balance(deps.db, user.id)).toEqual({ available: 2, held: 8 })
  expect(await queuedJobs(deps.db, id)).toBe(1)
  expect((await room.get(deps, { userId: user.id, id })).status).toBe('processing')
})

test('of 100 parallel confirms on a balance for one, exactly one is taken', async ({ deps }) => {
  const user = await aUser(deps.db, { credits: 7 })
  const files = await Promise.all(
    Array.from({ length: 100 }, () => anUpload(deps.db, { userId: user.id, seconds: 1200 })),
  )
  const results = await Promise.all(
    files.map(({ id }) =>
      room.confirm(deps, { userId: user.id, id }).then(
        () => 'taken',
        (error: unknown) => (error instanceof Refusal ? error.message : String(error)),
      ),
    ),
  )
  expect(results.filter((result) => result === 'taken')).toHaveLength(1)
  expect(new Set(results)).toEqual(
    new Set(['taken', 'Insufficient credits. You need 7 more credits to process this file.']),
  )
  expect(await credits.balance(deps.db, user.id)).toEqual({ available: 0, held: 7 })
})

test('50 equal confirms hold one price, start one job, and get equal answers', async ({ deps }) => {
  const user = await aUser(deps.db, { credits: 10 })
  const { id } = await anUpload(deps.db, { userId: user.id })
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      room.confirm(deps, { userId: user.id, id, summaryLanguage: 'en' }),
    ),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await credits.balance(deps.db, user.id)).toEqual({ available: 9, held: 1 })
  expect(await queuedJobs(deps.db, id)).toBe(1)
})

test('confirming again with another summary language is refused', async ({ deps }) => {
  const user = await aUser(deps.db, { credits: 10 })
  const { id } = await anUpload(deps.db, { userId: user.id })
  await room.confirm(deps, { userId: user.id, id, summaryLanguage: 'de' })
  expect(await refusalOf(room.confirm(deps, { userId: user.id, id, summaryLanguage: 'fr' }))).toBe(
    'already_confirmed',
  )
  expect((await room.get(deps, { userId: user.id, id })).summaryLanguage).toBe('de')
})

test('a transcription of somebody else is not there, and neither is one without a proper id', async ({
  deps,
}) => {
  const owner = await aUser(deps.db, { credits: 10 })
  const other = await aUser(deps.db, { credits: 10 })
  const { id } = await anUpload(deps.db, { userId: owner.id })
  for (const strange of [id, randomUUID(), 'x', "' or true --"]) {
    const owned = { userId: other.id, id: strange }
    expect(await refusalOf(room.get(deps, owned))).toBe('not_found')
    expect(await refusalOf(room.confirm(deps, owned))).toBe('not_found')
    expect(await refusalOf(room.cancel(deps, owned))).toBe('not_found')
    expect(await refusalOf(room.retry(deps, owned))).toBe('not_found')
    expect(await refusalOf(room.getFinished(deps, owned))).toBe('not_found')
  }
  expect((await library.list(deps, { userId: other.id, limit: 10 })).rows).toEqual([])
})

test('cancelling an upload removes its row and its file, and touches no credits', async ({
  deps,
}) => {
  const user = await aUser(deps.db, { credits: 3 })
  const storageKey = randomUUID()
  const { signal } = new AbortController()
  await deps.storage.write(storageKey, Readable.from([Buffer.from('sound')]), { signal })
  const { id } = await anUpload(deps.db, { userId: user.id, storageKey })
  await room.cancel(deps, { userId: user.id, id })
  expect(await refusalOf(room.get(deps, { userId: user.id, id }))).toBe('not_found')
  await expect(deps.storage.open(storageKey)).rejects.toThrow()
  expect(await credits.balance(deps.db, user.id)).toEqual({ available: 3, held: 0 })
})

test('work for nothing ends with the fifth job of an hour that was cancelled while it was worked on', async ({
  deps,
}) => {
  const { id: userId } = await aUser(deps.db, { credits: 10 })
  const begin = async (clock = deps.clock) => {
    const { id } = await anUpload(deps.db, { userId })
    await room.confirm({ ...deps, clock }, { userId, id })
    return id
  }
  for (const isWorkedOn of [false, false, true, true, true, true, true]) {
    const id = await begin()
    if (isWorkedOn)
      await deps.db
        .update(transcriptions)
        .set({ lease: randomUUID() })
        .where(eq(transcriptions.id, id))
    await room.cancel(deps, { userId, id })
    expect(await credits.balance(deps.db, userId)).toEqual({ available: 10, held: 0 })
  }
  const refused: unknown = await begin().catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'too_many_unpaid_jobs', status: 429 })
  const { id: failed } = await aTranscription(deps.db, { userId, status: 'error', attempt: 1 })
  expect(await refusalOf(room.retry(deps, { userId, id: failed }))).toBe('too_many_unpaid_jobs')
  const { id: waiting } = await anUpload(deps.db, { userId })
  expect(await refusalOf(batches.confirm(deps, { userId, ids: [waiting] }))).toBe(
    'too_many_unpaid_jobs',
  )
  expect((refused as Refusal).retryAfterSeconds).toBeGreaterThan(3_500)
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 10, held: 0 })

  await begin(() => new Date(deps.clock().getTime() + 3_600_000))
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 9, held: 1 })
})

test('a job that is started while another is cancelled counts that one too', async ({ deps }) => {
  const { db } = deps
  const { id: userId } = await aUser(db, { credits: 10 })
  const { id } = await anUpload(db, { userId })
  const now = deps.clock()
  let starting: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    for (let each = 0; each < 5; each++) await unpaidJobs.count(tx, { userId, now })
    starting = refusalOf(room.confirm(deps, { userId, id }))
    await untilItWaits(db, starting)
  })
  expect(await starting).toBe('too_many_unpaid_jobs')
})

test('a finished transcription can no longer be cancelled, a failed one is tried again for a new hold', async ({
  deps,
}) => {
  const user = await aUser(deps.db, { credits: 3 })
  const { id } = await anUpload(deps.db, { userId: user.id })
  const owned = { userId: user.id, id }
  await room.confirm(deps, owned)
  expect(await refusalOf(room.retry(deps, owned))).toBe('not_retryable')

  const end = (status: string, said: { errorMessage?: string; creditsReturned?: number } = {}) =>
    deps.db
      .update(transcriptions)
      .set({ status, finishedAt: new Date(), ...said })
      .where(eq(transcriptions.id, id))
  await deps.db.transaction((tx) =>
    credits.settle(tx, { userId: user.id, cause: room.holdCause(id, 1), credits: 0 }),
  )
  await end('error', { errorMessage: 'It broke.', creditsReturned: 1 })
  expect(await refusalOf(room.cancel(deps, owned))).toBe('already_finished')
  expect(await room.retry(deps, owned)).toEqual({ creditsDeducted: 1, creditsRemaining: 2 })
  expect(await queuedJobs(deps.db, id)).toBe(2)
  // The error of the failed try is not told of the new one.
  expect(await room.get(deps, owned)).toMatchObject({
    status: 'processing',
    errorMessage: null,
    creditsReturned: null,
  })

  await end('completed')
  expect(await refusalOf(room.retry(deps, owned))).toBe('not_retryable')
  expect(await refusalOf(room.cancel(deps, owned))).toBe('already_finished')
})

test('a retry beyond the balance is refused and leaves the failed job as it was', async ({
  deps,
}) => {
  const user = await aUser(deps.db, { credits: 0 })
  const { id } = await anUpload(deps.db, { userId: user.id })
  await deps.db
    .update(transcriptions)
    .set({ status: 'error', attempt: 1, errorMessage: 'It broke.', finishedAt: new Date() })
    .where(eq(transcriptions.id, id))
  expect(await refusalOf(room.retry(deps, { userId: user.id, id }))).toBe('insufficient_credits')
  const after = await room.get(deps, { userId: user.id, id })
  expect([after.status, after.errorMessage]).toEqual(['error', 'It broke.'])
})
