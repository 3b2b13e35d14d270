/**
 * Tells owners by mail that work has ended, where it took long and nobody looks at it. What this
 * promises:
 *
 * - One mail for each end of a job, and one for a batch, however often its jobs are delivered and
 *   whichever ends last: it is queued in the transaction in which the job ends (decision 041).
 * - Nobody is mailed whose browser showed the work a moment ago.
 * - A mail names recordings, and holds nothing that was said in them.
 */
import type { FastifyRequest } from 'fastify'
import { and, eq, inArray, isNull, lt, or } from 'drizzle-orm'
import { z } from 'zod'

import * as readyMail from '#features/account/ready-mail.ts'
import { type Row, batches, everyRow, isOpen } from '#features/row/row.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import { type MailWriter, addMail, writerOf } from '#server/mail-jobs.ts'
import type { Mail } from '#server/mail.ts'
import type { Queue } from '#server/queue.ts'
import { formatTime, formatCredits } from '#shared/format.ts'

import { isWorking } from './status.ts'

/** Writes down that the owner's browser shows these. A row that a job is just ending is left alone. */
export async function look(
  db: Queryable,
  rows: readonly Pick<Row, 'id'>[],
  now: Date,
): Promise<void> {
  const { id, watchedAt } = everyRow
  const isTheirs = inArray(
    id,
    rows.map((row) => row.id),
  )
  const isDue = or(
    isNull(watchedAt),
    lt(watchedAt, new Date(now.getTime() - readyMail.NOTED_EVERY_MS)),
  )
  const free = db
    .select({ id })
    .from(everyRow)
    .where(and(isTheirs, isOpen(everyRow), isDue))
    .for('no key update', { skipLocked: true })
  await db.update(everyRow).set({ watchedAt: now }).where(inArray(id, free))
}

export const ready = {
  kind: 'ready',
  data: z.object({
    userId: z.uuid(),
    /** Those of them that are still there are named in the mail. */
    transcriptionIds: z.array(z.uuid()),
    isBatch: z.boolean(),
  }),
}

/**
 * Called when a job has written its end, in the same transaction. Of a batch it is the last job that
 * tells: two that end at once are let in one after the other, and the second sees what the first did.
 */
export async function tell(
  tx: Tx,
  { queue, now }: { queue: Queue; now: Date },
  { id, userId, batchId, confirmedAt }: Pick<Row, 'id' | 'userId' | 'batchId' | 'confirmedAt'>,
): Promise<void> {
  const isPast = (at: Date | null | undefined, ms: number) =>
    now.getTime() - (at?.getTime() ?? 0) > ms
  if (batchId === null && !isPast(confirmedAt, readyMail.LONG_MS)) return
  const batch = batchId === null ? null : await openBatch(tx, batchId)
  const work = await tx
    .select({
      id: everyRow.id,
      status: everyRow.status,
      watchedAt: everyRow.watchedAt,
    })
    .from(everyRow)
    .where(batch ? eq(everyRow.batchId, batch.id) : eq(everyRow.id, id))
    .orderBy(everyRow.createdAt)
  if (work.some(({ status }) => isWorking(status))) return
  // Whether it is told or was seen: what is tried again of it later is told by itself.
  if (batch) await tx.update(batches).set({ toldAt: now }).where(eq(batches.id, batch.id))

  const tookLong = isPast(batch ? batch.createdAt : confirmedAt, readyMail.LONG_MS)
  const isLookedAt = work.some(({ watchedAt }) => !isPast(watchedAt, readyMail.LOOKED_MS))
  if (!tookLong || isLookedAt) return
  const transcriptionIds = work.filter(({ status }) => status !== 'uploading').map((row) => row.id)
  await addMail(queue, tx, ready, { userId, transcriptionIds, isBatch: batch !== null })
}

/** The batch of a job, locked, while its owner has not been told of its end. */
async function openBatch(tx: Tx, id: string) {
  const [batch] = await tx
    .select()
    .from(batches)
    .where(and(eq(batches.id, id), isNull(batches.toldAt)))
    .for('update')
  return batch ?? null
}

export const readyMails = ({ db, publicUrl }: { db: Db; publicUrl: URL }): MailWriter[] => [
  writerOf(ready, (job) => mailFor(db, job, { publicUrl })),
]

/** Null where nobody wants it, or nothing of what it is about is there any more. */
export async function mailFor(
  db: Queryable,
  { userId, transcriptionIds, isBatch }: z.infer<typeof ready.data>,
  { publicUrl }: { publicUrl: URL },
): Promise<Mail | null> {
  const to = await readyMail.recipient(db, userId)
  if (!to || transcriptionIds.length === 0) return null
  const { deletedAt, createdAt } = everyRow
  const rows = await db
    .select()
    .from(everyRow)
    .where(
      and(
        inArray(everyRow.id, transcriptionIds),
        eq(everyRow.userId, userId),
        isNull(deletedAt),
        // One that was started again since is not over.
        inArray(everyRow.status, ['completed', 'error']),
      ),
    )
    .orderBy(createdAt)
  const [first] = rows
  if (!first) return null
  const words = isBatch && rows.length > 1 ? wordsOfBatch(rows) : wordsOf(first)
  return readyMail.written(to, words, publicUrl)
}

function wordsOf(row: Row): readyMail.Words {
  const name = nameIn(row)
  const path = `/dashboard?t=${row.againOf ?? row.id}`
  const open = { label: 'Open it', path }
  if (row.status === 'error') {
    const before = [`${name} could not be transcribed.`, ...whyOf(row), ...returned([row])]
    return { subject: 'Your file could not be transcribed', before, ...open }
  }
  if (row.againWhat === 'speakers') {
    const before = [`The speakers of ${name} are told apart anew. Every word stayed.`]
    return { subject: 'The speakers are told apart', before, ...open }
  }
  if (row.againWhat === 'text') {
    const before = [`${name} has a new text. The one before is kept for 30 days.`]
    return { subject: 'Your new text is ready', before, ...open }
  }
  const length = formatTime(row.durationMs / 1000)
  const before = [`${name}, ${length} long, is transcribed: its text, summary and speakers.`]
  return { subject: 'Your transcription is ready', before, ...open }
}

function wordsOfBatch(rows: readonly Row[]): readyMail.Words {
  const failed = rows.filter(({ status }) => status === 'error')
  const ready = rows.length - failed.length
  const before = [
    failed.length === 0
      ? `All ${rows.length} files are transcribed.`
      : `${ready} of ${rows.length} files ${ready === 1 ? 'is' : 'are'} transcribed, ${failed.length} could not be.`,
    ...returned(failed),
    ...rows.map((row) =>
      row.status === 'error'
        ? [`Failed: ${nameIn(row)}.`, ...whyOf(row)].join(' ')
        : `Ready: ${nameIn(row)}`,
    ),
  ]
  const subject = `Your ${rows.length} files are done`
  const batchId = rows[0]?.batchId ?? null
  const path = batchId === null ? '/home' : `/home?batch=${batchId}`
  return { subject, before, label: 'See them', path }
}

const whyOf = ({ errorMessage }: Row): string[] => (errorMessage ? [errorMessage] : [])

function returned(failed: readonly Row[]): string[] {
  const credits = failed.reduce((sum, row) => sum + (row.creditsReturned ?? 0), 0)
  if (credits === 0) return []
  return [`${formatCredits(credits)} ${credits === 1 ? 'is' : 'are'} back on your balance.`]
}

const LONGEST_NAME = 80

/** As its owner called it; a very long one is cut. */
const nameIn = ({ originalName: name }: Row): string =>
  `“${name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name}”`

/** Our pages say when they are out of sight. */
export const isInSight = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['x-page'] !== 'hidden'
