/**
 * Tells an owner by mail that a file without cuts is there, or could not be made, where that took long
 * and nobody looks at it. It is queued in the transaction in which the work ends.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'

import * as readyMail from '#features/account/ready-mail.ts'
import { renders, shownRows } from '#features/row/row.ts'
import type { Db, Queryable, Tx } from '#server/db.ts'
import { type MailWriter, addMail, writerOf } from '#server/mail-jobs.ts'
import type { Mail } from '#server/mail.ts'
import type { Queue } from '#server/queue.ts'

export const renderReady = {
  kind: 'render-ready',
  data: z.object({ renderId: z.uuid() }),
}

/** Called when a file has come to its end, in the same transaction. */
export async function tell(
  tx: Tx,
  { queue, now }: { queue: Queue; now: Date },
  { id, createdAt, watchedAt }: Pick<typeof renders.$inferSelect, 'id' | 'createdAt' | 'watchedAt'>,
): Promise<void> {
  const ageMs = (at: Date) => now.getTime() - at.getTime()
  if (ageMs(createdAt) < readyMail.LONG_MS) return
  if (watchedAt && ageMs(watchedAt) < readyMail.LOOKED_MS) return
  await addMail(queue, tx, renderReady, { renderId: id })
}

export const renderMails = ({ db, publicUrl }: { db: Db; publicUrl: URL }): MailWriter[] => [
  writerOf(renderReady, (job) => mailFor(db, job, { publicUrl })),
]

/** Null where nobody wants it, or the file is gone. */
export async function mailFor(
  db: Queryable,
  { renderId }: z.infer<typeof renderReady.data>,
  { publicUrl }: { publicUrl: URL },
): Promise<Mail | null> {
  const [found] = await db
    .select({
      userId: renders.userId,
      status: renders.status,
      problem: renders.problem,
      clip: renders.clip,
      id: shownRows.id,
      name: shownRows.originalName,
    })
    .from(renders)
    .innerJoin(shownRows, eq(shownRows.id, renders.transcriptionId))
    .where(and(eq(renders.id, renderId), inArray(renders.status, ['made', 'failed'])))
  const to = found && (await readyMail.recipient(db, found.userId))
  if (!to) return null
  const { name, problem, clip } = found
  const file = clip ? 'clip' : 'cut file'
  const open = { label: 'Open it', path: `/dashboard?t=${found.id}` }
  if (found.status === 'failed') {
    const why = problem ?? 'Something went wrong on our side. Try again.'
    const before = [`The ${file} of “${name}” could not be made. ${why}`, 'Nothing was charged.']
    return readyMail.written(
      to,
      { subject: `Your ${file} could not be made`, before, ...open },
      publicUrl,
    )
  }
  const what = clip ? `A clip of “${name}” is there.` : `“${name}” is there without its cuts.`
  const before = [`${what} The file is kept for seven days at most.`]
  return readyMail.written(to, { subject: `Your ${file} is ready`, before, ...open }, publicUrl)
}
