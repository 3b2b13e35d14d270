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
import { type Pace, keepPace, takeTurn } from '#server/file-marks.ts'
import type { Stored } from '#server/storage.ts'
import { UNCONFIRMED_MINUTES, UNDELETE_MINUTES } from '#shared/business.ts'

import { uploadedBefore } from './results.ts'
import { JobData, type RunDeps, giveUp } from './run.ts'
import { transcriptions } from './tables.ts'

/** Younger files may belong to an upload that is still being measured. */
const ORPHAN_AGE_MS = 60 * 60 * 1000

/** Of a thousand files each; a hundred thousand are gone through in fifty sweeps. */
const PAGES_A_SWEEP = 2

type SweepDeps = Omit<RunDeps, 'engine'>

/** How far a process has come on its way through all files; it goes on there the next time. */
export interface Round {
  pages?: AsyncIterator<Stored[]> | undefined
  /** How files and database stood to each other the last time. */
  pace?: Pace
}

/** What each process does for its own disk, and one of them each minute for all. */
export async function sweepInTurn(deps: SweepDeps, round: Round): Promise<void> {
  await removeLeftWork(deps)
  if (await takeTurn(deps.db)) await sweep(deps, round)
}

export async function sweep(deps: SweepDeps, round: Round = {}): Promise<void> {
  await endForgotten(deps)
  await removeUnconfirmed(deps)
  await removeDeleted(deps)
  await removeOldRecordings(deps)
  await removeOrphans(deps, round)
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

async function removeOrphans(deps: SweepDeps, round: Round): Promise<void> {
  const { db, storage, clock, log } = deps
  const pace = await keepPace(db, storage, clock())
  if (pace !== 'abreast' && pace !== round.pace) log.error(whyKept[pace])
  round.pace = pace
  if (pace !== 'abreast') return
  for (let count = 0; count < PAGES_A_SWEEP; count++) {
    round.pages ??= storage.list()[Symbol.asyncIterator]()
    const { pages } = round
    // Only what was read to its end without trouble is gone on with.
    round.pages = undefined
    const next = await pages.next()
    if (next.done) return
    round.pages = pages
    await removeUnknown(deps, next.value)
  }
}

/** Said once by each process that sees it. */
const whyKept: Record<Exclude<Pace, 'abreast'>, string> = {
  newer:
    'The recordings are newer than the database: it was restored from a backup. Recordings that it does not know are kept until you decide. ' +
    'Restore a newer backup, or have them removed: keep only the first line of files/.installation and delete the rest.',
  unmarked:
    'files/.installation is gone, or names another database. No leftovers are removed until that is mended. ' +
    'Restore that file, or start the server again: it says what to do.',
}

async function removeUnknown(
  { db, storage, clock, log }: SweepDeps,
  page: readonly Stored[],
): Promise<void> {
  const now = clock().getTime()
  const old = page.filter(({ modifiedAt }) => now - modifiedAt.getTime() > ORPHAN_AGE_MS)
  const keys = old.map(({ key }) => key)
  const known = await db
    .select({ key: transcriptions.storageKey })
    .from(transcriptions)
    .where(inArray(transcriptions.storageKey, keys))
  const named = new Set(known.map(({ key }) => key))
  for (const key of keys.filter((each) => !named.has(each))) {
    await storage.remove(key)
    log.warn({ key }, 'a file that belonged to nothing is removed')
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
