/**
 * Writes the sound of a recording as others hear it. It is one file for all that is hidden for them, and
 * is looked at again when the text has changed: there may be new places in it.
 */
import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'

import { timesOf } from '#features/cuts/cuts.ts'
import { everyRow, veils } from '#features/row/row.ts'
import { noFile } from '#features/row/veil.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import type { Db } from '#server/db.ts'
import { tellingSeldom } from '#server/jobs.ts'
import type { Log } from '#server/log.ts'
import type { JobFacts } from '#server/queue.ts'
import { NotStored, type Storage } from '#server/storage.ts'
import { runAlone } from '#server/threads.ts'

import { coverInThread, task } from './in-thread.ts'
import { writeAnew } from './written-anew.ts'

interface Deps {
  db: Db
  storage: Storage
  log: Log
  databaseUrl: string
}

const MEMORY_MB = 1_024

/** Of one order: what is asked for later is another one. */
const isAsked = ({ transcriptionId, asked }: { transcriptionId: string; asked: string }) =>
  and(
    eq(veils.transcriptionId, transcriptionId),
    eq(veils.asked, asked),
    eq(veils.status, 'making'),
  )

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function make(
  deps: Deps,
  id: string,
  { isLastAttempt, signal }: { isLastAttempt: boolean; signal: AbortSignal },
): Promise<JobFacts | void> {
  const { db, storage, log, databaseUrl } = deps
  const [found] = await db
    .select({
      transcriptionId: veils.transcriptionId,
      asked: veils.asked,
      muteWith: veils.muteWith,
      sourceKey: everyRow.storageKey,
      durationMs: everyRow.durationMs,
    })
    .from(veils)
    .innerJoin(everyRow, eq(everyRow.id, veils.transcriptionId))
    .where(and(eq(veils.transcriptionId, id), eq(veils.status, 'making')))
  // Made by an earlier delivery, or put back. Without its recording it waits for that.
  if (!found?.sourceKey) return
  const { sourceKey, durationMs, muteWith } = found
  const facts = { engine: 'ffmpeg', audioMs: durationMs }
  const onProgress = tellingSeldom((progress) =>
    db.update(veils).set({ progress }).where(isAsked(found)),
  )
  try {
    const how = { signal, databaseUrl, memoryMb: MEMORY_MB }
    const now = await runAlone(task('mutedNow'), { id }, how)
    if (!now) return
    const stretches = now.ranges
    const order = { sourceKey, stretches, muteWith, durationMs, signal, onProgress }
    const { key, sizeBytes, mediaType } = await writeAnew(storage, order)
    const old = await taken(db, found, {
      status: 'made',
      progress: 100,
      storageKey: key,
      sizeBytes,
      mediaType,
      times: timesOf(stretches),
      textRevision: now.revision,
    })
    // Something else is asked for meanwhile: that has a job of its own.
    if (!old) await storage.remove(key)
    else if (old.key !== null) await storage.remove(old.key)
    return { outcome: old ? 'written for others' : 'asked anew', ...facts }
  } catch (error) {
    if (signal.aborted || isNoFaultOfJob(error)) throw error
    if (!isLastAttempt && !(error instanceof NotStored)) throw error
    log.error({ err: error, transcriptionId: id }, 'others do not hear a recording any more')
    await stop(deps, found)
    return { outcome: 'not written', ...facts }
  }
}

/** Stores how it ended, and answers the file from before; null where something else is asked for. */
async function taken(
  db: Db,
  asked: { transcriptionId: string; asked: string; sourceKey: string | null },
  values: Partial<typeof veils.$inferInsert>,
): Promise<{ key: string | null } | null> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({ storageKey: everyRow.storageKey })
      .from(everyRow)
      .where(eq(everyRow.id, asked.transcriptionId))
      .for('update')
    const [before] = await tx
      .select({ key: veils.storageKey })
      .from(veils)
      .where(isAsked(asked))
      .for('update')
    if (!before || row?.storageKey !== asked.sourceKey) return null
    await tx.update(veils).set(values).where(isAsked(asked))
    return before
  })
}

/** Others hear nothing. The recording stays, and so does what is hidden. */
async function stop({ db, storage }: Deps, asked: Parameters<typeof taken>[1]): Promise<void> {
  const old = await taken(db, asked, { ...noFile, status: 'gone', progress: 100 })
  if (old && old.key !== null) await storage.remove(old.key)
}

/** Of a job whose workers died each time. */
export async function giveUp(deps: Deps, id: string): Promise<void> {
  const [found] = await deps.db
    .select({
      transcriptionId: veils.transcriptionId,
      asked: veils.asked,
      sourceKey: everyRow.storageKey,
    })
    .from(veils)
    .innerJoin(everyRow, eq(everyRow.id, veils.transcriptionId))
    .where(eq(veils.transcriptionId, id))
  if (found) await stop(deps, found)
}

/** What is to be written, of recordings that are there. */
export const toMake = (db: Db) =>
  db
    .select({ veilOf: veils.transcriptionId })
    .from(veils)
    .innerJoin(everyRow, eq(everyRow.id, veils.transcriptionId))
    .where(and(eq(veils.status, 'making'), isNotNull(everyRow.storageKey)))

/**
 * Looks at the sounds of texts that have changed, and takes away those of recordings that are gone: an
 * operator may take one back, and then its sound is written anew.
 */
export async function lookAgain({ db, storage, log, databaseUrl }: Deps): Promise<void> {
  const changed = await db
    .select({ id: veils.transcriptionId, userId: veils.userId })
    .from(veils)
    .innerJoin(everyRow, eq(everyRow.id, veils.transcriptionId))
    .where(and(isNotNull(veils.storageKey), ne(veils.textRevision, everyRow.revision)))
  const cover = coverInThread({ url: databaseUrl })
  for (const each of changed) await cover(each)
  const over = await db
    .select({ id: veils.transcriptionId, key: veils.storageKey })
    .from(veils)
    .innerJoin(everyRow, eq(everyRow.id, veils.transcriptionId))
    .where(and(isNotNull(veils.storageKey), isNull(everyRow.storageKey)))
  for (const { id, key } of over) {
    if (key === null) continue
    await db
      .update(veils)
      .set({ asked: sql`gen_random_uuid()`, status: 'making', ...noFile })
      .where(and(eq(veils.transcriptionId, id), eq(veils.storageKey, key)))
    await storage.remove(key)
    log.info({ transcriptionId: id }, 'the sound for others is removed with its recording')
  }
}
