import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'

import { users } from '#features/account/tables.ts'
import { transcriptions } from '#features/row/tables.ts'
import { type Tx, lock } from '#server/db.ts'
import { MOST_UNPAID_CREDITS } from '#shared/business.ts'
import { untilItWaits } from '#test/database.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { test } from '#test/jobs.ts'
import { times } from '#test/long.ts'

import { stages, unpaidTexts } from './tables.ts'
import * as batches from './batches.ts'
import * as operators from './by-operators.ts'
import { giveUp } from './run.ts'
import { soFar } from './so-far.ts'
import * as room from './transcriptions.ts'
import { forgetOld } from './unpaid-text.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const GROUP_S = 10

type Deps = Parameters<typeof giveUp>[0]

/** What was read of a job, and what it would have cost. */
class Reading {
  groups = 0
  readTo = 0
  readAt = 0
  attempt = 1
  isOver = false
  isCancelled = false
  readonly deps: Deps
  readonly job: { id: string; userId: string; price: number; seconds: number }
  constructor(deps: Deps, job: Reading['job']) {
    this.deps = deps
    this.job = job
  }

  /** The recogniser writes this number of further groups of words. */
  async goOn(groups: number) {
    const { job, deps } = this
    const last = Math.min(this.groups + groups, job.seconds / GROUP_S)
    for (; this.groups < last; this.groups++) {
      const fromMs = this.groups * GROUP_S * 1000
      const word = { text: 'word', startMs: fromMs, endMs: fromMs + 900, confidence: 1 }
      const spoken = { language: 'en', words: [word], engine: 'test', hasPunctuation: true }
      const result = { ...spoken, fromMs, toMs: fromMs + GROUP_S * 1000 }
      await deps.db
        .insert(stages)
        .values({ transcriptionId: job.id, name: `words:${this.groups}`, result })
    }
  }

  async poll({ from = 0, readTo = 0 } = {}) {
    const { userId, id } = this.job
    const answer = await soFar(this.deps, { userId, id, from, readTo })
    // What ends with a word that nobody was shown before.
    const until = Math.max(0, ...answer.turns.map(({ end }) => Math.ceil(end / GROUP_S) * GROUP_S))
    if (until > this.readTo) {
      this.readTo = until
      this.readAt = this.deps.clock().getTime()
    }
    return answer
  }

  get worth() {
    return (this.job.price * this.readTo) / this.job.seconds
  }
}

async function started(
  deps: Deps,
  userId: string,
  jobs: { price: number; seconds: number }[],
): Promise<Reading[]> {
  const uploaded = await Promise.all(
    jobs.map(async ({ price, seconds }) => {
      const { id } = await anUpload(deps.db, { userId, seconds })
      await deps.db
        .update(transcriptions)
        .set({ creditsRequired: price })
        .where(eq(transcriptions.id, id))
      return new Reading(deps, { id, userId, price, seconds })
    }),
  )
  const ids = uploaded.map(({ job }) => job.id)
  const [id] = ids
  if (ids.length > 1) await batches.confirm(deps, { userId, ids })
  else if (id) await room.confirm(deps, { userId, id })
  return uploaded
}

const worthOf = (readings: readonly Reading[]) =>
  readings.reduce((sum, { worth }) => sum + worth, 0)

test('a dear job that is stopped late has shown no more than an hour of its text, once a week', async ({
  deps,
}) => {
  const { id: userId } = await aUser(deps.db, { credits: 1000 })
  const hour = { price: 20, seconds: 3600 }
  const [dear] = await started(deps, userId, [{ price: 240, seconds: 43_200 }])
  await dear!.goOn(400)
  const answer = await dear!.poll()
  expect(answer).toMatchObject({ readTo: 3600, isHeldBack: true })
  // Asked again, and from where it was, it says the same.
  expect(await dear!.poll({ from: answer.next, readTo: 3600 })).toMatchObject({
    readTo: 3600,
    isHeldBack: true,
    turns: [],
  })
  // Several jobs at once have that hour together.
  const [second] = await started(deps, userId, [hour])
  await second!.goOn(360)
  expect(await second!.poll()).toMatchObject({ readTo: 0, isHeldBack: true, turns: [] })
  await room.cancel(deps, { userId, id: dear!.job.id })
  expect(await second!.poll()).toMatchObject({ turns: [], isHeldBack: true })
  // What was shown before is shown as before, a week later there is another hour.
  const later = { ...deps, clock: () => new Date(Date.now() + 7 * DAY_MS + 1000) }
  const asked = { userId, id: second!.job.id, from: 0, readTo: 0 }
  expect(await soFar(later, asked)).toMatchObject({ readTo: 3600, isHeldBack: false })
  await forgetOld(deps.db, later.clock())
})

test('a new account reads all of its first recording while it is worked on', async ({ deps }) => {
  const { id: userId } = await aUser(deps.db, { credits: 10 })
  const [first] = await started(deps, userId, [{ price: 10, seconds: 1800 }])
  await first!.goOn(180)
  expect(await first!.poll()).toMatchObject({ readTo: 1800, isHeldBack: false })
})

test('a job that broke on our side, or that an operator stopped, counts for nothing until it is read again', async ({
  deps,
}) => {
  const { id: userId } = await aUser(deps.db, { credits: 100 })
  const hour = { price: 20, seconds: 3600 }
  for (const end of [
    ({ job: { id } }: Reading) => giveUp(deps, { transcriptionId: id, attempt: 1 }),
    ({ job: { id } }: Reading) => deps.db.transaction((tx) => operators.stop(tx, deps, id)),
  ]) {
    const [reading] = await started(deps, userId, [hour])
    await reading!.goOn(360)
    expect(await reading!.poll()).toMatchObject({ readTo: 3600 })
    await end(reading!)
    expect(await deps.db.$count(unpaidTexts, eq(unpaidTexts.userId, userId))).toBe(0)
  }
  const [last] = await started(deps, userId, [hour])
  await last!.goOn(360)
  await giveUp(deps, { transcriptionId: last!.job.id, attempt: 1 })
  expect(await last!.poll()).toMatchObject({ readTo: 3600 })
  const [next] = await started(deps, userId, [hour])
  await next!.goOn(360)
  expect(await next!.poll()).toMatchObject({ readTo: 0, isHeldBack: true })
})

test('jobs that are read at the same moment count together', async ({ deps }) => {
  const { id: userId } = await aUser(deps.db, { credits: 1000 })
  const half = { price: 10, seconds: 1800 }
  const jobs = await started(deps, userId, [half, half, half, half, half])
  for (const job of jobs) await job.goOn(180)
  await Promise.all(jobs.flatMap((job) => [job.poll(), job.poll(), job.poll()]))
  expect(worthOf(jobs)).toBeLessThanOrEqual(MOST_UNPAID_CREDITS)
  // Who could not be counted at that moment asks again.
  for (const job of jobs) await job.poll()
  expect(worthOf(jobs)).toBe(MOST_UNPAID_CREDITS)
})

const held: Record<string, (tx: Tx, job: Reading['job']) => Promise<unknown>> = {
  'stores the result': (tx, { id }) =>
    tx.select().from(transcriptions).where(eq(transcriptions.id, id)).for('update'),
  'counts another text of the account': (tx, { userId }) => lock(tx, `unpaid-text:${userId}`),
  'deletes the account': (tx, { userId }) =>
    tx.select().from(users).where(eq(users.id, userId)).for('update'),
}

test.for(Object.entries(held))(
  'who reads along does not wait for whoever %s, and reads on afterwards',
  async ([, hold], { deps }) => {
    const { id: userId } = await aUser(deps.db, { credits: 1000 })
    const [job] = await started(deps, userId, [{ price: 40, seconds: 7200 }])
    await job!.goOn(180)
    const { next: from, readTo } = await job!.poll()
    expect(readTo).toBe(1800)
    const reading = async () => {
      const answers: unknown[] = []
      const asked = job!.poll({ from, readTo }).then((answer) => void answers.push(answer))
      await untilItWaits(deps.db, asked)
      return { answers, asked }
    }
    // The second time, there is more than may be shown.
    for (const isHeldBack of [false, true]) {
      await job!.goOn(180)
      const { answers, asked } = await deps.db.transaction(async (tx) => {
        await hold(tx, job!.job)
        const now = await reading()
        return { ...now, answers: [...now.answers] }
      })
      await asked
      expect(answers).toMatchObject([{ from, readTo, turns: [], isHeldBack }])
    }
    expect(await job!.poll({ from, readTo })).toMatchObject({ readTo: 3600, isHeldBack: true })
  },
)

test(
  'however jobs are begun, read and ended, a week shows no more than 20 credits of unpaid text',
  async ({ deps: { db, ...others } }) => {
    const price = fc.integer({ min: 1, max: 240 })
    const seconds = fc.integer({ min: 1, max: 12 }).map((groups) => groups * GROUP_S)
    const which = fc.nat(20)
    const act = fc.oneof(
      fc.record({
        act: fc.constant('start'),
        jobs: fc.array(fc.record({ price, seconds }), { minLength: 1, maxLength: 3 }),
      } as const),
      fc.record({
        act: fc.constant('read'),
        which,
        groups: fc.integer({ min: 1, max: 12 }),
      } as const),
      fc.record({
        act: fc.constant('read'),
        which,
        groups: fc.integer({ min: 1, max: 12 }),
      } as const),
      fc.record({ act: fc.constantFrom('cancel', 'break', 'stop', 'retry'), which } as const),
      fc.record({ act: fc.constant('wait'), days: fc.integer({ min: 1, max: 4 }) } as const),
    )
    let mostShown = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30 }), async (acts) => {
        const { id: userId } = await aUser(db, { credits: 100_000 })
        let ms = Date.now()
        const deps = { db, ...others, clock: () => new Date(ms) }
        const readings = await started(deps, userId, [{ price: 240, seconds: 120 }])
        for (const next of acts) {
          if (next.act === 'start') readings.push(...(await started(deps, userId, next.jobs)))
          else if (next.act === 'wait') ms += next.days * DAY_MS
          else {
            const reading = readings[next.which % readings.length]!
            const { id } = reading.job
            if (next.act === 'retry' && reading.isOver) {
              const isBack = await room.retry(deps, { userId, id }).then(
                () => true,
                () => false, // Cancelled: it is gone.
              )
              if (isBack) Object.assign(reading, { isOver: false, attempt: reading.attempt + 1 })
            }
            if (reading.isOver && (next.act !== 'read' || reading.isCancelled)) continue
            if (next.act === 'read') {
              if (!reading.isOver) await reading.goOn(next.groups)
              const { next: from, readTo } = await reading.poll()
              await reading.poll({ from, readTo })
            }
            if (next.act === 'cancel') await room.cancel(deps, { userId, id })
            const { attempt } = reading
            if (next.act === 'break') await giveUp(deps, { transcriptionId: id, attempt })
            if (next.act === 'stop') await db.transaction((tx) => operators.stop(tx, deps, id))
            reading.isOver ||= ['cancel', 'break', 'stop'].includes(next.act)
            reading.isCancelled = next.act === 'cancel'
            // It was not for its owner that this one gave no result.
            if (next.act === 'break' || next.act === 'stop') reading.readTo = 0
          }
          const thisWeek = readings.filter(({ readAt }) => readAt > ms - 7 * DAY_MS)
          mostShown = Math.max(mostShown, worthOf(thisWeek))
          expect(worthOf(thisWeek)).toBeLessThanOrEqual(MOST_UNPAID_CREDITS + 1e-9)
        }
      }),
      { numRuns: times(15, 300) },
    )
    expect(mostShown).toBeGreaterThan(MOST_UNPAID_CREDITS / 2)
  },
  times(60_000, 300_000),
)
