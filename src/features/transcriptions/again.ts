/**
 * A recording that has a text is worked on again: for a new text, at the usual price, or only to
 * tell its speakers apart, for nothing. What this promises:
 *
 * - The work is a row of its own, with a job, a hold and a status as any other. The text that there
 *   is stays as it is until the new one is complete, and so it stays where the work fails.
 * - One transaction puts the new text in the place of the old one, which is kept in the row of the
 *   work for 30 days, and hidden there for one more.
 * - A transcription is worked on once at a time, however many ask.
 * - The price is 0 where the engine could not write all that it heard the last time.
 */
import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'

import * as blocking from '#features/account/blocking.ts'
import { creditsFor } from '#features/credits/contract.ts'
import * as credits from '#features/credits/credits.ts'
import { type KeptOptions, optionsIn } from '#features/recordings/options.ts'
import { type Owned, isBeingRewritten, lockOwned } from '#features/recordings/recordings.ts'
import { type NamedSpeaker, transcriptions } from '#features/recordings/tables.ts'
import type { SpeakerTurn, Turn } from '#features/speech/contract.ts'
import type { FixedReplacement } from '#features/vocabulary/contract.ts'
import type { Tx } from '#server/db.ts'
import { BIN_HOURS, RETENTION_DAYS } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import type { AgainQuote, AgainRun } from './contract.ts'
import type { FixedTurn } from './fixed-replacements.ts'
import * as freeRuns from './free-runs.ts'
import { turns } from './tables.ts'
import { type Deps, nextAttempt, start } from './transcriptions.ts'
import * as unpaidJobs from './unpaid-jobs.ts'

type Row = typeof transcriptions.$inferSelect
type Asked = Parameters<typeof optionsIn>[0]

/**
 * What transcribing again costs. The answer's id is confirmed as that of an upload; asked again, the
 * same id has the new options.
 *
 * @throws Refusal `not_found`, `not_finished`, `recording_deleted`, `still_processing`,
 * `account_blocked`, `invalid_request` for the sample
 */
export async function quote(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, id, ...asked }: Owned & Asked,
): Promise<AgainQuote> {
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, userId)
    const before = await lockReady(tx, { userId, id })
    await dropOlder(tx, id)
    const run = await insertRun(tx, before, {
      ...optionsAgain(before, asked),
      againWhat: 'text',
      creditsRequired: priceOf(before),
      createdAt: clock(),
    })
    const { available } = await credits.balance(tx, userId)
    return { id: run.id, creditsRequired: run.creditsRequired, creditsAvailable: available }
  })
}

/**
 * Tells the speakers of the recording apart again, beginning at once.
 *
 * @throws Refusal `not_found`, `not_finished`, `recording_deleted`, `still_processing`,
 * `account_blocked`, `too_many_free_runs`, `too_many_unpaid_jobs`, `invalid_request` for the sample
 */
export async function tellApart(
  { db, clock, queue }: Pick<Deps, 'db' | 'clock' | 'queue'>,
  { userId, id, speakers }: Owned & { speakers: string },
): Promise<AgainRun> {
  return db.transaction(async (tx) => {
    await blocking.keepOpen(tx, userId)
    const before = await lockReady(tx, { userId, id })
    await unpaidJobs.requireRoom(tx, { userId, now: clock() })
    await freeRuns.take(tx, { userId, now: clock() })
    await dropOlder(tx, id)
    const run = await insertRun(tx, before, {
      ...optionsAgain(before, { speakers }),
      againWhat: 'speakers',
      creditsRequired: 0,
      createdAt: clock(),
      confirmedAt: clock(),
    })
    await start({ tx, queue }, run, { attempt: await nextAttempt(tx, before) })
    return { id: run.id, what: 'speakers', status: 'processing', errorMessage: null }
  })
}

/** What transcribing it again would cost now. */
export const priceOf = ({ hasFault, durationMs }: Pick<Row, 'hasFault' | 'durationMs'>): number =>
  hasFault ? 0 : creditsFor(Math.floor(durationMs / 1000))

/** Why a transcription cannot be worked on again; null where it can. */
export function whyNotAgain({ status, isSample, storageKey }: Row) {
  if (status !== 'completed') return 'not_finished'
  if (isSample) return 'sample'
  return storageKey === null ? 'recording_deleted' : null
}

async function lockReady(tx: Tx, owned: Owned): Promise<Row> {
  const row = await lockOwned(tx, owned)
  const why = whyNotAgain(row)
  if (why === 'sample')
    throw new Refusal('invalid_request', {
      message: 'This is our own sample, whose text was written by hand. Nothing was changed.',
    })
  if (why) throw new Refusal(why)
  if (await isBeingRewritten(tx, row.id)) throw new Refusal('still_processing')
  return row
}

/** What is left out is asked for as the last time. */
function optionsAgain(before: Row, asked: Asked): Required<KeptOptions> {
  const { spokenLanguage, askedSpeakers, terms } = optionsIn(asked)
  return {
    spokenLanguage: (asked.language === undefined ? before.spokenLanguage : spokenLanguage) ?? null,
    askedSpeakers: askedSpeakers ?? before.askedSpeakers,
    terms: terms ?? before.terms,
  }
}

/** What was asked for and not confirmed, and what failed: something newer is asked for now. */
async function dropOlder(tx: Tx, id: string): Promise<void> {
  await tx
    .delete(transcriptions)
    .where(
      and(eq(transcriptions.againOf, id), inArray(transcriptions.status, ['uploading', 'error'])),
    )
}

async function insertRun(
  tx: Tx,
  before: Row,
  values: Partial<PgInsertValue<typeof transcriptions>> & { creditsRequired: number },
): Promise<Row> {
  const { userId, originalName, sizeBytes, durationMs, summaryLanguage } = before
  const [run] = await tx
    .insert(transcriptions)
    .values({
      userId,
      originalName,
      sizeBytes,
      durationMs,
      summaryLanguage,
      againOf: before.id,
      ...values,
    })
    .returning()
  if (!run) throw new Error('the database stored work on a recording without an id')
  return run
}

/** Corrections and names, as a new text has them. */
export interface Carried {
  /** The new text with the corrections, for its summary. */
  turns: Turn[]
  /** Those of the turns that a correction changed. */
  changed: FixedTurn[]
  names: NamedSpeaker[]
  /** For the editor alone: what is left to decide. */
  report: unknown
}

/** What the rooms that keep more of a text than this one do when it changes. The root hands it in. */
export interface TakeOver {
  /** Carries corrections and names over to a new text. In a thread. */
  carry(
    asked: { id: string; turns: Turn[]; replacements: FixedReplacement[] },
    signal: AbortSignal,
  ): Promise<Carried>
  /** Writes that down, as a change of the new text. */
  writeCarried(tx: Tx, carried: Owned & { carried: Carried }): Promise<void>
  /** Gives the words that there are to other speakers: what is to be written then. In a thread. */
  regroup(
    asked: { id: string; speakers: SpeakerTurn[]; regions: { startMs: number; endMs: number }[] },
    signal: AbortSignal,
  ): Promise<unknown>
  /** Writes that down, as a change of the text. */
  writeRegrouped(tx: Tx, regrouped: Owned & { regrouped: unknown }): Promise<void>
  /** Whatever is kept of the text of one row is kept of another. */
  move(tx: Tx, ids: { from: string; to: string }): Promise<void>
}

/** What goes with a text from row to row. */
const textOf = (row: Row) => ({
  transcriptionText: row.transcriptionText,
  language: row.language,
  wordCount: row.wordCount,
  wordsInDoubt: row.wordsInDoubt,
  speakerCount: row.speakerCount,
  speakers: row.speakers,
  engine: row.engine,
  hasFault: row.hasFault,
  textSince: row.textSince,
  summaryLanguage: row.summaryLanguage,
  summary: row.summary,
  summaryNote: row.summaryNote,
  summaryKind: row.summaryKind,
  // What is awaited is for the text that there is: one that is put back has what it had.
  summaryPending: null,
  keyPoints: row.keyPoints,
  topics: row.topics,
  spokenLanguage: row.spokenLanguage,
  askedSpeakers: row.askedSpeakers,
  terms: row.terms,
  finishedAt: row.finishedAt,
})

/** The transcription whose recording a run works on, locked; before the run is. */
export async function lockBefore(tx: Tx, id: string): Promise<Row | null> {
  const [row] = await tx
    .select()
    .from(transcriptions)
    .where(eq(transcriptions.id, id))
    .for('update')
  return row ?? null
}

/** What the row of a run becomes when its text takes over: the keeper of the text before. */
export function asEarlier(before: Row, run: Pick<Row, 'creditsRequired'>) {
  return {
    ...textOf(before),
    revision: before.revision,
    status: 'completed',
    // What was free because of it is not free once more.
    hasFault: before.hasFault && run.creditsRequired > 0,
    keptUntil,
  }
}

/** By the database's clock, as its end is. */
const keptUntil = sql<Date>`now() + ${sql.raw(`interval '${RETENTION_DAYS} days'`)}`

/** Moves the text of a transcription into the row that is to keep it. An older one goes. */
export async function setAside(
  tx: Tx,
  takeOver: Pick<TakeOver, 'move'>,
  { id, keeper }: { id: string; keeper: string },
): Promise<void> {
  await tx.delete(transcriptions).where(and(isEarlierOf(id), ne(transcriptions.id, keeper)))
  await moveText(tx, takeOver, { from: id, to: keeper })
}

/** Writes the result of a run to the transcription whose text it is from now on. */
export async function begin(
  tx: Tx,
  {
    before,
    run,
    result,
    now,
  }: {
    before: Row
    run: KeptOptions & Pick<Row, 'summaryLanguage'>
    result: Partial<typeof transcriptions.$inferInsert>
    now: Date
  },
): Promise<void> {
  const { spokenLanguage = null, askedSpeakers = null, terms = null } = run
  // Numbers of changes go on: none that was made of the old text is ever one of the new.
  const revision = before.revision + 1
  await tx
    .update(transcriptions)
    .set({
      ...result,
      summaryLanguage: run.summaryLanguage,
      spokenLanguage,
      askedSpeakers,
      terms,
      speakers: null,
      revision,
      textSince: revision,
      finishedAt: now,
    })
    .where(eq(transcriptions.id, before.id))
}

/** How many speakers were asked for is what the next form begins with. */
export async function keepAsked(
  tx: Tx,
  { id, run }: { id: string; run: Pick<Row, 'askedSpeakers'> },
): Promise<void> {
  const { askedSpeakers } = run
  await tx.update(transcriptions).set({ askedSpeakers }).where(eq(transcriptions.id, id))
}

async function moveText(
  tx: Tx,
  takeOver: Pick<TakeOver, 'move'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.update(turns).set({ transcriptionId: to }).where(eq(turns.transcriptionId, from))
  await takeOver.move(tx, { from, to })
}

const isEarlierOf = (id: string) =>
  and(eq(transcriptions.againOf, id), isNotNull(transcriptions.keptUntil))

/** For a day after its time it is only hidden: a clock may be wrong. */
const isEarlierText = (id: string) => and(isEarlierOf(id), gt(transcriptions.keptUntil, sql`now()`))

/** The earlier text of a transcription, if one is kept. */
export async function earlierOf(
  db: Pick<Tx, 'select'>,
  id: string,
): Promise<{ id: string; keptUntil: Date } | null> {
  const [row] = await db
    .select({ id: transcriptions.id, keptUntil: transcriptions.keptUntil })
    .from(transcriptions)
    .where(isEarlierText(id))
  return row?.keptUntil ? { id: row.id, keptUntil: row.keptUntil } : null
}

/**
 * Puts the earlier text back, and keeps this one in its place for 30 days. No credits move.
 *
 * @throws Refusal `not_found`, `not_finished`, `being_rewritten`, `no_earlier_text`
 */
export async function back(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  takeOver: Pick<TakeOver, 'move'>,
  owned: Owned,
): Promise<void> {
  await db.transaction(async (tx) => {
    const now = await lockText(tx, owned)
    const [earlier] = await tx
      .select()
      .from(transcriptions)
      .where(isEarlierText(now.id))
      .for('update')
    if (!earlier) throw new Refusal('no_earlier_text')
    // The price of what is not confirmed was that of this text.
    await dropOlder(tx, now.id)
    await tx
      .update(transcriptions)
      .set({ keptUntil: null })
      .where(eq(transcriptions.id, earlier.id))
    const keeper = await insertRun(tx, now, {
      ...textOf(now),
      revision: now.revision,
      status: 'completed',
      againWhat: 'text',
      creditsRequired: 0,
      createdAt: clock(),
      keptUntil,
    })
    await moveText(tx, takeOver, { from: now.id, to: keeper.id })
    await moveText(tx, takeOver, { from: earlier.id, to: now.id })
    const revision = now.revision + 1
    await tx
      .update(transcriptions)
      .set({
        ...textOf(earlier),
        revision,
        // Of a text that nobody has changed, the originals are kept aside at its first change.
        textSince: earlier.revision === earlier.textSince ? revision : earlier.textSince,
      })
      .where(eq(transcriptions.id, now.id))
    await tx.delete(transcriptions).where(eq(transcriptions.id, earlier.id))
  })
}

/**
 * Drops the earlier text. Where there is none, nothing happens.
 *
 * @throws Refusal `not_found`
 */
export async function dropEarlier({ db }: Pick<Deps, 'db'>, owned: Owned): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await lockOwned(tx, owned)
    await tx.delete(transcriptions).where(isEarlierOf(id))
  })
}

/** The row of a text that may be changed now, locked. */
async function lockText(tx: Tx, owned: Owned): Promise<Row> {
  const row = await lockOwned(tx, owned)
  if (row.status !== 'completed') throw new Refusal('not_finished')
  if (await isBeingRewritten(tx, row.id)) throw new Refusal('being_rewritten')
  return row
}

const TOLD_MS = 24 * 60 * 60 * 1000

/** Earlier texts whose time is over for a day, and work that ended a day ago and left no text. */
export async function removeOver({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  const { againOf, keptUntil, finishedAt } = transcriptions
  const isTold = and(isNull(keptUntil), lt(finishedAt, new Date(now.getTime() - TOLD_MS)))
  const isOver = lt(keptUntil, new Date(now.getTime() - BIN_HOURS * 3_600_000))
  await db.delete(transcriptions).where(and(isNotNull(againOf), or(isOver, isTold)))
}
