/**
 * Many transcriptions as one archive, in the order they were made. What this promises:
 *
 * - Each file is written in a thread, one after the other, and sent while the next is written.
 * - A transcription that cannot be in it is named in `left-out.txt`, with the reason, and stops no other.
 * - "Not yours" and "not there" are the same answer.
 */
import type { Readable } from 'node:stream'

import { and, asc, eq, inArray, sql } from 'drizzle-orm'

import { shownRows } from '#features/row/row.ts'
import { veilOf } from '#features/row/veil.ts'
import type { UserThreads } from '#features/text/user-threads.ts'
import type { Db } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { zipped } from '#server/zip.ts'
import type { Clock } from '#shared/clock.ts'
import { hideInName } from '#shared/hidden-words.ts'
import { Refusal, refusals } from '#shared/refusals.ts'

import { type ExportOptions, honoured } from './contract.ts'
import { filmStartOf } from './frames.ts'
import { task } from './in-thread.ts'

interface Deps {
  db: Db
  userThreads: Pick<UserThreads, 'archive'>
  clock: Clock
  log: Log
}

/** Several hundred hours of speech. Files with the times of all words are thirty times as large. */
const MOST_TEXT_BYTES = 32 * 1024 * 1024
const LEFT_OUT = 'left-out.txt'

/** The archive as a stream. @throws Refusal `no_such_timecode`, `not_found`, `not_finished`, `archive_too_large` */
export async function archiveOf(
  { db, userThreads, clock, log }: Deps,
  { userId, ids, ...options }: ExportOptions & { userId: string; ids: readonly string[] },
): Promise<Readable> {
  filmStartOf(honoured(options))
  const asked = [...new Set(ids)]
  const rows = await db
    .select({
      id: shownRows.id,
      name: shownRows.originalName,
      status: shownRows.status,
      language: shownRows.language,
      createdAt: shownRows.createdAt,
      textBytes: sql<number>`coalesce(octet_length(${shownRows.transcriptionText}), 0)::int`,
    })
    .from(shownRows)
    .where(and(eq(shownRows.userId, userId), inArray(shownRows.id, asked)))
    .orderBy(asc(shownRows.createdAt), asc(shownRows.id))
  const finished = rows.filter(({ status }) => status === 'completed')
  if (rows.length === 0) throw new Refusal('not_found')
  if (finished.length === 0) throw new Refusal('not_finished')
  const size = finished.reduce((sum, { textBytes }) => sum + textBytes, 0)
  if (size > MOST_TEXT_BYTES) throw new Refusal('archive_too_large')

  const gone = asked.length - rows.length
  const leftOut = [
    ...rows
      .filter(({ status }) => status !== 'completed')
      .map(({ name, status }) => `${name}: ${unfinished(status)}`),
    ...(gone === 0 ? [] : [`${gone} of what was chosen: deleted, or never there.`]),
  ]
  return zipped({ log }, async ({ add, isOver }) => {
    for (const { id, name, language, createdAt: modifiedAt } of finished) {
      if (isOver()) return
      try {
        const file = await userThreads.archive(task('exportFile'), { userId, id, ...options })
        await add({ path: file.name, content: file.content, modifiedAt })
      } catch (error) {
        const veil = await veilOf(db, { id, userId, language, againOf: null })
        const shown = veil ? hideInName(name, veil) : name
        leftOut.push(`${shown}: ${reasonOf(error)}`)
        if (error instanceof Refusal) continue
        log.error(
          { event: 'export_failed', transcriptionId: id, err: error },
          'left out of an archive',
        )
      }
    }
    if (leftOut.length === 0) return
    const content = ['Not in this archive:', '', ...leftOut, ''].join('\r\n')
    await add({ path: LEFT_OUT, content, modifiedAt: clock() })
  })
}

const unfinished = (status: string): string =>
  status === 'error' ? 'it failed.' : 'it is not finished yet.'

const reasonOf = (error: unknown): string =>
  error instanceof Refusal
    ? refusals[error.code][1]
    : 'it could not be written, because something broke on our side.'
