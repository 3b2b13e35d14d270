/**
 * Recordings: what arrives, is measured, priced, played, and kept for 30 days. What this room promises:
 *
 * - A recording whose upload was acknowledged is on disk and in the database, or neither.
 * - What is refused or broken off on the way leaves nothing behind.
 * - Recordings are deleted after 30 days, uploads that nobody confirmed after an hour, by the
 *   database's clock; they lie in the bin for a day. The text of a transcription stays.
 * - A user sees their own only: "not yours" and "not there" are the same answer.
 *
 * A recording and the transcription that is made of it are one row. This room creates the row and
 * writes what it knows of the file. CONTRIBUTING says who writes what else of it.
 *
 * Public: bin.ts, engines.ts, kept-files.ts, measure.ts, media.ts, options.ts, retention.ts, same.ts, tables.ts, uploads-in-parts.ts, uploads.ts, workers.ts
 */
import { and, eq, isNotNull, sql } from 'drizzle-orm'

import * as activity from '#features/account/activity.ts'
import { type Owned, everyRow, isOpen, lockOwned, runRows, writeRow } from '#features/row/row.ts'
import type { Db, Queryable } from '#server/db.ts'
import type { Storage } from '#server/storage.ts'
import { RETENTION_DAYS } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import * as bin from './bin.ts'

export interface Deps {
  db: Db
  storage: Storage
  clock: Clock
}

/**
 * Deletes the recording of a finished transcription before its time; text and summary stay. A
 * recording that is deleted already stays deleted.
 *
 * @throws Refusal `not_found`, `still_processing`
 */
export async function deleteRecording({ db, storage, clock }: Deps, owned: Owned): Promise<void> {
  const keys = await db.transaction(async (tx) => {
    const row = await lockOwned(tx, owned)
    if (!row.finishedAt) throw new Refusal('still_processing')
    const binned = await bin.emptyOf(tx, { transcriptionIds: [row.id] })
    if (!row.storageKey) {
      // What is hidden in it is being taken out of its sound: that ends here.
      if (binned.length > 0 && row.recordingDeletedAt === null)
        await writeRow(tx, row.id, { recordingDeletedAt: clock() })
      return binned
    }
    if (await isBeingRewritten(tx, row.id)) throw new Refusal('still_processing')
    await writeRow(tx, row.id, { storageKey: null, recordingDeletedAt: clock() })
    await activity.note(tx, {
      userId: row.userId,
      kind: 'recording_deleted',
      now: clock(),
    })
    return [...new Set([row.storageKey, ...binned])]
  })
  // After the row: a file without a row is swept away, a row without its file would be a lie.
  for (const key of keys) await storage.remove(key)
}

/** Whether it is worked on again. Its row is to be locked, so that nothing begins meanwhile. */
export async function isBeingRewritten(db: Queryable, id: string): Promise<boolean> {
  return (await db.$count(runRows, and(eq(runRows.againOf, id), isOpen(runRows)))) > 0
}

/** How much the stored recordings weigh together. */
export async function storedBytes(db: Queryable): Promise<number> {
  const [found] = await db
    .select({ bytes: sql<number>`coalesce(sum(${everyRow.sizeBytes}), 0)::float8` })
    .from(everyRow)
    .where(isNotNull(everyRow.storageKey))
  return found?.bytes ?? 0
}

const LATELY_MS = 60_000

/**
 * The same for those who ask often, as every process's metrics are: it reads of each recording that
 * there is, so that it is added up once a minute at most.
 */
export function storedBytesLately({ db, clock }: { db: Queryable; clock: Clock }) {
  let found: { at: number; bytes: Promise<number> } | undefined
  return (): Promise<number> => {
    const now = clock().getTime()
    if (found && now - found.at < LATELY_MS) return found.bytes
    const bytes = storedBytes(db)
    found = { at: now, bytes }
    bytes.catch(() => (found = undefined))
    return bytes
  }
}

/** Whether any recording is stored. */
export const hasRecordings = async (db: Queryable): Promise<boolean> =>
  (await db.$count(everyRow, isNotNull(everyRow.storageKey))) > 0

const RETENTION_MS = RETENTION_DAYS * 24 * 60 * 60 * 1000

export function keptUntil(uploadedAt: Date): Date {
  return new Date(uploadedAt.getTime() + RETENTION_MS)
}

/** Recordings uploaded before this moment have had their time. */
export function uploadedBefore(now: Date): Date {
  return new Date(now.getTime() - RETENTION_MS)
}
