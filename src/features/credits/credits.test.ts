import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { expect, onTestFinished, vi } from 'vitest'

import type { Db, Tx } from '#server/db.ts'
import { test, untilItWaits } from '#test/database.ts'

import * as credits from './credits.ts'

const aBalance = async (db: Db, amount: number): Promise<string> => {
  const userId = randomUUID()
  await db.transaction((tx) =>
    credits.grant(tx, { userId, cause: `test:${userId}`, credits: amount }),
  )
  return userId
}

test('settling takes the price of the work and gives back the rest', async ({ db }) => {
  const userId = await aBalance(db, 100)
  const cause = randomUUID()
  await db.transaction((tx) => credits.hold(tx, { userId, cause, credits: 60 }))
  expect(await credits.balance(db, userId)).toEqual({ available: 40, held: 60 })
  await db.transaction((tx) => credits.settle(tx, { userId, cause, credits: 45 }))
  expect(await credits.balance(db, userId)).toEqual({ available: 55, held: 0 })
})

test('an entry is dated by the database, however wrong the clock of its process is', async ({
  db,
}) => {
  const userId = randomUUID()
  const now = new Date()
  vi.useFakeTimers({ toFake: ['Date'], now: now.getTime() + 5 * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  await db.transaction((tx) => credits.grant(tx, { userId, cause: randomUUID(), credits: 1 }))
  const [entry] = await credits.entries(db, { userId })
  expect(Math.abs(entry!.createdAt.getTime() - now.getTime())).toBeLessThan(3_600_000)
})

test('a grant that is reported twice is granted once', async ({ db }) => {
  const userId = randomUUID()
  const move = { userId, cause: `payment:${randomUUID()}`, credits: 50 }
  expect(await db.transaction((tx) => credits.grant(tx, move))).toBe(true)
  expect(await db.transaction((tx) => credits.grant(tx, move))).toBe(false)
  expect(await credits.balance(db, userId)).toEqual({ available: 50, held: 0 })
})

test('of two grants at once to somebody without credits yet, one counts', async ({ db }) => {
  const userId = randomUUID()
  const move = { userId, cause: `payment:${userId}`, credits: 50 }
  let second: Promise<boolean> | undefined
  await db.transaction(async (tx) => {
    expect(await credits.grant(tx, move)).toBe(true)
    second = db.transaction((other) => credits.grant(other, move))
    await untilItWaits(db, second)
  })
  expect(await second).toBe(false)
  expect(await credits.balance(db, userId)).toEqual({ available: 50, held: 0 })
})

test('the same cause with another amount is a mistake, not a repeat', async ({ db }) => {
  const userId = await aBalance(db, 1)
  await expect(
    db.transaction((tx) => credits.grant(tx, { userId, cause: `test:${userId}`, credits: 2 })),
  ).rejects.toThrow('other values')
})

test('a hold beyond the balance is refused with the number of credits that are missing', async ({
  db,
}) => {
  const userId = await aBalance(db, 3)
  await expect(
    db.transaction((tx) => credits.hold(tx, { userId, cause: randomUUID(), credits: 7 })),
  ).rejects.toThrow('You need 4 more credits')
  expect(await credits.balance(db, userId)).toEqual({ available: 3, held: 0 })
})

test('an operator gives and takes, once per cause, and never more than the balance', async ({
  db,
}) => {
  const userId = await aBalance(db, 10)
  const adjust = (cause: string, amount: number) =>
    db.transaction((tx) => credits.adjust(tx, { userId, cause, credits: amount }))
  const given = randomUUID()
  expect([await adjust(given, 20), await adjust(given, 20)]).toEqual([true, false])
  expect(await adjust(randomUUID(), -25)).toBe(true)
  await expect(adjust(randomUUID(), -6)).rejects.toMatchObject({ code: 'not_so_many_credits' })
  expect(await credits.balance(db, userId)).toEqual({ available: 5, held: 0 })
  const lines = await credits.lines(db, { userId })
  expect(lines.map(({ change, balance }) => [change, balance])).toEqual([
    [-25, 5],
    [20, 30],
    [10, 10],
  ])
  expect(await credits.verify(db)).toEqual([])
})

test('a page of the history is as that of all of it', async ({ db }) => {
  const userId = await aBalance(db, 500)
  const jobs = Array.from({ length: 60 }, () => randomUUID())
  for (const cause of jobs)
    await db.transaction((tx) => credits.hold(tx, { userId, cause, credits: 4 }))
  // They end later, and in another order.
  for (const cause of jobs.toReversed().slice(5))
    await db.transaction((tx) => credits.settle(tx, { userId, cause, credits: 3 }))
  const all = await credits.lines(db, { userId, limit: 100 })
  expect(all).toHaveLength(61)
  let balance = 0
  for (const line of all.toReversed())
    expect([line.cause, line.balance]).toEqual([line.cause, (balance += line.change)])
  expect(balance).toBe((await credits.balance(db, userId)).available)

  for (const at of [1, 30, 60]) {
    const { id: before, ...above } = all[at - 1]!
    const page = { userId, limit: 10, before }
    expect(await credits.lines(db, page)).toEqual(all.slice(at, at + 10))
    const told = { ...page, balance: above.balance - above.change }
    expect(await credits.lines(db, told)).toEqual(all.slice(at, at + 10))
  }
})

test('a page of a long history reads its lines, and not all of it', async ({ db }) => {
  const userId = await aBalance(db, 1)
  let read = Infinity
  const takenBack = db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into credit_entries
        (user_id, kind, cause, credits, available_after, held_after, hash, created_at)
      select ${userId}, kind, 'job ' || n, 1, 0, 0, '', now()
      from generate_series(1, 5000) n, (values (1, 'hold'), (2, 'charge')) step (place, kind)
      order by n, place`)
    await tx.execute(sql`analyze credit_entries`)
    const readSoFar = async () => {
      const { rows } = await tx.execute<{ read: string }>(sql`
        select seq_tup_read + idx_tup_fetch as read
        from pg_stat_xact_user_tables where relname = 'credit_entries'`)
      return Number(rows[0]?.read)
    }
    // What this connection has read just before counts too.
    const before = await readSoFar()
    expect(await credits.lines(tx, { userId, limit: 50 })).toHaveLength(50)
    read = (await readSoFar()) - before
    tx.rollback()
  })
  await takenBack.catch(() => undefined)
  expect(read).toBeLessThan(1_000)
})

test('a hold is settled once, and later calls change nothing', async ({ db }) => {
  for (const [first, second] of [
    [0, 4],
    [4, 0],
    [3, 1],
  ] as const) {
    const userId = await aBalance(db, 10)
    const cause = randomUUID()
    const settle = (amount: number) =>
      db.transaction((tx) => credits.settle(tx, { userId, cause, credits: amount }))
    await db.transaction((tx) => credits.hold(tx, { userId, cause, credits: 4 }))
    expect([await settle(first), await settle(second)]).toEqual([true, false])
    expect(await credits.balance(db, userId)).toEqual({ available: 10 - first, held: 0 })
  }
})

test('of two settlements at once the first counts, and the second waits and does nothing', async ({
  db,
}) => {
  const userId = await aBalance(db, 10)
  const cause = randomUUID()
  await db.transaction((tx) => credits.hold(tx, { userId, cause, credits: 8 }))
  const settle = (tx: Tx, amount: number) => credits.settle(tx, { userId, cause, credits: amount })
  const { second, first } = await db.transaction(async (tx) => {
    const first = await settle(tx, 5)
    const second = Promise.allSettled([db.transaction((other) => settle(other, 0))])
    await untilItWaits(db, second)
    return { first, second: () => second }
  })
  expect(first).toBe(true)
  expect(await second()).toEqual([{ status: 'fulfilled', value: false }])
  expect(await credits.balance(db, userId)).toEqual({ available: 5, held: 0 })
})

test('of 100 parallel holds of a whole balance exactly one passes', async ({ db }) => {
  const userId = await aBalance(db, 7)
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, () =>
      db.transaction((tx) => credits.hold(tx, { userId, cause: randomUUID(), credits: 7 })),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await credits.balance(db, userId)).toEqual({ available: 0, held: 7 })
})

test('a reversal beside a hold takes only credits that are not held', async ({ db }) => {
  const userId = await aBalance(db, 10)
  let reversing: Promise<number> | undefined
  await db.transaction(async (tx) => {
    await credits.hold(tx, { userId, cause: randomUUID(), credits: 6 })
    reversing = db.transaction((other) =>
      credits.reverse(other, { userId, cause: randomUUID(), credits: 10 }),
    )
    await untilItWaits(db, reversing)
  })
  expect(await reversing).toBe(4)
  expect(await credits.balance(db, userId)).toEqual({ available: 0, held: 6 })
})

test('a reversal that is asked for twice takes once, and answers the same again', async ({
  db,
}) => {
  const userId = await aBalance(db, 10)
  const move = { userId, cause: randomUUID(), credits: 7 }
  for (const _ of [1, 2]) expect(await db.transaction((tx) => credits.reverse(tx, move))).toBe(7)
  expect(await credits.balance(db, userId)).toEqual({ available: 3, held: 0 })
})

test('the ledger refuses to be changed, emptied or truncated', async ({ db }) => {
  await aBalance(db, 5)
  for (const statement of [
    sql`update credit_entries set credits = credits + 1`,
    sql`update credit_entries set created_at = now()`,
    sql`delete from credit_entries`,
    sql`truncate credit_entries`,
  ]) {
    const failure: unknown = await db.execute(statement).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(String((failure as Error).cause)).toContain('append-only')
  }
})

test('an entry that was changed behind the trigger is found', async ({ db }) => {
  const userId = await aBalance(db, 5)
  expect(await credits.verify(db)).toEqual([])
  const forge = (amount: number) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`)
      await tx.execute(sql`update credit_entries set credits = ${amount} where user_id = ${userId}`)
    })
  await forge(6)
  expect(await credits.verify(db)).not.toEqual([])
  await forge(5)
  expect(await credits.verify(db)).toEqual([])
})

/** Too few credits, the same cause with another amount, or more to settle than was held. */
const changesNothing = /insufficient|was recorded before with other values|which holds only/i

const moves = { grant: credits.grant, hold: credits.hold, settle: credits.settle }

test('no order of moves creates or loses credits', async ({ db }) => {
  const operation = fc.record({
    what: fc.constantFrom('grant', 'hold', 'settle' as const),
    cause: fc.integer({ min: 1, max: 6 }),
    amount: fc.integer({ min: 1, max: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      const userId = randomUUID()
      await Promise.all(
        operations.map(({ what, cause, amount }) =>
          db
            .transaction<unknown>((tx) =>
              moves[what](tx, { userId, cause: `${userId}:${cause}`, credits: amount }),
            )
            .catch((error: unknown) => expect(String(error)).toMatch(changesNothing)),
        ),
      )
      const all = await credits.entries(db, { userId, limit: 100 })
      const sum = (kind: string) =>
        all
          .filter((entry) => entry.kind === kind)
          .reduce((total, entry) => total + entry.credits, 0)
      const { available, held } = await credits.balance(db, userId)
      expect(available).toBe(sum('grant') - sum('hold') + sum('release'))
      expect(held).toBe(sum('hold') - sum('charge') - sum('release'))
      expect(available).toBeGreaterThanOrEqual(0)
      expect(held).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 25, seed: 11 },
  )
  expect(await credits.verify(db)).toEqual([])
}, 60_000)
