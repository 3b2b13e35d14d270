/**
 * A summary that the language model has not written yet when the words are there. What this
 * promises:
 *
 * - The transcription is complete and paid for without it, so nobody waits for a summary to read.
 *   Until it comes there is a summary made of sentences, and a mark that another one is awaited.
 * - It replaces that summary, with its key points and topics, once. It does so only in the text
 *   that it was asked for, because another text has another mark. A summary that does not pass the
 *   checks, or never comes, only takes the mark away.
 * - Nobody is mailed again, and no credits move.
 *
 * Summaries cannot be edited, so none of its owner's words are lost. Chapters that are somebody's own
 * stay, and of the action items what its owner touched: see text/carried-actions.ts.
 */
import { and, eq, isNotNull } from 'drizzle-orm'
import { z } from 'zod'

import * as actionItems from '#features/action-items/action-items.ts'
import type { Spoken } from '#features/action-items/action-items.ts'
import type { Recordings } from '#features/documents/documents.ts'
import type { KeptAction, KeptChapters } from '#features/row/kept.ts'
import { everyRow, writeRow } from '#features/row/row.ts'
import { carryActions } from '#features/text/carried-actions.ts'
import { markSpeakers, writtenWith } from '#features/text/speaker-marks.ts'
import type { Summary, Writer } from '#features/writing/contract.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import type { Db } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import { job } from '#server/jobs.ts'
import type { Log } from '#server/log.ts'
import type { Delivery, JobFacts, Queue } from '#server/queue.ts'
import { Refusal } from '#shared/refusals.ts'

export interface LaterDeps {
  db: Db
  log: Log
  onEvent?: OnEvent | undefined
}

export interface WriteDeps extends LaterDeps {
  writer: Writer
  recordings: Pick<Recordings, 'read'>
}

const LaterJob = z.object({ transcriptionId: z.uuid(), pending: z.uuid() })
type LaterJob = z.infer<typeof LaterJob>

const isAwaited = ({ transcriptionId, pending }: LaterJob) =>
  and(eq(everyRow.id, transcriptionId), eq(everyRow.summaryPending, pending))

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function write(
  deps: WriteDeps,
  job: LaterJob,
  { isLastAttempt, signal }: Pick<Delivery, 'isLastAttempt' | 'signal'>,
): Promise<JobFacts | void> {
  const { db, writer, recordings, log } = deps
  const [row] = await db.select({ userId: everyRow.userId }).from(everyRow).where(isAwaited(job))
  // Written by an earlier delivery, or removed, or of a text that is no longer this one.
  if (!row) return
  const { transcriptionId: id } = job
  try {
    const said = await recordings.read({ userId: row.userId, id }, signal)
    const summary = await writer.summarize(said, { signal })
    // Sentences of the transcript are there already.
    const better = summary.engine === 'llm' ? summary : null
    await end(deps, job, better, said.recordedOn)
    return { outcome: better ? 'summary written' : 'no better summary', engine: writer.name }
  } catch (error) {
    if (signal.aborted || isNoFaultOfJob(error)) throw error
    const isGone = error instanceof Refusal
    if (!isGone && !isLastAttempt) throw error
    if (!isGone) log.error({ err: error, transcriptionId: id }, 'summary given up')
    await end(deps, job, null)
    return { outcome: 'no better summary', engine: writer.name }
  }
}

/** Stores the summary, if there is one, and takes the mark away. Does nothing when that is done. */
export async function end(
  { db, onEvent }: LaterDeps,
  job: LaterJob,
  summary: Summary | null,
  /** The day that its days were counted from. */
  recordedOn?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id: ofRow, userId: owner, speakers, speakerCount } = everyRow
    const kept = everyRow.actionItems
    const [row] = await tx
      .select({
        id: ofRow,
        userId: owner,
        chapters: everyRow.chapters,
        actionItems: kept,
        speakers,
        speakerCount,
      })
      .from(everyRow)
      .where(isAwaited(job))
      .for('update')
    if (!row) return
    const { id, userId } = row
    await writeRow(tx, id, { ...(summary && columnsOf(summary, row)), summaryPending: null })
    if (summary) await actionItems.countAnew(tx, { id, unless: recordedOn ?? null })
    const data = { id, replaced: summary !== null }
    await onEvent?.(tx, { userId, type: 'transcription.summarized', data })
  })
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
  run: write,
  giveUp: (deps: WriteDeps, asked) => end(deps, asked, null),
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
