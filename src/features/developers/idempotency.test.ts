import { and, eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'

import * as idempotency from './idempotency.ts'
import { idempotencyKeys } from './tables.ts'

type Db = Parameters<typeof idempotency.release>[0]

/** Lets the claim run out, as it does when the server that held the key is gone. */
async function lapse(db: Db, { userId, key }: idempotency.CallKey): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set({ leaseUntil: sql`now() - interval '1 second'` })
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)))
}

test('of many requests at once one gets the key, and after a crash the next one', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const asked = { userId, key: 'one' }
  const claims = await Promise.all(Array.from({ length: 20 }, () => idempotency.claim(db, asked)))
  expect(claims.filter((claim) => claim !== null)).toHaveLength(1)
  expect(await idempotency.claim(db, asked)).toBeNull()
  await lapse(db, asked)
  expect(await idempotency.claim(db, asked)).toMatchObject({ isTakenOver: true })
})

test('a request that lost its key to another writes no answer, and so charges nothing', async ({
  db,
}) => {
  const user = await aUser(db, { credits: 5 })
  const asked = { userId: user.id, key: 'slow' }
  const slow = (await idempotency.claim(db, asked))!
  await lapse(db, asked)
  const next = (await idempotency.claim(db, asked))!
  const work = (claim: idempotency.Claim, cause: string) =>
    db.transaction(async (tx) => {
      await credits.hold(tx, { userId: user.id, cause, credits: 1 })
      const answer = { fingerprint: 'f', status: 201, body: cause }
      await idempotency.answer(tx, claim, answer)
    })
  await work(next, 'second')
  await expect(work(slow, 'first')).rejects.toThrow('took over')
  expect(await credits.balance(db, user.id)).toEqual({ available: 4, held: 1 })
  expect(await idempotency.answered(db, { ...asked, fingerprint: 'f' })).toEqual({
    status: 201,
    body: 'second',
  })
})

test('keys are good for a day, and each user has their own', async ({ db }) => {
  const [one, other] = [await aUser(db), await aUser(db)]
  const claim = (await idempotency.claim(db, { userId: one.id, key: 'shared' }))!
  await idempotency.answer(db, claim, { fingerprint: 'f', status: 200, body: 'mine' })
  const theirs = (await idempotency.claim(db, { userId: other.id, key: 'shared' }))!
  await idempotency.answer(db, theirs, { fingerprint: 'f', status: 200, body: 'theirs' })
  const answered = async ({ id: userId }: typeof one) =>
    (await idempotency.answered(db, { userId, key: 'shared', fingerprint: 'f' })).body
  expect([await answered(one), await answered(other)]).toEqual(['mine', 'theirs'])
  await idempotency.forgetOld(db)
  expect(await idempotency.claim(db, { userId: one.id, key: 'shared' })).toBeNull()
  await db.update(idempotencyKeys).set({ createdAt: sql`now() - interval '25 hours'` })
  await idempotency.forgetOld(db)
  expect(await db.$count(idempotencyKeys)).toBe(0)
})

test('after a crash a confirmation is repeated, and a document is not bought twice', async ({
  database,
  db,
}) => {
  const server = await anApp(database, { works: false })
  const user = await aUser(db, { plan: 'professional', credits: 9 })
  const call = await server.as(user)
  const ask = (url: string, key: string, payload: object) =>
    call({ method: 'POST', url, payload, headers: { 'idempotency-key': key } })

  const upload = await anUpload(db, { userId: user.id })
  const confirm = `/api/transcriptions/${upload.id}/confirm`
  await idempotency.claim(db, { userId: user.id, key: 'confirm' })
  await lapse(db, { userId: user.id, key: 'confirm' })
  const first = await ask(confirm, 'confirm', { summaryLanguage: 'en' })
  expect(first.statusCode).toBe(200)
  expect((await ask(confirm, 'confirm', { summaryLanguage: 'en' })).body).toBe(first.body)
  const other = await ask(confirm, 'confirm', { summaryLanguage: 'auto' })
  expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })

  const { id } = await aTranscription(db, {
    userId: user.id,
    turns: [{ speaker: 0, text: 'Yes.' }],
  })
  const documents = `/api/transcription/${id}/documents`
  await idempotency.claim(db, { userId: user.id, key: 'document' })
  await lapse(db, { userId: user.id, key: 'document' })
  const unsure = await ask(documents, 'document', { documentType: 'article' })
  expect(unsure.statusCode).toBe(409)
  expect(unsure.json()).toMatchObject({ code: 'outcome_unknown' })
  expect(await credits.balance(db, user.id)).toEqual({ available: 8, held: 1 })
  await server.close()
})
