/**
 * Jobs as operators see them: their owner, their length, and how far they are. Operators never see the
 * name or a word of a recording. Stopping a job, and running it again, is part of the operator's
 * own transaction.
 */
import { and, count, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import { type Row, everyRow, isOpen, shownRows, shownStatus, writeRow } from '#features/row/row.ts'
import { MODEL_OF_SERVER } from '#features/writing/writing.ts'
import type { Queryable, Tx } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import type { Queue } from '#server/queue.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'
import { wholeSeconds } from '#shared/format.ts'

import { isFinished, isUnconfirmed } from './status.ts'
import { causeOf, holdCause, start, toldOf } from './transcriptions.ts'
import * as unpaidText from './unpaid-text.ts'

export interface Job {
  id: string
  userId: string
  state: JobState
  status: string
  beganAt: Date
  seconds: number
  /** Why a failed one was refused; null where it broke on our side. */
  errorCode: string | null
  tries: number
  /** Whether its recording is still there. */
  hasRecording: boolean
}
export type JobState = 'running' | 'waiting' | 'failed' | 'done'

const MOST = 100
const DAY_MS = 24 * 60 * 60 * 1000
/** As long as the recording of a failed job is kept. */
const FAILED_DAYS = 30

const states = (now: Date) => ({
  running: and(isOpen(everyRow), isNotNull(everyRow.lease)),
  waiting: and(isOpen(everyRow), isNull(everyRow.lease)),
  failed: and(
    eq(everyRow.status, 'error'),
    gt(everyRow.finishedAt, new Date(now.getTime() - FAILED_DAYS * DAY_MS)),
    isNull(everyRow.deletedAt),
    // Its owner has the text that there was, and may ask again.
    isNull(everyRow.againOf),
  ),
  done: and(
    eq(everyRow.status, 'completed'),
    eq(everyRow.isSample, false),
    isNull(everyRow.deletedAt),
  ),
})

/** The newest jobs of each of these states, in their order. */
export async function list(
  db: Queryable,
  {
    states: asked,
    userId,
    now,
  }: { states: readonly JobState[]; userId?: string | undefined; now: Date },
): Promise<Job[]> {
  const found = await Promise.all(
    asked.map(async (each) => {
      const rows = await db
        .select({
          id: everyRow.id,
          userId: everyRow.userId,
          status: everyRow.status,
          progress: everyRow.progress,
          confirmedAt: everyRow.confirmedAt,
          createdAt: everyRow.createdAt,
          durationMs: everyRow.durationMs,
          errorCode: everyRow.errorCode,
          tries: everyRow.attempt,
          storageKey: everyRow.storageKey,
        })
        .from(everyRow)
        .where(and(states(now)[each], userId ? eq(everyRow.userId, userId) : undefined))
        .orderBy(
          desc(each === 'failed' || each === 'done' ? everyRow.finishedAt : everyRow.createdAt),
        )
        .limit(MOST)
      return rows.map(
        ({ confirmedAt, createdAt, durationMs, storageKey, progress, ...row }): Job => ({
          ...row,
          status: shownStatus({ ...row, progress }),
          state: each,
          beganAt: confirmedAt ?? createdAt,
          seconds: durationMs / 1000,
          hasRecording: storageKey !== null,
        }),
      )
    }),
  )
  return found.flat()
}

export interface Counts extends Record<Exclude<JobState, 'done'>, number> {
  /** When the job that waits longest was confirmed; a job that is run again is not counted. */
  oldestAt: Date | null
  /** Of the last 24 hours. */
  done: number
  broke: number
  lastBrokeAt: Date | null
  /** Summaries of the last 24 hours that were put together because the model did not answer. */
  summariesFellBack: number
  /** The newest of these; its note tells the reason, and what was written in its place. */
  lastFellBack: { at: Date; note: string } | null
}

export async function counts(db: Queryable, now: Date): Promise<Counts> {
  const { running, waiting, failed } = states(now)
  const since = new Date(now.getTime() - DAY_MS)
  const broke = sql`${everyRow.status} = 'error' and ${everyRow.errorCode} is null`
  const fellBack = sql`${everyRow.summaryNote} like ${`%${MODEL_OF_SERVER}%`}`
  const { finishedAt, summaryNote } = everyRow
  const [[open], [ended], [day]] = await Promise.all([
    db
      .select({
        running: sql<number>`count(*) filter (where ${running})::int`,
        waiting: sql<number>`count(*) filter (where ${waiting})::int`,
        oldestAt: sql<
          string | null
        >`min(${everyRow.confirmedAt}) filter (where ${waiting} and ${everyRow.attempt} = 1)`,
      })
      .from(everyRow)
      .where(isOpen(everyRow)),
    db.select({ failed: count() }).from(everyRow).where(failed),
    db
      .select({
        done: sql<number>`count(*) filter (where ${everyRow.status} = 'completed')::int`,
        broke: sql<number>`count(*) filter (where ${broke})::int`,
        lastBrokeAt: sql<string | null>`max(${finishedAt}) filter (where ${broke})`,
        fellBack: sql<number>`count(*) filter (where ${fellBack})::int`,
        lastFellBackAt: sql<string | null>`max(${finishedAt}) filter (where ${fellBack})`,
        note: sql<
          string | null
        >`(array_agg(${summaryNote} order by ${finishedAt} desc) filter (where ${fellBack}))[1]`,
      })
      .from(everyRow)
      .where(and(gt(finishedAt, since), eq(everyRow.isSample, false))),
  ])
  return {
    running: open?.running ?? 0,
    waiting: open?.waiting ?? 0,
    failed: ended?.failed ?? 0,
    oldestAt: open?.oldestAt ? new Date(open.oldestAt) : null,
    done: day?.done ?? 0,
    broke: day?.broke ?? 0,
    lastBrokeAt: day?.lastBrokeAt ? new Date(day.lastBrokeAt) : null,
    summariesFellBack: day?.fellBack ?? 0,
    lastFellBack:
      day?.lastFellBackAt && day.note ? { at: new Date(day.lastFellBackAt), note: day.note } : null,
  }
}

/** How many recordings a user has had transcribed, and how long they are together. */
export async function totals(
  db: Queryable,
  userId: string,
): Promise<{ recordings: number; seconds: number }> {
  const { durationMs, status, isSample } = shownRows
  const [row] = await db
    .select({ recordings: count(), ms: sql<string>`coalesce(sum(${durationMs}), 0)` })
    .from(shownRows)
    .where(and(eq(shownRows.userId, userId), eq(status, 'completed'), eq(isSample, false)))
  return { recordings: row?.recordings ?? 0, seconds: Math.floor(Number(row?.ms ?? 0) / 1000) }
}

/** How long the recordings of these jobs are. Deleted ones are not in the answer. */
export async function lengths(
  db: Queryable,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: everyRow.id, durationMs: everyRow.durationMs })
    .from(everyRow)
    .where(and(eq(everyRow.userId, userId), inArray(everyRow.id, [...ids])))
  return new Map(rows.map(({ id, durationMs }) => [id, durationMs / 1000]))
}

/** The owners of these jobs. Jobs that are gone are not in the answer. */
export async function ownersOf(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { id, userId } = everyRow
  const rows = await db
    .select({ id, userId })
    .from(everyRow)
    .where(inArray(id, [...ids]))
  return new Map(rows.map((row) => [row.id, row.userId]))
}

/** The owner of a job; null where the job is gone. */
export const ownerOf = async (db: Queryable, id: string): Promise<string | null> =>
  (await ownersOf(db, [id])).get(id) ?? null

const stopped = ({ creditsRequired }: Row) =>
  `Whoever runs this server has stopped this job. ${creditsRequired > 0 ? 'Your credits were returned.' : 'Nothing was charged.'} You can try it again.`

interface EndDeps {
  clock: Clock
  onEvent?: OnEvent | undefined
}

/**
 * Stops a job and gives its hold back; recording and stages stay. Its worker finds the lease gone at
 * its next look, and writes nothing more.
 *
 * @throws Refusal `not_found`, `already_finished`
 */
export async function stop(tx: Tx, deps: EndDeps, id: string): Promise<void> {
  const row = await lock(tx, id)
  if (isFinished(row.status) || isUnconfirmed(row.status)) throw new Refusal('already_finished')
  await end(tx, deps, row)
}

/** Stops whatever is worked on for a user. Answers how many jobs that were. */
export async function stopAllOf(tx: Tx, deps: EndDeps, userId: string): Promise<number> {
  const rows = await tx
    .select()
    .from(everyRow)
    .where(and(eq(everyRow.userId, userId), isOpen(everyRow)))
    .orderBy(everyRow.id)
    .for('update')
  for (const row of rows) await end(tx, deps, row)
  return rows.length
}

async function end(tx: Tx, { clock, onEvent }: EndDeps, row: Row): Promise<void> {
  const { id, userId, durationMs } = row
  await writeRow(tx, id, {
    status: 'error',
    errorMessage: stopped(row),
    errorCode: null,
    creditsReturned: row.creditsRequired,
    lease: null,
    progress: null,
    finishedAt: clock(),
  })
  await unpaidText.forget(tx, id)
  await credits.settle(tx, { userId, cause: causeOf(row), credits: 0 })
  const data = { ...toldOf(row), duration: wholeSeconds(durationMs), code: null }
  await onEvent?.(tx, { userId, type: 'transcription.failed', data })
}

/**
 * Runs a failed job again, also one that its owner may not try any more. `pay` is called under the
 * lock of the job, before its price is set aside. Answers why it had failed, null for our side.
 *
 * @throws Refusal `not_found`, `not_retryable`, `recording_deleted`, `insufficient_credits`
 */
export async function runAgain(
  tx: Tx,
  { queue }: { queue: Queue },
  { id, pay }: { id: string; pay: (price: number) => Promise<unknown> },
): Promise<{ price: number; attempt: number; failedBy: string | null }> {
  const row = await lock(tx, id)
  if (row.status !== 'error' || row.againOf !== null) throw new Refusal('not_retryable')
  if (row.storageKey === null) throw new Refusal('recording_deleted')
  const attempt = row.attempt + 1
  await pay(row.creditsRequired)
  await start({ tx, queue }, row, { attempt })
  return { price: row.creditsRequired, attempt, failedBy: row.errorCode }
}

/** The credits that were paid for the result of an attempt; 0 where it has none. */
export async function paid(
  tx: Tx,
  { userId, id, attempt }: { userId: string; id: string; attempt: number },
): Promise<number> {
  return credits.charged(tx, { userId, cause: holdCause(id, attempt) })
}

async function lock(tx: Tx, id: string): Promise<Row> {
  const [row] = await tx
    .select()
    .from(everyRow)
    .where(and(eq(everyRow.id, id), isNull(everyRow.deletedAt)))
    .for('update')
  if (!row) throw new Refusal('not_found')
  return row
}
