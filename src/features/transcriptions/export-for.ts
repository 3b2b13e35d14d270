/** A copy of what this room keeps about a user: the texts as files, and the recordings. */
import { and, asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Exporter } from '#server/personal-data.ts'
import type { Storage } from '#server/storage.ts'
import { downloadName } from '#shared/file-names.ts'

import type { ExportFormat } from './contract.ts'
import { type Heavy, task } from './heavy.ts'
import { transcriptions } from './tables.ts'

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
        .select({ id: transcriptions.id, createdAt: transcriptions.createdAt })
        .from(transcriptions)
        .where(isFinishedOf(userId))
        .orderBy(asc(transcriptions.createdAt))
      for (const { id, createdAt: modifiedAt } of rows)
        for (const format of formats) {
          const everything = { speakers: true, timestamps: true, doubt: true, summary: true }
          const asked = { userId, id, format, ...everything }
          const { name, content } = await heavy.archive(task('exportFile'), asked)
          yield { path: `transcriptions/${name}`, content, modifiedAt }
        }
    },
  }
}

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
          name: transcriptions.originalName,
          storageKey: transcriptions.storageKey,
          createdAt: transcriptions.createdAt,
        })
        .from(transcriptions)
        .where(hasRecordingOf(userId))
        .orderBy(asc(transcriptions.createdAt))
      for (const { name, storageKey, createdAt } of rows)
        if (storageKey)
          yield {
            path: `recordings/${downloadName(name)}`,
            content: () => storage.read(storageKey),
            modifiedAt: createdAt,
          }
    },
  }
}

const isKeptFor = (userId: string) =>
  and(eq(transcriptions.userId, userId), isNull(transcriptions.deletedAt))

const isFinishedOf = (userId: string) =>
  and(isKeptFor(userId), eq(transcriptions.status, 'completed'))

const hasRecordingOf = (userId: string) =>
  and(isKeptFor(userId), isNotNull(transcriptions.storageKey))
