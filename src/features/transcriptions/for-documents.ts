/** What this room tells the one of documents: whose a transcription is, and what was said. */
import { asc, eq, isNotNull } from 'drizzle-orm'

import { type Recordings, hashOf } from '#features/documents/documents.ts'
import { turnColumns } from '#features/editor/turn-view.ts'
import type { Database, Db, Queryable } from '#server/db.ts'
import { runAlone } from '#server/threads.ts'
import { Refusal } from '#shared/refusals.ts'

import { task } from './heavy.ts'
import { labelOf } from './results.ts'
import { namesOf } from './speakers.ts'
import { transcriptions, turns } from './tables.ts'
import { isThere } from './transcriptions.ts'

/** Whether any recording is stored. */
export async function hasRecordings(db: Queryable): Promise<boolean> {
  const [found] = await db
    .select({ id: transcriptions.id })
    .from(transcriptions)
    .where(isNotNull(transcriptions.storageKey))
    .limit(1)
  return found !== undefined
}

const READ_MEMORY_MB = 512

/** For jobs, which may share their event loop with pages: what was said is read and hashed in a thread. */
export const recordingsInThread = ({ db, url }: Pick<Database, 'db' | 'url'>): Recordings => ({
  ...recordings(db),
  read: (owned, signal) =>
    runAlone(task('said'), owned, { signal, databaseUrl: url, memoryMb: READ_MEMORY_MB }),
})

export function recordings(db: Db): Recordings {
  return {
    async check(owned) {
      const [row] = await db
        .select({ status: transcriptions.status })
        .from(transcriptions)
        .where(isThere(owned))
      if (!row) throw new Refusal('not_found')
      return { isFinished: row.status === 'completed' }
    },
    async read(owned) {
      const [row] = await db.select().from(transcriptions).where(isThere(owned))
      if (!row) throw new Refusal('not_found')
      if (row.status !== 'completed') throw new Refusal('not_finished')
      const said = await db
        .select(turnColumns)
        .from(turns)
        .where(eq(turns.transcriptionId, row.id))
        .orderBy(asc(turns.position))
      const names = namesOf(row)
      const spoken = said
        .filter(({ text }) => text.trim() !== '')
        .map(({ speaker, startMs, endMs, text, words, isEdited }) => ({
          speaker: labelOf(speaker, names),
          startMs,
          endMs,
          text,
          // The engine's words and the text part ways once somebody has corrected it.
          ...(isEdited ? {} : { words }),
        }))
      return {
        name: row.originalName,
        language: row.language,
        requestedLanguage: row.summaryLanguage,
        recordedAt: row.createdAt,
        durationMs: row.durationMs,
        turns: spoken,
        hash: hashOf({ turns: spoken }),
      }
    },
  }
}
