import { and, eq, or, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import { turns as turnRows } from '#features/text/tables.ts'
import { recordingsInThread } from '#features/transcriptions/for-documents.ts'
import { recordings } from '#features/transcriptions/said.ts'
import type { Writer } from '#features/writing/contract.ts'
import { extractive } from '#features/writing/writing.ts'
import type { Db } from '#server/db.ts'
import { queuesOf } from '#server/jobs.ts'
import { silentLog } from '#server/log.ts'
import { openQueue } from '#server/queue.ts'
import { systemClock } from '#shared/clock.ts'
import { test as base, untilItWaits } from '#test/database.ts'
import { repeating } from '#test/engine.ts'
import { aTranscription, aUser } from '#test/factories.ts'

import * as documents from './documents.ts'
import { documents as rows } from './tables.ts'

const test = base.extend<{
  $file: { deps: documents.WriteDeps & { isByModel(): Promise<boolean> } }
}>({
  deps: [
    async ({ database }, use) => {
      const queue = await openQueue(database, {
        log: silentLog,
        queues: queuesOf([documents.documentJob]),
      })
      await use({
        db: database.db,
        queue,
        clock: systemClock,
        log: silentLog,
        writer: repeating,
        recordings: recordings(database.db),
        isByModel: async () => false,
      })
      await queue.stop()
    },
    { scope: 'file' },
  ],
})

const said = [
  'The harbour bridge will be closed for repairs until October.',
  'The ferry runs every ten minutes while the bridge is closed.',
  'We have decided to extend the ferry until midnight on Fridays.',
  'Ben will call the harbour office about the ticket machines by Friday.',
  'How much does the night ferry cost the city every month?',
]

/** Somebody with a plan and a finished transcription. */
async function aFinished(
  db: Db,
  { credits: amount = 5, plan = 'professional' as const, texts = said } = {},
) {
  const user = await aUser(db, { credits: amount, plan })
  const turns = texts.map((text, place) => ({ speaker: place % 2, text }))
  const { id } = await aTranscription(db, { userId: user.id, turns, sure: () => null })
  return { userId: user.id, id }
}

/** Changes the text of a recording. */
const sayElse = (db: Db, { id }: { id: string }, text: string) =>
  db
    .update(turnRows)
    .set({ text })
    .where(and(eq(turnRows.transcriptionId, id), eq(turnRows.position, 0)))

const asked = { documentType: 'meeting-minutes', includeImages: false } as const
const delivery = { isLastAttempt: false, signal: new AbortController().signal }
const last = { ...delivery, isLastAttempt: true }

const failing = (error: Error): Writer => ({
  ...repeating,
  compose: async () => {
    throw error
  },
})

test('a document of a finished transcription costs one credit, taken when it is there', async ({
  deps,
}) => {
  const owned = await aFinished(deps.db)
  const ordered = await documents.order(deps, { ...owned, ...asked })
  expect(ordered).toMatchObject({
    status: 'generating',
    content: '',
    documentType: 'meeting-minutes',
  })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 1 })

  const real = { ...deps, writer: extractive }
  await documents.write(real, { documentId: ordered.id, attempt: 1 }, delivery)
  const [document] = await documents.list(deps, owned)
  expect(document).toMatchObject({ status: 'generated', isCreditReturned: false })
  expect(document!.content).toContain('Speaker A')
  expect(document!.content).toContain('harbour')
  expect(document!.wordCount).toBeGreaterThan(30)
  expect(document!.note).toContain('No language model is set up')
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 0 })
})

test('the text for a document is read in a thread, with a connection of its own', async ({
  deps,
  database,
}) => {
  const owned = await aFinished(deps.db)
  const here = await deps.recordings.read(owned, delivery.signal)
  const db = new Proxy(deps.db, {
    get: () => expect.unreachable('it was read on the event loop'),
  })
  const there = recordingsInThread({ db, url: database.url })
  expect(await there.read(owned, delivery.signal)).toEqual(here)
})

test('a document that is delivered twice is written and paid once', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  const job = { documentId, attempt: 1 }
  await Promise.all([documents.write(deps, job, delivery), documents.write(deps, job, delivery)])
  await documents.write(deps, job, delivery)
  await documents.fail(deps, job, null)
  expect((await documents.list(deps, owned)).map(({ status }) => status)).toEqual(['generated'])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 0 })
  expect(await credits.verify(deps.db)).toEqual([])
})

test('a document that fails to the last try gives its credit back, and is tried again for nothing', async ({
  deps,
}) => {
  const owned = await aFinished(deps.db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  const broken = { ...deps, writer: failing(new Error('no')) }
  await expect(documents.write(broken, { documentId, attempt: 1 }, delivery)).rejects.toThrow('no')
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 1 })
  await documents.write(broken, { documentId, attempt: 1 }, last)
  expect((await documents.list(deps, owned))[0]).toMatchObject({
    status: 'error',
    isCreditReturned: true,
  })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })

  await documents.retry(deps, { ...owned, documentId })
  await documents.write(deps, { documentId, attempt: 2 }, delivery)
  expect((await documents.list(deps, owned))[0]).toMatchObject({ status: 'generated' })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
  await expect(documents.retry(deps, { ...owned, documentId })).rejects.toMatchObject({
    code: 'document_not_failed',
  })
})

test('a document that is tried again twice at once is tried again once', async ({ deps }) => {
  const { db } = deps
  const owned = await aFinished(db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  await documents.fail(deps, { documentId, attempt: 1 }, null)
  let second: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await tx
      .update(rows)
      .set({ status: 'generating', attempt: 2, finishedAt: null })
      .where(eq(rows.id, documentId))
    second = documents.retry(deps, { ...owned, documentId })
    await untilItWaits(db, second)
  })
  await expect(second).rejects.toMatchObject({ code: 'document_not_failed' })
})

test('a document is tried again for nothing only so often', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  for (let attempt = 1; attempt <= documents.MOST_RETRIES; attempt += 1) {
    await documents.fail(deps, { documentId, attempt }, null)
    await documents.retry(deps, { ...owned, documentId })
  }
  await documents.fail(deps, { documentId, attempt: 1 + documents.MOST_RETRIES }, null)
  await expect(documents.retry(deps, { ...owned, documentId })).rejects.toMatchObject({
    code: 'document_given_up',
  })
  expect((await documents.list(deps, owned))[0]?.status).toBe('error')
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('an old delivery of a document that was tried again changes nothing', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  await documents.fail(deps, { documentId, attempt: 1 }, null)
  await documents.retry(deps, { ...owned, documentId })
  await documents.write(deps, { documentId, attempt: 1 }, delivery)
  expect((await documents.list(deps, owned))[0]?.status).toBe('generating')
})

test('a recording that says too little makes no document, and says so', async ({ deps }) => {
  const owned = await aFinished(deps.db, { texts: ['Hello.', 'Hi.'] })
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  await documents.write(deps, { documentId, attempt: 1 }, delivery)
  const [document] = await documents.list(deps, owned)
  expect(document?.status).toBe('error')
  expect(document?.problem).toContain('says too little')
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('a document that its text does not allow is not tried again for nothing', async ({ deps }) => {
  const owned = await aFinished(deps.db, { texts: ['Hello.', 'Hi.'] })
  const ordered = await Promise.all(
    Array.from({ length: 4 }, () => documents.order(deps, { ...owned, ...asked })),
  )
  for (const { id: documentId } of ordered)
    await documents.write(deps, { documentId, attempt: 1 }, delivery)
  await sayElse(deps.db, owned, said.join(' '))
  for (const { id: documentId } of ordered)
    await expect(documents.retry(deps, { ...owned, documentId })).rejects.toMatchObject({
      code: 'document_order_anew',
    })
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  await documents.write(deps, { documentId, attempt: 1 }, delivery)
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 4, held: 0 })
  expect(await credits.verify(deps.db)).toEqual([])
})

/** A writer that calls itself a model, and answers with a text that no model wrote. */
const modelThatFails: Writer = { ...repeating, name: 'llm' }

test('where the model wrote nothing fit to be shown, the document made without it is free', async ({
  deps,
}) => {
  const owned = await aFinished(deps.db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  await documents.write({ ...deps, writer: modelThatFails }, { documentId, attempt: 1 }, delivery)
  const [document] = await documents.list(deps, owned)
  expect(document).toMatchObject({ status: 'generated', isCreditReturned: true })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
  expect(await credits.verify(deps.db)).toEqual([])
})

test('after five documents that came to nothing the next of the hour waits', async ({ deps }) => {
  const owned = await aFinished(deps.db, { texts: ['Hello.', 'Hi.'] })
  const orderAt = (now: Date) =>
    documents.order({ ...deps, clock: () => now }, { ...owned, ...asked })
  const now = deps.clock()
  for (let n = 0; n < 5; n++) {
    const { id: documentId } = await orderAt(now)
    await documents.write(deps, { documentId, attempt: 1 }, delivery)
  }
  await expect(orderAt(now)).rejects.toMatchObject({ code: 'too_many_unpaid_documents' })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
  await orderAt(new Date(now.getTime() + 3_700_000))
})

test('a recording that is deleted while its document is written is one of the five', async ({
  deps,
}) => {
  const { id: userId } = await aUser(deps.db, { credits: 5, plan: 'professional' })
  const orderOne = async () => {
    const turns = said.map((text) => ({ speaker: 0, text }))
    const { id } = await aTranscription(deps.db, { userId, turns, sure: () => null })
    return { id, documentId: (await documents.order(deps, { userId, id, ...asked })).id }
  }
  const remove = (id: string) =>
    deps.db.transaction((tx) => documents.removeOf(tx, [id], { clock: deps.clock }))
  // Nobody has begun with the first one.
  await remove((await orderOne()).id)
  for (let n = 0; n < 5; n++) {
    const { id, documentId } = await orderOne()
    const compose = async (...order: Parameters<Writer['compose']>) => {
      await remove(id)
      return repeating.compose(...order)
    }
    const writer = { ...repeating, compose }
    await documents.write({ ...deps, writer }, { documentId, attempt: 1 }, delivery)
  }
  expect(await credits.balance(deps.db, userId)).toEqual({ available: 5, held: 0 })
  await expect(orderOne()).rejects.toMatchObject({ code: 'too_many_unpaid_documents' })
})

test('after any number of documents that were free the next one is written', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  for (let n = 0; n < 6; n++) {
    const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
    await documents.write({ ...deps, writer: modelThatFails }, { documentId, attempt: 1 }, delivery)
  }
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('a free try is for the text that failed, and for no other', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  const broken = { ...deps, writer: failing(new Error('no')) }
  await documents.write(broken, { documentId, attempt: 1 }, last)
  await sayElse(deps.db, owned, 'Something else altogether was said.')
  await documents.retry(deps, { ...owned, documentId })
  await documents.write(deps, { documentId, attempt: 2 }, delivery)
  expect((await documents.list(deps, owned))[0]).toMatchObject({
    status: 'error',
    problem: expect.stringContaining('was changed'),
    isCreditReturned: true,
  })
  await expect(documents.retry(deps, { ...owned, documentId })).rejects.toMatchObject({
    code: 'document_order_anew',
  })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('many documents of one user do not hold up the first of another', async ({ deps }) => {
  const many = await aFinished(deps.db)
  for (let n = 0; n < 3; n++) await documents.order(deps, { ...many, ...asked })
  const first = await documents.order(deps, { ...(await aFinished(deps.db)), ...asked })
  const { rows: waiting } = await deps.db.execute<{ id: string }>(
    sql`select data->>'documentId' as id from pgboss.job where name = 'write-document'
      order by priority desc, created_on`,
  )
  const theirs = await deps.db
    .select({ id: rows.id })
    .from(rows)
    .where(or(eq(rows.id, first.id), eq(rows.userId, many.userId)))
  const line = waiting.filter(({ id }) => theirs.some((one) => one.id === id))
  expect(line.findIndex(({ id }) => id === first.id)).toBe(1)
})

test('documents are for plans that have them, and stay when the plan ends', async ({ deps }) => {
  const owned = await aFinished(deps.db, { plan: 'starter' as 'professional' })
  const refused = { code: 'documents_need_plan' }
  const whose = { userId: owned.userId, isByModel: false }
  await expect(documents.types(deps.db, whose)).rejects.toMatchObject(refused)
  await expect(documents.order(deps, { ...owned, ...asked })).rejects.toMatchObject(refused)
  await expect(documents.list(deps, owned)).rejects.toMatchObject(refused)
  await deps.db.transaction((tx) => documents.begin(tx, deps, { ...owned, ...asked }))
  expect(await documents.list(deps, owned)).toHaveLength(1)
})

test('without a credit nothing is ordered', async ({ deps }) => {
  const owned = await aFinished(deps.db, { credits: 0 })
  await expect(documents.order(deps, { ...owned, ...asked })).rejects.toMatchObject({
    code: 'insufficient_credits',
  })
  expect(await documents.list(deps, owned)).toEqual([])
})

test("somebody else's documents are not there", async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  await documents.write(deps, { documentId, attempt: 1 }, delivery)
  const stranger = await aUser(deps.db, { plan: 'enterprise', credits: 3 })
  const theirs = { userId: stranger.id, id: owned.id, documentId }
  const missing = { code: 'not_found' }
  await expect(documents.list(deps, theirs)).rejects.toMatchObject(missing)
  await expect(documents.get(deps, theirs)).rejects.toMatchObject(missing)
  await expect(documents.order(deps, { ...theirs, ...asked })).rejects.toMatchObject(missing)
  await expect(documents.retry(deps, theirs)).rejects.toMatchObject(missing)
  await expect(documents.get(deps, { ...owned, documentId: 'x' })).rejects.toMatchObject(missing)
})

test('a deleted transcription takes its documents along, and the credits they held come back', async ({
  deps,
}) => {
  const owned = await aFinished(deps.db)
  await documents.order(deps, { ...owned, ...asked })
  await expect(
    deps.db.delete(transcriptions).where(eq(transcriptions.id, owned.id)),
  ).rejects.toThrow()
  await deps.db.transaction((tx) => documents.removeOf(tx, [owned.id]))
  expect(await deps.db.select().from(rows).where(eq(rows.userId, owned.userId))).toEqual([])
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('a document whose job is gone ends within a minute', async ({ deps }) => {
  const owned = await aFinished(deps.db)
  const { id: documentId } = await documents.order(deps, { ...owned, ...asked })
  await documents.endWithoutJob(deps)
  expect((await documents.list(deps, owned))[0]?.status).toBe('generating')
  await deps.db.update(rows).set({ attempt: 7 }).where(eq(rows.id, documentId))
  await documents.endWithoutJob(deps)
  expect((await documents.list(deps, owned))[0]).toMatchObject({ status: 'error' })
  expect(await credits.balance(deps.db, owned.userId)).toEqual({ available: 5, held: 0 })
})

test('pictures are only for types that have them', async ({ deps }) => {
  const { id: userId } = await aUser(deps.db, { plan: 'professional' })
  const kept = async (documentType: 'article' | 'key-insights') =>
    documents.accept(deps.db, { userId, documentType, includeImages: true }, deps.isByModel)
  expect(await kept('article')).toEqual({ documentType: 'article', includeImages: true })
  expect(await kept('key-insights')).toMatchObject({ includeImages: false })
})
