/** The recordings of a user who takes everything along. */
import { and, asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'

import { transcriptions } from '#features/row/tables.ts'
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
          sizeBytes: sql<string>`coalesce(sum(${transcriptions.sizeBytes}), 0)`,
        })
        .from(transcriptions)
        .where(hasRecordingOf(userId))
      return { files: found?.files ?? 0, sizeBytes: Number(found?.sizeBytes ?? 0) }
    },
    async *exportFor(userId) {
      const rows = await db
        .select({
          originalName: transcriptions.originalName,
          mediaType: transcriptions.mediaType,
          storageKey: transcriptions.storageKey,
          createdAt: transcriptions.createdAt,
        })
        .from(transcriptions)
        .where(hasRecordingOf(userId))
        .orderBy(asc(transcriptions.createdAt))
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
  and(
    eq(transcriptions.userId, userId),
    isNull(transcriptions.deletedAt),
    isNotNull(transcriptions.storageKey),
  )
