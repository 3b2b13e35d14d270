/**
 * A transcription from the confirmed recording to its end: confirmed, worked on, finished, listed. What
 * this room promises:
 *
 * - The price that was shown is set aside when the job is queued, in the same transaction; it is
 *   taken when the result is stored, and given back when the job fails or is cancelled.
 * - Confirming twice, or a hundred times at once, starts one job and holds one price.
 * - A user sees their own transcriptions only: "not yours" and "not there" are the same answer.
 *
 * Public: by-operators.ts, direct.ts, free-runs.ts, hidden.ts, in-thread.ts, ready.ts, results.ts, said.ts, status.ts, summary-text.ts, tables.ts, unpaid-jobs.ts, waiting.ts
 */
import { and, desc, eq, gt, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'

import * as blocking from '#features/account/blocking.ts'
import * as credits from '#features/credits/credits.ts'
import type { KeptOptions } from '#features/recordings/options.ts'
import type { Deps as Kept } from '#features/recordings/recordings.ts'
import {
  type Owned,
  type Row,
  everyRow,
  isKnown,
  isOpen,
  isThere,
  lockOwned,
  runRows,
  shownColumns,
  shownRows,
  shownStatus,
  writeRow,
} from '#features/row/row.ts'
import { wordsForOthers } from '#features/row/veil.ts'
import { turns } from '#features/text/tables.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import { columnsWithout } from '#server/columns.ts'
import type { Db, Tx } from '#server/db.ts'
import type { Happened, OnEvent } from '#server/events.ts'
import type { JobKind, Queue } from '#server/queue.ts'
import { LONG_MINUTES, type SummaryLanguage } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import type { AgainRun, ConfirmAnswer, Transcription } from './contract.ts'
import * as freeRuns from './free-runs.ts'
import * as ready from './ready.ts'
import * as summaryAgain from './summary-again.ts'
import { toTranscription, whyNotRetried, tagsOfRow } from './results.ts'
import { isFinished } from './status.ts'
import * as unpaidJobs from './unpaid-jobs.ts'

export interface Deps extends Kept {
  queue: Queue
  /** Hears of what happens to transcriptions. */
  onEvent?: OnEvent
}

const JobData = z.object({
  transcriptionId: z.uuid(),
  attempt: z.int(),
  /** For whoever looks at what waits: see metrics.ts. */
  durationMs: z.int().optional(),
})
export type TranscribeJob = z.infer<typeof JobData>

/** An attempt has one job, however often that is delivered. It is worked on in jobs.ts. */
export const transcriptionKind = { name: 'transcribe', data: JobData } satisfies JobKind
/** Long recordings wait in a queue of their own, so that a short one never waits for the end of one. */
export const longTranscriptionKind = {
  name: 'transcribe-long',
  data: JobData,
} satisfies JobKind
export const transcriptionKinds = [transcriptionKind, longTranscriptionKind] as const

/** The queue in which work on a recording of this length waits. */
export const kindFor = (
  durationMs: number,
): typeof transcriptionKind | typeof longTranscriptionKind =>
  durationMs > LONG_MINUTES * 60_000 ? longTranscriptionKind : transcriptionKind

/** The name under which the credits of one attempt are held and settled. */
export const holdCause = (id: string, attempt: number): string => `transcription:${id}:${attempt}`

/** The same of a row. Work on a recording again is an attempt of the transcription that it is for. */
export const causeOf = ({ id, againOf, attempt }: Pick<Row, 'id' | 'againOf' | 'attempt'>) =>
  holdCause(againOf ?? id, attempt)

/**
 * The data of an event about a row. `again` is there where the recording was worked on again: a failure
 * then leaves the text that there was.
 */
export const toldOf = ({
  id,
  againOf,
  againWhat,
}: Pick<Row, 'id' | 'againOf' | 'againWhat'>): Happened['data'] =>
  againOf === null ? { id } : { id: againOf, again: againWhat }

/**
 * A row that has a job or may get one, locked. The transcription whose recording is worked on again
 * is locked before the work on it.
 *
 * @throws Refusal `not_found`
 */
async function lockJob(tx: Tx, owned: Owned): Promise<{ row: Row; before: Row | null }> {
  const { id, againOf } = everyRow
  const [found] = await tx.select({ id, againOf }).from(everyRow).where(isKnown(owned))
  if (!found) throw new Refusal('not_found')
  const before =
    found.againOf === null ? null : await lockOwned(tx, { ...owned, id: found.againOf })
  const [row] = await tx.select().from(everyRow).where(isKnown(owned)).for('update')
  if (!row) throw new Refusal('not_found')
  return { row, before }
}

/**
 * Sets the price aside and queues the job, in one transaction. A repeat with the same summary
 * language answers what the first call answered.
 *
 * @throws Refusal `not_found`, `insufficient_credits`, `already_confirmed`, `not_waiting`,
 * `account_blocked`, `too_many_unpaid_jobs`, `recording_deleted`, `too_many_free_runs`
 */
export async function confirm(
  deps: Deps,
  confirmed: Owned & { summaryLanguage?: SummaryLanguage },
): Promise<ConfirmAnswer> {
  return deps.db.transaction((tx) => confirmIn(tx, deps, { ...confirmed, keepsTerms: true }))
}

/** The same inside a transaction that does more. `keepsTerms`: in the account's vocabulary. */
export async function confirmIn(
  tx: Tx,
  { queue, clock, onEvent }: Omit<Deps, 'db' | 'storage'>,
  {
    userId,
    id,
    summaryLanguage,
    keepsTerms = false,
  }: Owned & { summaryLanguage?: SummaryLanguage; keepsTerms?: boolean },
): Promise<ConfirmAnswer> {
  // They lock in this order.
  await blocking.keepOpen(tx, userId)
  const { row, before } = await lockJob(tx, { userId, id })
  if (row.confirmAnswer) {
    if (summaryLanguage && summaryLanguage !== row.summaryLanguage)
      throw new Refusal('already_confirmed')
    return row.confirmAnswer
  }
  if (row.status !== 'uploading') throw new Refusal('not_waiting')
  await unpaidJobs.requireFew(tx, { userId, now: clock() })
  if (before && before.storageKey === null) throw new Refusal('recording_deleted')
  if (before && row.creditsRequired === 0) await freeRuns.take(tx, { userId, now: clock() })
  // Before the credits are locked: a job that ends locks both in this order.
  if (keepsTerms) await vocabulary.keepTerms(tx, { userId, terms: row.terms ?? [], now: clock() })
  const answer = await start({ tx, queue }, row, {
    attempt: before ? await nextAttempt(tx, before) : 1,
    confirmedAt: clock(),
    summaryLanguage,
    keepsAnswer: true,
  })
  const { creditsDeducted: price } = answer
  // A recording that is transcribed again was created long ago.
  if (!before)
    await onEvent?.(tx, { userId, type: 'transcription.created', data: { id, credits: price } })
  return answer
}

/** Whether each of these is said to be in a language, or has its summary in it already. */
export async function areSpokenIn(
  db: Db,
  {
    userId,
    ids,
    language,
  }: { userId: string; ids: readonly string[]; language: string | undefined },
): Promise<boolean> {
  const { id, spokenLanguage, summaryLanguage } = everyRow
  const rows = await db
    .select({ id, spokenLanguage, summaryLanguage })
    .from(everyRow)
    .where(and(eq(everyRow.userId, userId), inArray(sql`${id}::text`, [...ids])))
  return rows.every((row) => language === row.spokenLanguage || language === row.summaryLanguage)
}

/** Work on a recording again is counted with the transcription: its bill has one name. */
export async function nextAttempt(tx: Tx, { id, attempt }: Row): Promise<number> {
  await writeRow(tx, id, { attempt: attempt + 1 })
  return attempt + 1
}

/**
 * Takes a new hold for a failed transcription and queues it again; what the failed job had
 * finished is not done again. A recording that was refused is not tried again: it would be worked
 * on for nothing, as often as somebody asks. With another language it is: unpaid-jobs.ts counts these.
 *
 * @throws Refusal `not_found`, `not_retryable`, `refused_before`, `given_up`, `recording_deleted`,
 * `insufficient_credits`, `account_blocked`, `too_many_unpaid_jobs`
 */
export async function retry(
  { db, queue, clock }: Deps,
  { spokenLanguage, ...owned }: Owned & Pick<KeptOptions, 'spokenLanguage'>,
): Promise<ConfirmAnswer> {
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, owned.userId)
    const row = await lockOwned(tx, owned)
    const why = whyNotRetried(row, spokenLanguage)
    if (why) throw new Refusal(why)
    await unpaidJobs.requireFew(tx, { userId: row.userId, now: clock() })
    if (spokenLanguage !== undefined) await writeRow(tx, row.id, { spokenLanguage })
    return start({ tx, queue }, row, { attempt: row.attempt + 1, confirmedAt: clock() })
  })
}

interface Start {
  attempt: number
  /** Now, where its owner starts it. */
  confirmedAt?: Date
  summaryLanguage?: SummaryLanguage | undefined
  /** Whether what is answered stays with the row, for a repeat. */
  keepsAnswer?: boolean
}

/** The hold, the status and the job of one attempt: all or none. */
export async function start(
  { tx, queue }: { tx: Tx; queue: Queue },
  row: Row,
  { attempt, confirmedAt, summaryLanguage, keepsAnswer = false }: Start,
): Promise<ConfirmAnswer> {
  const { id, userId, creditsRequired, durationMs } = row
  // Each job of a user goes behind the ones before it: fifty of one do not hold up another's first.
  const open = await tx.$count(everyRow, and(eq(everyRow.userId, userId), isOpen(everyRow)))
  const cause = causeOf({ ...row, attempt })
  if (creditsRequired > 0) await credits.hold(tx, { userId, cause, credits: creditsRequired })
  const { available } = await credits.balance(tx, userId)
  const answer = { creditsDeducted: creditsRequired, creditsRemaining: available }
  await writeRow(tx, id, {
    status: 'processing',
    attempt,
    lease: null,
    errorMessage: null,
    errorCode: null,
    creditsReturned: null,
    finishedAt: null,
    confirmedAt: confirmedAt ?? row.confirmedAt,
    summaryLanguage: summaryLanguage ?? row.summaryLanguage,
    ...(keepsAnswer ? { confirmAnswer: answer } : {}),
  })
  const data = { transcriptionId: id, attempt, durationMs }
  await queue.add(tx, kindFor(durationMs), data, { priority: -1 - open })
  return answer
}

/**
 * Stops the job if there is one, gives its hold back and removes recording and row. Work on a
 * recording again has none of its own: the recording stays, and so does its text.
 *
 * @throws Refusal `not_found`, `already_finished`
 */
export async function cancel(
  { db, storage, clock, onEvent }: Deps,
  owned: Owned,
): Promise<{ keepsText: boolean }> {
  const { key, ...done } = await db.transaction(async (tx) => {
    const { row } = await lockJob(tx, owned)
    if (isFinished(row.status)) throw new Refusal('already_finished')
    if (row.attempt > 0) {
      // A worker has begun it. Cancelling must not give the work for nothing, as often as a user likes.
      if (row.lease !== null) await unpaidJobs.count(tx, { userId: row.userId, now: clock() })
      await credits.settle(tx, { userId: row.userId, cause: causeOf(row), credits: 0 })
    }
    // A running job finds its row gone at its next write or look, and stops.
    await tx.delete(everyRow).where(eq(everyRow.id, row.id))
    const { id, userId } = row
    // Events told of no creation of an upload that was never confirmed.
    if (row.attempt > 0 && row.againOf === null)
      await onEvent?.(tx, { userId, type: 'transcription.deleted', data: { id } })
    return { key: row.storageKey, keepsText: row.againOf !== null }
  })
  if (key) await storage.remove(key)
  return done
}

/** @throws Refusal `not_found` */
export async function get({ db }: Pick<Deps, 'db'>, owned: Owned): Promise<Transcription> {
  const [found] = await db
    .select({ row: shownColumns, tags: tagsOfRow })
    .from(shownRows)
    .where(isThere(owned))
  if (!found) throw new Refusal('not_found')
  const { row, tags } = found
  if (row.status !== 'completed') return toTranscription(row, [])
  const [said, again, written, hiddenForOthers] = await Promise.all([
    turnsOf(db, row.id),
    runOf(db, row.id),
    summaryAgain.lastOf(db, row),
    wordsForOthers(db, row.id),
  ])
  return { ...toTranscription(row, said), again, summaryAgain: written, hiddenForOthers, tags }
}

/**
 * A transcription that has no text yet, or work on the recording of another one: pages ask for both again
 * and again. Null for all others. `isLooking`: it is shown to its owner.
 */
export async function getUncompleted(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { isLooking = false, ...owned }: Owned & { isLooking?: boolean },
): Promise<Transcription | null> {
  const isShort = or(ne(everyRow.status, 'completed'), isNotNull(everyRow.againOf))
  const [row] = await db
    .select()
    .from(everyRow)
    .where(and(isKnown(owned), isShort))
  if (!row) return null
  if (isLooking) await ready.look(db, [row], clock())
  if (row.againOf === null) return toTranscription(row, [])
  // The text that is kept in it is another one than the one that was asked for.
  const none = { transcriptionText: null, summary: null, keyPoints: null, topics: null }
  const own = { chapters: null, actionItems: null, summaryOwn: null }
  return toTranscription({ ...row, ...none, ...own }, [])
}

/** The run that works on a recording again, or has failed; null where it has become the text. */
async function runOf(db: Db, id: string): Promise<AgainRun | null> {
  const { status, progress, errorMessage, againWhat, attempt, createdAt } = runRows
  const isRun = and(eq(runRows.againOf, id), gt(attempt, 0), ne(status, 'completed'))
  const [run] = await db
    .select({ id: runRows.id, what: againWhat, status, progress, errorMessage })
    .from(runRows)
    .where(isRun)
    .orderBy(desc(createdAt))
    .limit(1)
  if (!run) return null
  const { progress: _progress, ...shown } = run
  return { ...shown, status: shownStatus(run), what: run.what ?? 'text' }
}

/** A finished transcription with its turns, for the files that are made from it. */
export async function getFinished(
  { db }: Pick<Deps, 'db'>,
  owned: Owned,
): Promise<{ row: Row; turns: Omit<typeof turns.$inferSelect, 'words' | 'search'>[] }> {
  const [row] = await db.select().from(shownRows).where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'completed') throw new Refusal('not_finished')
  return { row, turns: await turnsOf(db, row.id) }
}

/** Without the words: hours of them, which neither the page nor the text files need. */
async function turnsOf(db: Db, id: string) {
  const columns = columnsWithout(turns, ['words', 'search'])
  return db.select(columns).from(turns).where(eq(turns.transcriptionId, id)).orderBy(turns.position)
}
