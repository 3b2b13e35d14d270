/**
 * A summary that the language model has not written yet when the words are there, or that its owner
 * asked for again (summary-again.ts). What this promises:
 *
 * - The transcription is complete and paid for without it, so nobody waits for a summary to read.
 *   Until it comes there is a summary made of sentences, and a mark that another one is awaited.
 * - It replaces that summary, with its key points and topics, once. It does so only in the text
 *   that it was asked for, because another text has another mark. A summary that does not pass the
 *   checks, says less than the one before, or never comes, only takes the mark away.
 * - While no language model answers it is tried again by itself, for a day.
 * - Nobody is mailed again, and no credits move.
 *
 * What its owner has changed of the summary lies over it, and stays (own-summary.ts). Chapters that are
 * somebody's own stay, and of the action items what its owner touched: see text/carried-actions.ts.
 */
import { and, eq, isNotNull } from 'drizzle-orm'
import { z } from 'zod'

import * as actionItems from '#features/action-items/action-items.ts'
import type { Spoken } from '#features/action-items/action-items.ts'
import type { Recordings } from '#features/documents/documents.ts'
import type { KeptAction, KeptChapters } from '#features/row/kept.ts'
import { type Row, everyRow, writeRow } from '#features/row/row.ts'
import { carryActions } from '#features/text/carried-actions.ts'
import { isMarked, markSpeakers, readWritten, writtenWith } from '#features/text/speaker-marks.ts'
import type { Summary, SummaryLength, Writer } from '#features/writing/contract.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import type { Db, Tx } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import { job } from '#server/jobs.ts'
import type { Log } from '#server/log.ts'
import type { Delivery, JobFacts, Queue } from '#server/queue.ts'
import { Refusal } from '#shared/refusals.ts'

import { summaryOrders } from './tables.ts'

export interface LaterDeps {
  db: Db
  log: Log
  onEvent?: OnEvent | undefined
}

export interface WriteDeps extends LaterDeps {
  writer: Writer
  /** With all that is cut: a summary has the times of the recording. */
  whole: Pick<Recordings, 'read'>
}

const LaterJob = z.object({ transcriptionId: z.uuid(), pending: z.uuid() })
type LaterJob = z.infer<typeof LaterJob>

const isAwaited = ({ transcriptionId, pending }: LaterJob) =>
  and(eq(everyRow.id, transcriptionId), eq(everyRow.summaryPending, pending))

/** A model that does not answer in time is asked this often; one that is away for a day. */
const MOST_SLOW_TRIES = 3

/** Thrown so that the queue delivers the job again, after a longer pause each time. */
class ModelAway extends Error {
  constructor(id: string) {
    super(`no language model has answered for the summary of ${id}`)
  }
}

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function write(
  deps: WriteDeps,
  job: LaterJob,
  { attempt, isLastAttempt, signal }: Pick<Delivery, 'attempt' | 'isLastAttempt' | 'signal'>,
): Promise<JobFacts | void> {
  const { db, writer, whole, log } = deps
  const { language, length } = summaryOrders
  const [row] = await db
    .select({ userId: everyRow.userId, language, length })
    .from(everyRow)
    .leftJoin(summaryOrders, eq(summaryOrders.id, everyRow.summaryPending))
    .where(isAwaited(job))
  // Written by an earlier delivery, or removed, or of a text that is no longer this one.
  if (!row) return
  const { transcriptionId: id } = job
  try {
    const said = await whole.read({ userId: row.userId, id }, signal)
    const order = {
      ...said,
      requestedLanguage: row.language ?? said.requestedLanguage,
      length: row.length ?? undefined,
    }
    const summary = await writer.summarize(order, { signal })
    const { awaited } = summary
    const isTriedAgain = awaited === 'away' || (awaited === 'slow' && attempt < MOST_SLOW_TRIES)
    if (isTriedAgain && !isLastAttempt) throw new ModelAway(id)
    // Sentences of the transcript are there already.
    const better = summary.engine === 'llm' ? summary : null
    const { recordedOn } = said
    const isWritten = await end(deps, job, better, {
      recordedOn,
      otherwise: awaited ? 'given_up' : 'not_better',
    })
    return { outcome: isWritten ? 'summary written' : 'no better summary', engine: writer.name }
  } catch (error) {
    if (signal.aborted || isNoFaultOfJob(error)) throw error
    const isGone = error instanceof Refusal
    if (!isGone && !isLastAttempt) throw error
    if (!isGone) log.error({ err: error, transcriptionId: id }, 'summary given up')
    await end(deps, job, null)
    return { outcome: 'no better summary', engine: writer.name }
  }
}

type Outcome = NonNullable<(typeof summaryOrders.$inferSelect)['outcome']>

/**
 * Stores the summary, if there is one that is not worse than that of now, and takes the mark away.
 * Does nothing when that is done. Answers whether it was stored.
 */
export async function end(
  { db, onEvent }: LaterDeps,
  job: LaterJob,
  summary: Summary | null,
  {
    recordedOn,
    otherwise = 'given_up',
  }: {
    /** The day that its days were counted from. */
    recordedOn?: string | undefined
    /** How it ended where there is no summary. */
    otherwise?: Outcome
  } = {},
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select(replaced).from(everyRow).where(isAwaited(job)).for('update')
    if (!row) return false
    const { id, userId } = row
    const [order] = await tx.select().from(summaryOrders).where(eq(summaryOrders.id, job.pending))
    const better = summary && !isWorse(summary, row, order?.length) ? summary : null
    const summaryLanguage = order?.language ?? row.summaryLanguage
    const columns = better && { ...columnsOf(better, row), summaryLanguage }
    await writeRow(tx, id, { ...columns, summaryPending: null })
    if (better) await actionItems.countAnew(tx, { id, unless: recordedOn ?? null })
    const outcome = better ? 'written' : summary ? 'not_better' : otherwise
    if (order) await endOrder(tx, { order, row, outcome })
    const data = { id, replaced: better !== null }
    await onEvent?.(tx, { userId, type: 'transcription.summarized', data })
    return better !== null
  })
}

const replaced = {
  id: everyRow.id,
  userId: everyRow.userId,
  chapters: everyRow.chapters,
  actionItems: everyRow.actionItems,
  speakers: everyRow.speakers,
  speakerCount: everyRow.speakerCount,
  textSince: everyRow.textSince,
  summary: everyRow.summary,
  summaryKind: everyRow.summaryKind,
  summaryNote: everyRow.summaryNote,
  summaryLanguage: everyRow.summaryLanguage,
  keyPoints: everyRow.keyPoints,
  topics: everyRow.topics,
}
type Replaced = Pick<Row, keyof typeof replaced>

/** The text before is kept until another takes its place, and as it reads now: numbers may change. */
async function endOrder(
  tx: Tx,
  {
    order,
    row,
    outcome,
  }: { order: typeof summaryOrders.$inferSelect; row: Replaced; outcome: Outcome },
): Promise<void> {
  const { summaryKind, summaryNote, summaryLanguage } = row
  const { summary, keyPoints, topics } = readWritten(row)
  const text = { summary, keyPoints, topics, summaryKind, summaryNote, summaryLanguage }
  const before = { ...text, isMarked: isMarked(row) }
  const isIt = eq(summaryOrders.id, order.id)
  if (outcome === 'written')
    await tx
      .update(summaryOrders)
      .set({ before: null })
      .where(eq(summaryOrders.transcriptionId, row.id))
  await tx
    .update(summaryOrders)
    .set({ outcome, ...(outcome === 'written' && { before, textSince: row.textSince }) })
    .where(isIt)
}

/** A summary of less than this of the bytes of the one before has lost something. */
const LEAST_SHARE = 0.25
/** Whoever asks for a short one wants it to be shorter. */
const LEAST_SHARE_SHORT = 0.1

/** Whether it says less than what it would take the place of. */
function isWorse({ text, keyPoints }: Summary, row: Replaced, length?: SummaryLength): boolean {
  if (keyPoints.length === 0 && (row.keyPoints?.length ?? 0) > 0) return true
  if (row.summaryKind === 'sentences') return false
  const share = length === 'short' ? LEAST_SHARE_SHORT : LEAST_SHARE
  return Buffer.byteLength(text) < share * Buffer.byteLength(readWritten(row).summary ?? '')
}

/** The columns of a summary; chapters and action items that somebody has touched stay as they are. */
export const columnsOf = (
  summary: Summary,
  row: Spoken & { actionItems?: KeptAction[] | null; chapters?: KeptChapters | null },
) => ({
  ...writtenIn(summary, row),
  chapters: row.chapters?.by === 'own' ? row.chapters : (summary.chapters ?? row.chapters ?? null),
  actionItems: carryActions(
    row.actionItems ?? null,
    actionItems.kept(summary.actionItems ?? [], row),
  ),
  summaryKind: summary.kind ?? 'summary',
  summaryNote: summary.note,
})

/** Sentences of the transcript stay letter for letter; in what a model wrote, speakers are marked. */
function writtenIn({ text, keyPoints, topics, engine }: Summary, row: Spoken) {
  const points = keyPoints.map(({ text: point, startMs, quote }) => ({
    text: point,
    startMs,
    quote,
  }))
  const written = { summary: text, keyPoints: points, topics }
  return engine === 'llm' ? writtenWith(written, (each) => markSpeakers(each, row)) : written
}

export const summaryJob = job({
  name: 'write-summary',
  data: LaterJob,
  concurrency: 2,
  // About a day: the pauses grow to an hour.
  retryLimit: 28,
  retryDelaySeconds: 60,
  retryDelayMaxSeconds: 3600,
  run: write,
  giveUp: async (deps: WriteDeps, asked) => void (await end(deps, asked, null)),
})

/** Takes the mark from summaries whose job is gone, as after a backup was restored. */
export async function endWithoutJob(deps: LaterDeps & { queue: Queue }): Promise<void> {
  const { id, summaryPending } = everyRow
  const rows = await deps.db
    .select({ transcriptionId: id, pending: summaryPending })
    .from(everyRow)
    .where(isNotNull(summaryPending))
  if (rows.length === 0) return
  const jobs = await deps.queue.unfinished(deps.db, summaryJob)
  const known = new Set(jobs.map(({ pending }) => pending))
  for (const row of z.array(LaterJob).parse(rows))
    if (!known.has(row.pending)) {
      deps.log.error({ transcriptionId: row.transcriptionId }, 'summary given up: its job is gone')
      await end(deps, row, null)
    }
}
