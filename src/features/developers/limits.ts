/**
 * The hourly limits. An account's calls by key and by sign-in token are counted together, over any
 * number of processes: each is a row, and rows are added one after the other. At no moment do more
 * than the limit lie within one hour.
 */
import { sql } from 'drizzle-orm'

import type { Db } from '#server/db.ts'

import { apiCalls } from './tables.ts'

export interface Counted {
  isAllowed: boolean
  remaining: number
  /** Seconds until the oldest counted call is an hour old: then one more is free. */
  resetSeconds: number
  /** Seconds until a call passes again; 0 where this one passed. */
  retryAfterSeconds: number
}

/** Time is the database's, because several machines count. */
const HOUR_AGO = sql`clock_timestamp() - interval '1 hour'`

/** Counts one call, unless the limit is reached: what is refused does not count. */
export async function count(
  db: Db,
  { userId, limit }: { userId: string; limit: number },
): Promise<Counted> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`calls:${userId}`}, 0))`)
    const { rows } = await tx.execute<{ made: number; reset: number | null; wait: number | null }>(
      sql`
        with recent as (
          select at from ${apiCalls} where user_id = ${userId} and at > ${HOUR_AGO}
        ), added as (
          insert into ${apiCalls} (user_id, at)
          select ${userId}::uuid, clock_timestamp() where (select count(*) from recent) < ${limit}
        )
        select
          (select count(*)::int from recent) as made,
          ${secondsUntilGone(sql`(select min(at) from recent)`)} as reset,
          ${secondsUntilGone(sql`(
            select at from recent order by at
            offset greatest((select count(*) from recent) - ${limit}, 0) limit 1)`)} as wait`,
    )
    const [{ made, reset, wait } = { made: 0, reset: null, wait: null }] = rows
    const isAllowed = made < limit
    return {
      isAllowed,
      remaining: Math.max(0, limit - made - (isAllowed ? 1 : 0)),
      resetSeconds: reset ?? 3600,
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, wait ?? 1),
    }
  })
}

const secondsUntilGone = (at: ReturnType<typeof sql>) =>
  sql`ceil(extract(epoch from ${at} + interval '1 hour' - clock_timestamp()))::int`

/** How many calls of the last hour were let through. */
export async function made(db: Db, userId: string): Promise<number> {
  return db.$count(apiCalls, sql`user_id = ${userId} and at > ${HOUR_AGO}`)
}

export async function forgetOld(db: Db): Promise<void> {
  await db.delete(apiCalls).where(sql`at <= ${HOUR_AGO}`)
}
