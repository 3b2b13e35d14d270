/**
 * The hourly limits. An account's calls by key and by sign-in token are counted together, over any
 * number of processes. At no moment do more than the limit lie within one hour.
 *
 * Promise: a call is counted once, and charged once (idempotency.ts).
 */
import type { Db } from '#server/db.ts'
import { type Hour, lastHour, takeAlone } from '#server/limits.ts'

interface Calls {
  userId: string
  limit: number
  now: Date
}

/** The name under which a user's calls are counted. */
export const keyOf = (userId: string): string => `calls:${userId}`

/** Counts one call, unless the limit is reached. @throws Refusal `too_much_at_once` */
export const count = (db: Db, { userId, ...calls }: Calls): Promise<Hour> =>
  takeAlone(db, { key: keyOf(userId), ...calls })

/** How many calls of the last hour were let through. */
export async function made(db: Db, { userId, ...calls }: Calls): Promise<number> {
  const { counted } = await lastHour(db, { key: keyOf(userId), ...calls })
  return counted
}
