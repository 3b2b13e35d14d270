/**
 * How much of running jobs can be read before it is paid for. A job that is stopped costs nothing,
 * however much of its text was shown. So that nobody gets texts for nothing that way:
 *
 * - What is shown is worth its share of the job's price. All that a user was shown within a week, and
 *   has not paid for, is worth no more than `MOST_UNPAID_CREDITS`: of running jobs and of stopped ones
 *   together, however many there are. The rest of a text is shown with the result.
 * - A result is paid for, so its text does not count any more. Nor does that of a job that broke on
 *   our side, or that an operator has stopped; only the text that is read afterwards counts again.
 *
 * A row of the table outlives its job: stopping and deleting one changes nothing here.
 *
 * Promise: nobody reads more than 20 credits' worth of text in a week without paying for it.
 */
import { and, eq, gt, lt, ne, sql } from 'drizzle-orm'

import * as blocking from '#features/account/blocking.ts'
import { type Queryable, type Tx, tryLock } from '#server/db.ts'
import { MOST_UNPAID_CREDITS } from '#shared/business.ts'

import { unpaidTexts } from './tables.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

interface Job {
  id: string
  userId: string
  creditsRequired: number
  durationMs: number
}

interface Asked<T> {
  job: Job
  now: Date
  show: (untilMs: number) => T
}

/**
 * Shows the part of a running job's text that its owner may read. `show` is told how far that goes.
 * It answers how far it went, and that is counted. The job's row must be locked: the count ends
 * with the job. Null where it cannot be counted now without waiting.
 */
export async function count<T extends { readToMs: number }>(
  tx: Tx,
  { job, now, show }: Asked<T>,
): Promise<T | null> {
  const { id: transcriptionId, userId, creditsRequired: price, durationMs } = job
  // Jobs that are read at the same moment count together, so one after the other.
  if (!(await tryLock(tx, `unpaid-text:${userId}`))) return null
  const { shownMs, untilMs } = await reach(tx, job, now)
  const shown = show(untilMs)
  if (shown.readToMs <= shownMs) return shown
  // The deletion of the account locks it before its jobs.
  if (!(await blocking.tryToKeep(tx, userId))) return null
  const credits = Math.min(price, Math.ceil((price * shown.readToMs) / durationMs))
  const counted = { shownMs: shown.readToMs, credits, shownAt: now }
  await tx
    .insert(unpaidTexts)
    .values({ transcriptionId, userId, ...counted })
    .onConflictDoUpdate({ target: unpaidTexts.transcriptionId, set: counted })
  return shown
}

/**
 * Shows what was shown before, where no more can be counted now. More that its owner may read is not
 * held back: it comes when it is asked for again.
 */
export async function shownBefore<T extends { isHeldBack: boolean }>(
  db: Queryable,
  { job, now, show }: Asked<T>,
): Promise<T> {
  const { shownMs, untilMs } = await reach(db, job, now)
  return { ...show(shownMs), isHeldBack: show(untilMs).isHeldBack }
}

/** Up to where a job's text was shown, and up to where it may be. */
async function reach(
  db: Queryable,
  { id, userId, creditsRequired: price, durationMs }: Job,
  now: Date,
): Promise<{ shownMs: number; untilMs: number }> {
  const [others] = await db
    .select({ credits: sql<number>`coalesce(sum(${unpaidTexts.credits}), 0)::int` })
    .from(unpaidTexts)
    .where(
      and(
        eq(unpaidTexts.userId, userId),
        ne(unpaidTexts.transcriptionId, id),
        gt(unpaidTexts.shownAt, new Date(now.getTime() - WEEK_MS)),
      ),
    )
  const left = Math.max(0, MOST_UNPAID_CREDITS - (others?.credits ?? 0))
  const shownMs = await shownOf(db, id)
  const payableMs = left >= price ? Infinity : Math.floor((durationMs * left) / price)
  return { shownMs, untilMs: Math.max(shownMs, payableMs) }
}

/** Up to where a job's text was shown; 0 before the first word. */
export async function shownOf(db: Queryable, id: string): Promise<number> {
  const [row] = await db
    .select({ shownMs: unpaidTexts.shownMs })
    .from(unpaidTexts)
    .where(eq(unpaidTexts.transcriptionId, id))
  return row?.shownMs ?? 0
}

/** The text of a job counts no more: it is paid for, or it was not for its owner that there is none. */
export async function forget(tx: Tx, id: string): Promise<void> {
  await tx.delete(unpaidTexts).where(eq(unpaidTexts.transcriptionId, id))
}

/** Removes what no week reaches any more. */
export async function forgetOld(db: Queryable, now: Date): Promise<void> {
  await db.delete(unpaidTexts).where(lt(unpaidTexts.shownAt, new Date(now.getTime() - WEEK_MS)))
}
