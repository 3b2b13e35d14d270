import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { transcriptions } from '#features/row/tables.ts'
import { test } from '#test/database.ts'
import { aUser, anUpload } from '#test/factories.ts'

import { measuring } from './measuring.ts'

const never = new AbortController().signal
const MINUTE = 60_000

/** Takes a millisecond, and becomes this transcription. */
const becoming = (transcriptionId: string) => async () => {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 1) await new Promise(setImmediate)
  return { transcriptionId }
}

test('a user whose unconfirmed uploads took the processor for long waits an hour', async ({
  database: { db },
}) => {
  const startedAt = Date.now()
  let minutes = 0
  const deps = { db, clock: () => new Date(startedAt + minutes * MINUTE) }
  const decoding = measuring({ freeMs: 1 })
  const [{ id: userId }, { id: other }] = [await aUser(db), await aUser(db)]
  const first = await anUpload(db, { userId })
  await decoding.run(deps, userId, becoming(first.id), never)

  minutes = 20
  const refused = { code: 'too_much_measuring', retryAfterSeconds: 40 * 60 }
  await expect(decoding.requireFree(deps, userId)).rejects.toMatchObject(refused)
  await expect(decoding.run(deps, userId, becoming('none'), never)).rejects.toMatchObject(refused)
  await decoding.requireFree(deps, other)

  // A confirmed one is paid for.
  await db.update(transcriptions).set({ attempt: 1 }).where(eq(transcriptions.id, first.id))
  await decoding.run(deps, userId, becoming((await anUpload(db, { userId })).id), never)
  await expect(decoding.requireFree(deps, userId)).rejects.toMatchObject({
    retryAfterSeconds: 3600,
  })
  minutes = 80
  await decoding.requireFree(deps, userId)
})

test('uploads that were refused or broken off count as well', async ({ database: { db } }) => {
  const deps = { db, clock: () => new Date() }
  const decoding = measuring({ freeMs: 1 })
  const { id: userId } = await aUser(db)
  const broken = async () => {
    await becoming('none')()
    throw new Error('not a recording')
  }
  await expect(decoding.run(deps, userId, broken, never)).rejects.toThrow('not a recording')
  await expect(decoding.requireFree(deps, userId)).rejects.toThrow('took long to read')
})

test('time that a worker writes into the database is not counted twice', async ({
  database: { db },
}) => {
  const deps = { db, clock: () => new Date() }
  const decoding = measuring({ freeMs: 1 })
  const { id: userId } = await aUser(db)
  let noted = 0
  await decoding.run(deps, userId, becoming('none'), never, async (ms) => void (noted = ms))
  expect(noted).toBeGreaterThanOrEqual(1)
  await decoding.requireFree(deps, userId)
})
