import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { transcriptions } from '#features/row/tables.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { test } from '#test/jobs.ts'
import { withResolvers } from '#web/with-resolvers.ts'

import * as room from './transcriptions.ts'
import { readLine, withPlaces } from './waiting.ts'

const MINUTE = 60

test('what waits has its place among those of all accounts, and a time once it is known how long such work takes, alone and beside long recordings', async ({
  deps,
}) => {
  const { db, queue } = deps
  // Lately a minute of sound took half a minute, beside a long recording: alone it takes a quarter.
  await db.execute(sql`
    insert into pgboss.job (name, data, state, started_on)
    values ('transcribe-long', jsonb_build_object('transcriptionId', gen_random_uuid(), 'attempt', 1, 'durationMs', 7200000),
      'active', now() - interval '1 hour')`)
  await db.execute(sql`
    insert into pgboss.job (name, data, state, started_on, completed_on)
    select 'transcribe', jsonb_build_object('transcriptionId', gen_random_uuid(), 'attempt', 1, 'durationMs', 60000),
      'completed', now() - interval '40 seconds', now() - interval '10 seconds'
    from generate_series(1, 3)`)
  const [ada, ben] = await Promise.all([aUser(db, { credits: 50 }), aUser(db, { credits: 50 })])
  const confirmed = async ({ id: userId }: { id: string }, minutes: number) => {
    const { id } = await anUpload(db, { userId, seconds: minutes * MINUTE })
    await room.confirm(deps, { userId, id })
    return id
  }
  const first = await confirmed(ada, 4)
  const second = await confirmed(ada, 2)
  const third = await confirmed(ada, 3)
  const bens = await confirmed(ben, 1)

  // While no worker is at work, nobody knows when.
  const none = { readyInSeconds: null }
  expect([...(await readLine(db))]).toEqual([
    [first, { ahead: 0, isNext: true, ...none }],
    [bens, { ahead: 1, isNext: false, ...none }],
    [second, { ahead: 2, isNext: false, ...none }],
    [third, { ahead: 3, isNext: false, ...none }],
  ])

  const begun = withResolvers<void>()
  const over = withResolvers<void>()
  await queue.work(room.transcriptionKind, { concurrency: 1 }, async ({ data }) => {
    const isOurs = eq(transcriptions.id, data.transcriptionId)
    const lease = data.transcriptionId
    await db.update(transcriptions).set({ lease, status: 'processing chunk 1/2' }).where(isOurs)
    begun.resolve()
    await over.promise
  })
  await begun.promise
  // Of the first two minutes are left.
  const rows = [first, bens, second].map((id) => ({
    id,
    status: id === first ? 'processing chunk 1/2' : 'processing',
  }))
  const placed = await withPlaces(db, rows)
  await confirmed(await aUser(db, { credits: 50 }), 30)
  const beside = await readLine(db)
  over.resolve()
  expect(placed.map(({ waiting }) => waiting)).toEqual([
    null,
    { ahead: 1, isNext: true, readyInSeconds: 45 },
    { ahead: 2, isNext: false, readyInSeconds: 75 },
  ])
  expect([bens, second].map((id) => beside.get(id)?.readyInSeconds)).toEqual([90, 150])
})
