/**
 * A job costs nothing when it is cancelled, or when its recording is refused. So that nobody uses
 * the processor for nothing that way, a user whose jobs kept a worker busy five times within an
 * hour, and were not paid for, has to wait. (measuring.ts limits what is done before a job.)
 *
 * A job that is under way does not count, though it may still be cancelled. How many somebody can
 * start and then cancel together is bounded by their balance: the price of each is held.
 */
import type { Tx } from '#server/db.ts'
import * as limits from '#server/limits.ts'

const UNPAID_AN_HOUR = 5

interface Of {
  userId: string
  now: Date
}

const keyOf = (userId: string): string => `unpaid-job:${userId}`

/** Counts a job that ends unpaid. Before credits are touched: whoever starts a job locks in this order. */
export const count = (tx: Tx, { userId, now }: Of): Promise<void> =>
  limits.addOne(tx, { key: keyOf(userId), now })

/** @throws Refusal `too_many_unpaid_jobs`, with the time after which it goes on */
export async function requireFew(tx: Tx, { userId, now }: Of): Promise<void> {
  const hourly = { key: keyOf(userId), limit: UNPAID_AN_HOUR, now }
  await limits.requireNotFull(tx, { ...hourly, code: 'too_many_unpaid_jobs' })
}
