import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { test } from '#test/jobs.ts'

import { sweep } from './sweep.ts'
import * as room from './transcriptions.ts'

async function aConfirmed(deps: room.Deps, userId: string) {
  const { id } = await anUpload(deps.db, { userId })
  await room.confirm(deps, { userId, id })
  return { userId, id }
}

test('a transcription that waits for a job that is gone ends as failed and gives its credits back', async ({
  deps,
}) => {
  const { db } = deps
  const { id: userId } = await aUser(db, { credits: 10 })
  const lost = await aConfirmed(deps, userId)
  const waiting = await aConfirmed(deps, userId)
  const dying = await aConfirmed(deps, userId)
  await db.execute(sql`delete from pgboss.job where data ->> 'transcriptionId' = ${lost.id}`)
  // The queue turns a job whose worker died each time into a dead letter.
  const dead = { ...room.transcriptionKind, name: 'transcribe-dead' }
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from pgboss.job where data ->> 'transcriptionId' = ${dying.id}`)
    await deps.queue.add(tx, dead, { transcriptionId: dying.id, attempt: 1 })
  })

  await sweep(deps)
  expect(await room.get(deps, lost)).toMatchObject({ status: 'error', creditsReturned: 1 })
  for (const kept of [waiting, dying])
    expect(await room.get(deps, kept)).toMatchObject({ status: 'processing' })
  expect(await credits.balance(db, userId)).toEqual({ available: 8, held: 2 })

  await room.retry(deps, lost)
  await sweep(deps)
  expect((await room.get(deps, lost)).status).toBe('processing')
})

test('the first job of a user goes before the second of another', async ({ deps }) => {
  const { db, queue } = deps
  await db.execute(sql`delete from pgboss.job`)
  const [many, one] = [await aUser(db, { credits: 10 }), await aUser(db, { credits: 10 })]
  const ofMany: string[] = []
  for (let n = 0; n < 3; n++) ofMany.push((await aConfirmed(deps, many.id)).id)
  const ofOne = await aConfirmed(deps, one.id)

  const seen: string[] = []
  await queue.work(room.transcriptionKind, { concurrency: 1 }, async ({ data }) => {
    seen.push(data.transcriptionId)
  })
  await expect.poll(() => seen).toEqual([ofMany[0], ofOne.id, ofMany[1], ofMany[2]])
})
