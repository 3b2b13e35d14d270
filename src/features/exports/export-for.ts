/** All texts of a user as files, for the copy of everything that an account keeps. */
import { and, asc, count, eq, sql } from 'drizzle-orm'

import { textRows } from '#features/row/row.ts'
import type { UserThreads } from '#features/text/user-threads.ts'
import { readableOf, translatedSize } from '#features/translations/translations.ts'
import type { Db } from '#server/db.ts'
import type { Exporter } from '#server/personal-data.ts'
import { exportFileName } from '#shared/file-names.ts'

import { type ExportFormat, ExportQuery } from './contract.ts'
import { task } from './in-thread.ts'

const formats: readonly ExportFormat[] = ['json', 'txt', 'srt']

export function exportTranscripts({
  db,
  userThreads,
}: {
  db: Db
  userThreads: UserThreads
}): Exporter {
  return {
    name: 'transcriptions',
    async sizeFor(userId) {
      const [found] = await db
        .select({
          finished: count(),
          sizeBytes: sql<string>`coalesce(sum(octet_length(transcription_text)), 0)`,
        })
        .from(textRows)
        .where(isFinishedOf(userId))
      const { finished = 0, sizeBytes = '0' } = found ?? {}
      // About as long as what was said, and counted by the order: this asks for the size alone.
      const translated = await translatedSize(db, userId)
      const files = finished + translated.languages
      const bytes = Number(sizeBytes) + translated.sizeBytes
      return { files: files * formats.length, sizeBytes: bytes * formats.length }
    },
    async *exportFor(userId) {
      const rows = await db
        .select({
          id: textRows.id,
          originalName: textRows.originalName,
          createdAt: textRows.createdAt,
          againOf: textRows.againOf,
        })
        .from(textRows)
        .where(isFinishedOf(userId))
        .orderBy(asc(textRows.createdAt))
      const translated = await readableOf(
        db,
        rows.map(({ id }) => id),
      )
      for (const { id, originalName, createdAt: modifiedAt, againOf } of rows)
        for (const language of [undefined, ...(translated.get(id) ?? [])])
          for (const format of formats) {
            const wanted = ExportQuery.parse({ format, summary: 'true', language, cuts: 'ignored' })
            const asked = { userId, id, isWhole: true, ...wanted }
            const { name, content } = await userThreads
              .archive(task('exportFile'), asked)
              // The others go on: whoever adds this one hears of it.
              .catch((error: unknown) => ({
                name: exportFileName(originalName, format),
                content: () => Promise.reject(error),
              }))
            const folder = `transcriptions/${againOf ? 'earlier/' : ''}`
            yield { path: `${folder}${name}`, content, modifiedAt }
          }
    },
  }
}

const isFinishedOf = (userId: string) =>
  and(eq(textRows.userId, userId), eq(textRows.status, 'completed'))
