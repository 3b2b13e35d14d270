/**
 * What nobody asks for but everybody expects: uploads that were never confirmed are removed,
 * recordings are deleted when their time is over, and so is every file that no row names; what
 * waits for a job that is not there any more ends. Safe to run at any time, in any number of
 * processes.
 */
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'

import { and, eq, inArray, isNotNull, lt, notInArray } from 'drizzle-orm'

import * as documents from '#features/documents/documents.ts'
import { UNCONFIRMED_MINUTES, UNDELETE_MINUTES } from '#shared/business.ts'

import { inParts } from './parts.ts'
import { uploadedBefore } from './results.ts'
import { JobData, type RunDeps, giveUp } from './run.ts'
import { transcriptions } from './tables.ts'

/** Younger files may belong to an upload that is still being measured. */
const ORPHAN_AGE_MS = 60 * 60 * 1000

type SweepDeps = Omit<RunDeps, 'engine'>

export async function sweep(deps: SweepDeps): Promise<void> {
  await endForgotten(deps)
  await removeUnconfirmed(deps)
  await removeDeleted(deps)
  await removeOldRecordings(deps)
  await removeOrphans(deps)
  await removeLeftWork(deps)
}

/**
 * A job can only vanish with rows of the queue: removed by hand, or by a restored backup. Rows are
 * read before jobs: what is confirmed in between is not among them, and what ends in between is
 * left alone by `giveUp`.
 */
async function endForgotten(deps: SweepDeps): Promise<void> {
  const { db, queue } = deps
  const rows = await db
    .select({ transcriptionId: transcriptions.id, attempt: transcriptions.attempt })
    .from(transcriptions)
    .where(notInArray(transcriptions.status, ['uploading', 'completed', 'error']))
  if (rows.length === 0) return

  const jobs = await queue.unfinished(db, ['transcribe', 'transcribe-dead'])
  const nameOf = ({ transcriptionId, attempt }: JobData) => `${transcriptionId}:${attempt}`
  const known = new Set(jobs.map((job) => nameOf(JobData.parse(job))))
  for (const row of rows.filter((row) => !known.has(nameOf(row))))
    await giveUp(deps, row, 'its job is not in the queue')
}

async function removeUnconfirmed({ db, storage, clock, log }: SweepDeps): Promise<void> {
  const expired = new Date(clock().getTime() - UNCONFIRMED_MINUTES * 60_000)
  const removed = await db
    .delete(transcriptions)
    .where(and(eq(transcriptions.status, 'uploading'), lt(transcriptions.createdAt, expired)))
    .returning({ id: transcriptions.id, storageKey: transcriptions.storageKey })
  for (const { id, storageKey } of removed) {
    if (storageKey) await storage.remove(storageKey)
    log.info({ transcriptionId: id }, 'upload was never confirmed and is removed')
  }
}

/** What its owner deleted and did not bring back while they could. */
async function removeDeleted({ db, storage, clock, log }: SweepDeps): Promise<void> {
  const expired = new Date(clock().getTime() - UNDELETE_MINUTES * 60_000)
  const removed = await db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: transcriptions.id })
      .from(transcriptions)
      .where(lt(transcriptions.deletedAt, expired))
      .for('update')
    const ids = rows.map(({ id }) => id)
    await documents.removeOf(tx, ids)
    return tx
      .delete(transcriptions)
      .where(inArray(transcriptions.id, ids))
      .returning({ id: transcriptions.id, storageKey: transcriptions.storageKey })
  })
  for (const { id, storageKey } of removed) {
    if (storageKey) await storage.remove(storageKey)
    log.info({ transcriptionId: id }, 'a deleted transcription is removed')
  }
}

/** The text stays. A job that is still running keeps its recording until it has ended. */
async function removeOldRecordings({ db, storage, clock, log }: SweepDeps): Promise<void> {
  const now = clock()
  const expired = await db
    .select({ id: transcriptions.id, storageKey: transcriptions.storageKey })
    .from(transcriptions)
    .where(
      and(
        isNotNull(transcriptions.storageKey),
        isNotNull(transcriptions.finishedAt),
        lt(transcriptions.createdAt, uploadedBefore(now)),
      ),
    )
  for (const { id, storageKey } of expired) {
    // Tried again meanwhile: then it has a job, and is deleted when that has ended.
    const [deleted] = await db
      .update(transcriptions)
      .set({ storageKey: null, recordingDeletedAt: now })
      .where(and(eq(transcriptions.id, id), isNotNull(transcriptions.finishedAt)))
      .returning({ id: transcriptions.id })
    if (!deleted || !storageKey) continue
    await storage.remove(storageKey)
    log.info({ transcriptionId: id }, 'a recording is deleted, its time was over')
  }
}

async function removeOrphans({ db, storage, clock, log }: SweepDeps): Promise<void> {
  const old: string[] = []
  for await (const file of storage.list())
    if (clock().getTime() - file.modifiedAt.getTime() > ORPHAN_AGE_MS) old.push(file.key)
  if (old.length === 0) return

  for (const part of inParts(old, 1_000)) {
    const known = await db
      .select({ key: transcriptions.storageKey })
      .from(transcriptions)
      .where(inArray(transcriptions.storageKey, part))
    const named = new Set(known.map(({ key }) => key))
    for (const key of part.filter((each) => !named.has(each))) {
      await storage.remove(key)
      log.warn({ key }, 'a file that belonged to nothing is removed')
    }
  }
}

/** Work folders of jobs that ended while their worker could not clean up. */
async function removeLeftWork({ db, workRoot }: SweepDeps): Promise<void> {
  const folders = await readdir(workRoot).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const uuid = /^[0-9a-f-]{36}$/
  const ids = folders.filter((name) => uuid.test(name))
  if (ids.length === 0) return
  const running = await db
    .select({ id: transcriptions.id })
    .from(transcriptions)
    .where(
      and(
        inArray(transcriptions.id, ids),
        notInArray(transcriptions.status, ['completed', 'error', 'uploading']),
      ),
    )
  const kept = new Set(running.map(({ id }) => id))
  for (const id of ids.filter((id) => !kept.has(id)))
    await rm(path.join(workRoot, id), { recursive: true, force: true })
}
