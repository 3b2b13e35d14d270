/** All texts of a user as files, for the copy of everything that an account keeps. */
import { and, asc, count, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'

import type { Heavy } from '#features/text/heavy.ts'
import { transcriptions } from '#features/transcriptions/tables.ts'
import type { Db } from '#server/db.ts'
import type { Exporter } from '#server/personal-data.ts'

import { type ExportFormat, ExportQuery } from './contract.ts'
import { task } from './heavy.ts'

const formats: readonly ExportFormat[] = ['json', 'txt', 'srt']

export function exportTranscripts({ db, heavy }: { db: Db; heavy: Heavy }): Exporter {
  return {
    name: 'transcriptions',
    async sizeFor(userId) {
      const [found] = await db
        .select({
          finished: count(),
          sizeBytes: sql<string>`coalesce(sum(octet_length(transcription_text)), 0)`,
        })
        .from(transcriptions)
        .where(isFinishedOf(userId))
      const { finished = 0, sizeBytes = '0' } = found ?? {}
      return { files: finished * formats.length, sizeBytes: Number(sizeBytes) * formats.length }
    },
    async *exportFor(userId) {
      const rows = await db
        .select({
          id: transcriptions.id,
          createdAt: transcriptions.createdAt,
          againOf: transcriptions.againOf,
        })
        .from(transcriptions)
        .where(isFinishedOf(userId))
        .orderBy(asc(transcriptions.createdAt))
      for (const { id, createdAt: modifiedAt, againOf } of rows)
        for (const format of formats) {
          const asked = { userId, id, ...ExportQuery.parse({ format, summary: 'true' }) }
          const { name, content } = await heavy.archive(task('exportFile'), asked)
          yield { path: `transcriptions/${againOf ? 'earlier/' : ''}${name}`, content, modifiedAt }
        }
    },
  }
}

const isFinishedOf = (userId: string) =>
  and(
    eq(transcriptions.userId, userId),
    isNull(transcriptions.deletedAt),
    eq(transcriptions.status, 'completed'),
    // An earlier text that is kept is a text too.
    or(isNull(transcriptions.againOf), isNotNull(transcriptions.keptUntil)),
  )
