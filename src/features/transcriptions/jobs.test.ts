import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, vi } from 'vitest'
import { z } from 'zod'

import * as credits from '#features/credits/credits.ts'
import { silentLog } from '#server/log.ts'
import { openQueue } from '#server/queue.ts'
import { diskStorage } from '#server/storage.ts'
import { systemClock } from '#shared/clock.ts'
import { test as base } from '#test/database.ts'
import { shortRecording } from '#test/crashes.ts'
import { anEngine, repeating } from '#test/engine.ts'
import { aUser, anUpload } from '#test/factories.ts'

import { transcriptionQueues } from './jobs.ts'
import { JobData, type RunDeps, run } from './run.ts'
import { sweep } from './sweep.ts'
import * as room from './transcriptions.ts'

const test = base.extend<{ $file: { deps: Omit<RunDeps, 'engine'> } }>({
  deps: [
    async ({ database }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'quoth-jobs-'))
      const queue = await openQueue(database, { log: silentLog, queues: transcriptionQueues })
      await use({
        db: database.db,
        queue,
        storage: diskStorage(path.join(folder, 'files')),
        clock: systemClock,
        log: silentLog,
        writer: repeating,
        workRoot: path.join(folder, 'work'),
      })
      await queue.stop()
    },
    { scope: 'file' },
  ],
})

async function aConfirmed(deps: Omit<RunDeps, 'engine'>, userId: string) {
  const { id } = await anUpload(deps.db, { userId })
  await room.confirm(deps, { userId, id })
  return { userId, id }
}

test('what waits for a job that is gone ends as failed and gives its credits back', async ({
  deps,
}) => {
  const { db } = deps
  const { id: userId } = await aUser(db, { credits: 10 })
  const lost = await aConfirmed(deps, userId)
  const waiting = await aConfirmed(deps, userId)
  const dying = await aConfirmed(deps, userId)
  await db.execute(sql`delete from pgboss.job where data ->> 'transcriptionId' = ${lost.id}`)
  // The queue turns a job whose worker died each time into a dead letter.
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from pgboss.job where data ->> 'transcriptionId' = ${dying.id}`)
    await deps.queue.add(tx, 'transcribe-dead', { transcriptionId: dying.id, attempt: 1 })
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
  await queue.work('transcribe', { concurrency: 1 }, async ({ data }) => {
    seen.push(z.object({ transcriptionId: z.string() }).parse(data).transcriptionId)
  })
  await queue.start()
  await expect.poll(() => seen).toEqual([ofMany[0], ofOne.id, ofMany[1], ofMany[2]])
})

/** What is asked for the longer the longer a job runs, and what keeps and reads the result of a stage. */
const whileItRuns =
  /^insert into "transcription_stages"|^select "result" from|"status" = \$1 where|^select "id" from/i

test('a job costs at most eight statements in four transactions beside its stages', async ({
  deps,
}) => {
  const { db, queue, storage } = deps
  const { id: userId } = await aUser(db, { credits: 10 })
  const storageKey = randomUUID()
  const { bytes } = await shortRecording(4)
  const { signal } = new AbortController()
  await storage.write(storageKey, Readable.from([bytes]), { signal })
  const { id } = await anUpload(db, { userId, storageKey })
  const words = [{ text: 'hello', startMs: 0, endMs: 500, confidence: 1 }]
  const engine = anEngine({ recognise: async () => ({ kind: 'done', language: 'en', words }) })
  const asked: string[] = []
  // The queue asks too, at times of its own.
  const ofTheJob = new AsyncLocalStorage<true>()
  const query = Client.prototype.query
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...given: unknown[]
  ) {
    const [what] = given as [string | { text: string }]
    if (ofTheJob.getStore()) asked.push((typeof what === 'string' ? what : what.text).trim())
    return Reflect.apply(query, this, given) as never
  })
  const ended = Promise.withResolvers<string[]>()
  await queue.work('transcribe', { concurrency: 1 }, async (job) => {
    // On a busy machine a try may fail, and the job comes again. One try is counted, the last.
    asked.length = 0
    await ofTheJob.run(true, () => run({ ...deps, engine }, JobData.parse(job.data), job))
    ended.resolve(asked.filter((text) => !whileItRuns.test(text)))
  })
  try {
    await room.confirm(deps, { userId, id })
    await queue.start()
    const statements = await ended.promise
    // Two more, each in a transaction of its own, claim and complete it, together with others.
    const transactions = statements.filter((text) => text === 'begin').length + 1
    expect(transactions + 2).toBeLessThanOrEqual(4)
    const alone = statements.filter((text) => text !== 'begin' && text !== 'commit')
    expect(statements[0]).toMatch(/^update "transcriptions" set "lease"/)
    // Looking who is to be told is not among them: nobody listens here.
    expect(alone.length + 2, alone.join('\n')).toBeLessThanOrEqual(8)
  } finally {
    spy.mockRestore()
  }
  expect((await room.get(deps, { userId, id })).status).toBe('completed')
  expect(await credits.verify(db)).toEqual([])
})
