/** The recordings of a user who takes everything along. */
import { and, asc, count, eq, isNotNull, sql } from 'drizzle-orm'

import { shownRows } from '#features/row/row.ts'
import type { Db } from '#server/db.ts'
import type { Exporter } from '#server/personal-data.ts'
import type { Storage } from '#server/storage.ts'
import { downloadName } from '#shared/file-names.ts'

import { savedName } from './media.ts'

export function exportRecordings({ db, storage }: { db: Db; storage: Storage }): Exporter {
  return {
    name: 'recordings',
    async sizeFor(userId) {
      const [found] = await db
        .select({
          files: count(),
          sizeBytes: sql<string>`coalesce(sum(${shownRows.sizeBytes}), 0)`,
        })
        .from(shownRows)
        .where(hasRecordingOf(userId))
      return { files: found?.files ?? 0, sizeBytes: Number(found?.sizeBytes ?? 0) }
    },
    async *exportFor(userId) {
      const rows = await db
        .select({
          originalName: shownRows.originalName,
          mediaType: shownRows.mediaType,
          storageKey: shownRows.storageKey,
          createdAt: shownRows.createdAt,
        })
        .from(shownRows)
        .where(hasRecordingOf(userId))
        .orderBy(asc(shownRows.createdAt))
      for (const { storageKey, createdAt, ...row } of rows)
        if (storageKey)
          yield {
            path: `recordings/${downloadName(savedName(row))}`,
            content: () => storage.read(storageKey),
            modifiedAt: createdAt,
          }
    },
  }
}

const hasRecordingOf = (userId: string) =>
  and(eq(shownRows.userId, userId), isNotNull(shownRows.storageKey))
