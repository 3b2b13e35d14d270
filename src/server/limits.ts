/**
 * How often somebody may do something. Windows slide, and refused calls do not count.
 *
 * - `rate` counts in this process: two web processes let through twice as much. That is enough where
 *   a limit protects the process itself.
 * - The others count by the hour in the database, so that several processes count together. Tries under
 *   one key of the same moment are counted one after the other. A key that begins with `day:` may count
 *   by the day; others, which may name an address, are kept no longer than needed.
 */
import { randomUUID } from 'node:crypto'

import { and, count, desc, eq, gt, like, lt, min, notLike, or } from 'drizzle-orm'

import { Refusal, type RefusalCode } from '#shared/refusals.ts'

import { type Db, type Queryable, type Tx, lock } from './db.ts'
import { oneByOne } from './one-by-one.ts'
import { attempts } from './tables.ts'

export interface Window {
  most: number
  seconds: number
}

export interface Rate {
  windows: readonly Window[]
  /** Counts one more. @throws Refusal with the code of this rate, and when to come back */
  count(key: string, now: Date): void
  /** Counts one more where it is not too many. */
  passes(key: string, now: Date): boolean
}

export function rate(code: RefusalCode, windows: readonly Window[]): Rate {
  const longestMs = 1000 * Math.max(...windows.map(({ seconds }) => seconds))
  /** When each key was let through, oldest first. */
  const passed = new Map<string, number[]>()
  let sweptAt = 0

  const forgetOld = (nowMs: number) => {
    if (nowMs - sweptAt < longestMs) return
    sweptAt = nowMs
    for (const [key, times] of passed)
      if ((times.at(-1) ?? 0) <= nowMs - longestMs) passed.delete(key)
  }
  /** Milliseconds until one more passes; 0 where it passes now, and is counted. */
  const take = (key: string, nowMs: number): number => {
    forgetOld(nowMs)
    const times = (passed.get(key) ?? []).filter((at) => at > nowMs - longestMs)
    for (const { most, seconds } of windows) {
      // One more passes when the oldest of the last `most` has left the window.
      const oldest = times.at(-most)
      const waitMs = oldest === undefined ? 0 : oldest + 1000 * seconds - nowMs
      if (waitMs > 0) return waitMs
    }
    passed.set(key, [...times, nowMs])
    return 0
  }
  return {
    windows,
    count(key, now) {
      const waitMs = take(key, now.getTime())
      if (waitMs > 0) throw new Refusal(code, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
    },
    passes: (key, now) => take(key, now.getTime()) === 0,
  }
}

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** The things that are counted, and how often each may happen in an hour. */
interface Hourly {
  key: string
  limit: number
  now: Date
  /** Another window than an hour: a shorter one, or a day for a key that says so. */
  withinMs?: number
}

export interface Hour {
  /** How many were counted in the last hour. */
  counted: number
  /** Seconds until the oldest of them is an hour old: then one more is free. */
  resetSeconds: number
  /** Seconds until one more passes; 0 where it passes now. */
  retryAfterSeconds: number
}

export async function lastHour(
  db: Queryable,
  { key, limit, now, withinMs = HOUR_MS }: Hourly,
): Promise<Hour> {
  const since = new Date(now.getTime() - withinMs)
  const secondsFrom = (at: Date = now) =>
    Math.max(1, Math.ceil((at.getTime() + withinMs - now.getTime()) / 1000))
  const isRecent = and(eq(attempts.key, key), gt(attempts.at, since))
  const [{ counted, oldest } = { counted: 0, oldest: null }] = await db
    .select({ counted: count(), oldest: min(attempts.at) })
    .from(attempts)
    .where(isRecent)
  const hour = { counted, resetSeconds: secondsFrom(oldest ?? now), retryAfterSeconds: 0 }
  if (counted < limit) return hour
  // One more passes when the oldest of the last `limit` has left the window.
  const [last] = await db
    .select({ at: attempts.at })
    .from(attempts)
    .where(isRecent)
    .orderBy(desc(attempts.at))
    .offset(limit - 1)
    .limit(1)
  return { ...hour, retryAfterSeconds: secondsFrom(last?.at) }
}

/** Counts one more under a key, unless its hour is full: then the answer says when it passes. */
export async function take(tx: Tx, { id, ...hourly }: Hourly & { id?: string }): Promise<Hour> {
  const hour = await lockedHour(tx, hourly)
  if (hour.retryAfterSeconds === 0) await add(tx, { id, keys: [hourly.key], now: hourly.now })
  return hour
}

/**
 * The same in a transaction of its own. Counts under one key wait without a connection.
 *
 * @throws Refusal `too_much_at_once`
 */
export const takeAlone = (db: Db, hourly: Hourly & { id?: string }): Promise<Hour> =>
  oneByOne(hourly.key, () => db.transaction((tx) => take(tx, hourly)))

/** Counts one more under each key, also beyond the limit. */
export async function add(
  tx: Tx,
  { id = randomUUID(), keys, now }: { id?: string | undefined; keys: string[]; now: Date },
): Promise<void> {
  await tx.insert(attempts).values(keys.map((key) => ({ id, key, at: now })))
}

/** Counts one more, however full the hour is. */
export async function addOne(tx: Tx, { key, now }: Pick<Hourly, 'key' | 'now'>): Promise<void> {
  await lock(tx, key)
  await add(tx, { keys: [key], now })
}

/** The same, when no other transaction is about to count one more: such a one is waited for. */
async function lockedHour(tx: Tx, hourly: Hourly): Promise<Hour> {
  await lock(tx, hourly.key)
  return lastHour(tx, hourly)
}

/**
 * Refuses while the hour of a key is full. A transaction that is about to count one more is waited
 * for.
 *
 * @throws Refusal with the given code
 */
export async function requireNotFull(
  tx: Tx,
  { code, ...hourly }: Hourly & { code: RefusalCode },
): Promise<void> {
  refuseFull(await lockedHour(tx, hourly), code)
}

/** @throws Refusal with the given code, and when to come back, where the hour is full */
export function refuseFull({ retryAfterSeconds }: Hour, code: RefusalCode): void {
  if (retryAfterSeconds > 0) throw new Refusal(code, { retryAfterSeconds })
}

/** Takes back the count of one try, under all its keys. */
export async function takeBack(db: Queryable, id: string): Promise<void> {
  await db.delete(attempts).where(eq(attempts.id, id))
}

/** Forgets the counts under these keys, in which `%` stands for any text. */
export async function forget(tx: Tx, keys: string[]): Promise<void> {
  await tx.delete(attempts).where(or(...keys.map((key) => like(attempts.key, key))))
}

/** Removes counts that no window reaches any more. */
export async function forgetOld(db: Queryable, now: Date): Promise<void> {
  const before = (ms: number) => lt(attempts.at, new Date(now.getTime() - ms))
  const isOfHour = notLike(attempts.key, 'day:%')
  await db.delete(attempts).where(or(before(DAY_MS), and(before(HOUR_MS), isOfHour)))
}
