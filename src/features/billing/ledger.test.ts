import { expect } from 'vitest'
import { eq, sql } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import { holdCause } from '#features/transcriptions/transcriptions.ts'
import type { Db } from '#server/db.ts'
import { listOutbox } from '#server/mail.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base, untilItWaits } from '#test/database.ts'
import { aUser, anUpload } from '#test/factories.ts'

import { remindOfLowBalances, setAlert } from './alerts.ts'
import type { CreditLine, CreditPage } from './contract.ts'

const test = base.extend('app', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const app = await anApp(database)
  onCleanup(() => app.close())
  return app
})

const pageOf = async (app: TestApp, user: { id: string }, query = ''): Promise<CreditPage> =>
  (await (await app.as(user))(`/api/credits${query}`)).json()

/** A job of a user: held, then ended for so many credits, or not yet. */
const aJob = async (
  db: Db,
  { userId, name, taken }: { userId: string; name: string; taken: number | null },
) => {
  const { id, creditsRequired } = await anUpload(db, { userId, seconds: 600, originalName: name })
  const cause = holdCause(id, 1)
  await db.transaction((tx) => credits.hold(tx, { userId, cause, credits: creditsRequired }))
  if (taken !== null)
    await db.transaction((tx) => credits.settle(tx, { userId, cause, credits: taken }))
  return id
}

test('a job is one line with its name and length, opening to its entries', async ({ db, app }) => {
  const user = await aUser(db, { credits: 20 })
  const taken = await aJob(db, { userId: user.id, name: 'taken.m4a', taken: 3 })
  await aJob(db, { userId: user.id, name: 'failed.m4a', taken: 0 })
  await aJob(db, { userId: user.id, name: 'running.m4a', taken: null })
  const { lines, available, held, spent, count } = await pageOf(app, user)
  expect({ available, held, spent, count }).toEqual({ available: 14, held: 3, spent: 3, count: 4 })
  const short = ({ what, title, change, balance }: CreditLine) => [what, title, change, balance]
  expect(lines.map(short)).toEqual([
    ['Held', 'running.m4a', -3, 14],
    ['Returned', 'failed.m4a', 0, 17],
    ['Taken', 'taken.m4a', -3, 17],
    ['Granted', 'Credits', 20, 20],
  ])
  const line = lines[2]!
  expect(line).toMatchObject({ transcriptionId: taken, seconds: 600 })
  expect(line.entries.map(({ words, change, balance }) => [words, change, balance])).toEqual([
    ['Held', -3, 17],
    ['Taken from what was held', 0, 17],
  ])
})

test('the lines go on page by page, and each balance is the one below and the change', async ({
  db,
  app,
}) => {
  const user = await aUser(db, { credits: 500 })
  for (let n = 0; n < 60; n++)
    await aJob(db, { userId: user.id, name: `${n}.m4a`, taken: [3, 0, 1, null][n % 4]! })
  const first = await pageOf(app, user)
  expect(first.lines).toHaveLength(50)
  const second = await pageOf(app, user, `?before=${first.next}`)
  expect(second.next).toBeNull()
  const lines = [...first.lines, ...second.lines]
  expect(lines).toHaveLength(61)
  expect(lines[0]!.balance).toBe(first.available)
  for (const [n, line] of lines.entries())
    expect(line.balance).toBe((lines[n + 1]?.balance ?? 0) + line.change)
})

test('a deleted transcription keeps its line and loses its name', async ({ db, app }) => {
  const user = await aUser(db, { credits: 20 })
  const id = await aJob(db, { userId: user.id, name: 'secret.m4a', taken: 3 })
  await db.delete(transcriptions).where(eq(transcriptions.id, id))
  const { lines } = await pageOf(app, user)
  expect(lines[0]).toMatchObject({
    title: 'Deleted transcription',
    transcriptionId: null,
    change: -3,
  })
})

test('the table for spreadsheets holds every line, and no formula', async ({ db, app }) => {
  const user = await aUser(db, { credits: 50 })
  for (const name of ['＝1+1.m4a', '@sum,"x".m4a', '-2.m4a', 'plain.m4a'])
    await aJob(db, { userId: user.id, name, taken: 3 })
  const answer = await (await app.as(user))('/api/credits.csv')
  expect(answer.headers['content-type']).toContain('text/csv')
  expect(answer.headers['content-disposition']).toContain('credits.csv')
  const lines = answer.body.trimEnd().split('\r\n')
  expect(lines).toHaveLength(6)
  expect(answer.body).toContain(`,'＝1+1.m4a,`)
  expect(answer.body).toContain(`,"'@sum,""x"".m4a",`)
  expect(answer.body).toContain(`,'-2.m4a,`)
  expect(answer.body).toContain(',plain.m4a,600,-3,')
})

test('a low balance is mailed once each time it falls, to users who asked for it', async ({
  db,
  app,
}) => {
  const { queue, clock } = app.parts
  const deps = { db, queue, clock }
  const subjects = async (email: string) =>
    (await listOutbox(`${app.dataDir}/outbox`))
      .filter(({ to }) => to === email)
      .map(({ subject }) => subject)

  const [asked, silent] = [await aUser(db, { credits: 10 }), await aUser(db, { credits: 1 })]
  const as = await app.as(asked)
  const set = (below: unknown) =>
    as({ method: 'PUT', url: '/api/credits/alert', payload: { below } as object })
  expect((await set(0)).statusCode).toBe(400)
  expect((await set(8)).statusCode).toBe(200)
  expect((await pageOf(app, asked)).alertBelow).toBe(8)
  await remindOfLowBalances(deps)
  // A balance that equals the chosen number is not below it.
  await aJob(db, { userId: asked.id, name: 'equal.m4a', taken: 2 })
  await remindOfLowBalances(deps)
  await aJob(db, { userId: asked.id, name: 'a.m4a', taken: 1 })
  await remindOfLowBalances(deps)
  await remindOfLowBalances(deps)
  await expect.poll(() => subjects(asked.email)).toEqual(['You have 7 credits left on Quoth'])

  await db.transaction((tx) =>
    credits.grant(tx, { userId: asked.id, cause: `test:more:${asked.id}`, credits: 5 }),
  )
  await remindOfLowBalances(deps)
  await aJob(db, { userId: asked.id, name: 'b.m4a', taken: 3 })
  await aJob(db, { userId: asked.id, name: 'c.m4a', taken: 3 })
  await remindOfLowBalances(deps)
  await expect.poll(() => subjects(asked.email)).toHaveLength(2)
  expect(await subjects(silent.email)).toEqual([])

  // A user who asks anew is mailed anew, though the balance has not risen since.
  await set(7)
  await remindOfLowBalances(deps)
  await remindOfLowBalances(deps)
  await expect.poll(() => subjects(asked.email)).toHaveLength(3)
  await set(null)
  expect((await pageOf(app, asked)).alertBelow).toBeNull()
})

test('a low balance is mailed once, though two processes look at the same moment', async ({
  db,
  app,
}) => {
  const { queue, clock } = app.parts
  const { id: userId } = await aUser(db, { credits: 5 })
  await setAlert(db, { userId, below: 8 })
  let second: Promise<void> | undefined
  const onEvent = async () => {
    second ??= remindOfLowBalances({ db, queue, clock })
    await untilItWaits(db, second)
  }
  await remindOfLowBalances({ db, queue, clock, onEvent })
  await second
  const { rows } = await db.execute(sql`
    select 1 from pgboss.job where name = 'mail' and data->>'userId' = ${userId}`)
  expect(rows).toHaveLength(1)
})
