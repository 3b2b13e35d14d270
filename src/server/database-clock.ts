/**
 * The clock by which things are dated: the database's, as this process knows it. Processes whose own
 * clocks differ so date what they keep in one order, and a process with a wrong clock neither renews
 * a plan early nor writes a moment that is not.
 *
 * It goes on between two looks by the process's own clock. While the two differ by less than a second, as
 * clocks that are set over the network do, it is the process's own, so that it does not leap to and fro.
 *
 * Whether the two clocks agree is asked of `ownClock`: where they do not, nothing is deleted by time
 * (deletion-clock.ts).
 */
import { sql } from 'drizzle-orm'

import type { Clock } from '#shared/clock.ts'

import type { Queryable } from './db.ts'
import type { Log } from './log.ts'

const NEAR_MS = 1_000
const LOOK_EVERY_MS = 60_000

const ownClocks = new WeakMap<Clock, Clock>()

/** The clock of this process that stands behind a clock. */
export const ownClock = (clock: Clock): Clock => ownClocks.get(clock) ?? clock

/** Looks at once, and then each minute. While the database is away the last difference holds. */
export async function databaseClock({
  db,
  own,
  log,
}: {
  db: Queryable
  own: Clock
  log: Log
}): Promise<{ clock: Clock; look: () => Promise<void>; stop: () => void }> {
  let aheadMs = 0
  const clock: Clock = () => new Date(own().getTime() + aheadMs)
  ownClocks.set(clock, own)
  const look = async () => {
    const asked = own().getTime()
    const began = performance.now()
    const { rows } = await db.execute<{ now: string }>(sql`select clock_timestamp() as now`)
    const [row] = rows
    if (!row) throw new Error('the database did not say what time it is')
    // It was read at some moment between the two. On a busy machine these are far apart: a difference that
    // lies between them as well stays as it was.
    const differsBy = new Date(row.now).getTime() - (asked + own().getTime()) / 2
    if (Math.abs(differsBy - aheadMs) <= (performance.now() - began) / 2) return
    aheadMs = Math.abs(differsBy) < NEAR_MS ? 0 : Math.round(differsBy)
  }
  await look()
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.debug({ err: error }, 'the clock was not compared'))
  }, LOOK_EVERY_MS)
  timer.unref()
  return { clock, look, stop: () => clearInterval(timer) }
}
