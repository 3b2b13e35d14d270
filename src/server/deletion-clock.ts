/**
 * The clock by which recordings and texts reach the end of their time. They are deleted for good by it,
 * so:
 *
 * - It is the database's: one for all processes, and the one by which their rows are dated.
 * - A process whose own clock is more than five minutes away from it deletes nothing by time. One of the
 *   two is wrong, and the process cannot know which.
 * - Where the database's clock has leapt since anybody looked at it last, no process deletes by time,
 *   until it is back or an operator says that it is right (`npm run admin -- trust-clock`).
 *
 * Deletions by users do not ask this clock.
 *
 * Promise: a wrong clock deletes nothing for good (recordings/bin.ts, decision 045).
 */
import { sql } from 'drizzle-orm'

import type { Clock } from '#shared/clock.ts'

import { ownClock } from './database-clock.ts'
import type { Db, Queryable } from './db.ts'
import type { Log } from './log.ts'

export const clockProblems = ['clocks_apart', 'clock_leapt'] as const
type ClockProblem = (typeof clockProblems)[number]

/** Clocks that are set over the network are seconds apart at most. */
const APART_MS = 5 * 60 * 1000
/**
 * The database's clock is looked at each minute while any process runs. A server that was off over a
 * weekend goes on by itself. A smaller leap deletes only files in their last three days, and they lie
 * in the bin.
 */
const LEAP_MS = 3 * 24 * 60 * 60 * 1000
const WATCH_EVERY_MS = 60_000

interface Clocks {
  db: Queryable
  clock: Clock
}

/** The fault of the database's clock, for which nothing is deleted; null where there is none. */
export async function look({
  db,
  clock: dating,
}: Clocks): Promise<{ now: Date; problem: ClockProblem | null }> {
  const clock = ownClock(dating)
  const asked = clock().getTime()
  const { rows } = await db.execute<{ now: string; seen: string | null }>(
    sql`select clock_timestamp() as now, clock_seen_at as seen from installation`,
  )
  const [row] = rows
  if (!row) throw new Error('the database does not know its own id')
  const now = new Date(row.now)
  const ms = now.getTime()
  // It was read at some moment between the two.
  const isApart = ms < asked - APART_MS || ms > clock().getTime() + APART_MS
  if (isApart) return { now, problem: 'clocks_apart' }
  const seen = row.seen === null ? ms : new Date(row.seen).getTime()
  const hasLeapt = ms - seen > LEAP_MS || seen - ms > APART_MS
  return { now, problem: hasLeapt ? 'clock_leapt' : null }
}

/** The moment by which things are over, and may be deleted; null while nothing is deleted by time. */
export async function time(clocks: Clocks): Promise<Date | null> {
  const { now, problem } = await look(clocks)
  if (problem !== null) return null
  await clocks.db.execute(sql`
    update installation set clock_seen_at = greatest(clock_seen_at, ${now.toISOString()})`)
  return now
}

/** An operator has looked at the database's clock: it is right, however far it has leapt. */
export async function trust(db: Queryable): Promise<void> {
  await db.execute(sql`update installation set clock_seen_at = clock_timestamp()`)
}

const why: Record<ClockProblem, string> = {
  clocks_apart:
    'The clock of this process and that of the database are more than five minutes apart. This process deletes nothing by time until they agree: set the clock that is wrong.',
  clock_leapt:
    "The database's clock has leapt by days, or back, since it was last looked at. Nothing is deleted by time. Where the clock is wrong, set it; where it is right (the server was off for days), say so: npm run admin -- trust-clock",
}

/** Looks each minute, in every process, and tells a fault once. */
export function watch({ db, clock, log }: { db: Db; clock: Clock; log: Log }): {
  look: () => Promise<void>
  stop: () => void
} {
  let said: ClockProblem | null = null
  const lookNow = async () => {
    const { now, problem } = await look({ db, clock })
    if (problem === null) await time({ db, clock })
    else if (problem !== said)
      log.error({ problem, database: now, process: ownClock(clock)() }, why[problem])
    said = problem
  }
  const timer = setInterval(() => {
    lookNow().catch((error: unknown) =>
      log.warn({ err: error }, "the database's clock could not be read"),
    )
  }, WATCH_EVERY_MS)
  timer.unref()
  return { look: lookNow, stop: () => clearInterval(timer) }
}
