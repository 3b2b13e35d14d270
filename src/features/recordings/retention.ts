/**
 * What is kept of recordings, and how long: uploads that were never confirmed are removed, recordings
 * are deleted when their time is over, and so is every file that no row names. Safe to run at any
 * time, in any number of processes.
 */
import { and, eq, inArray, isNotNull, lt, not } from 'drizzle-orm'

import { type Pace, keepPace, noteSweptTo, sweptTo } from '#server/file-marks.ts'
import type { Log } from '#server/log.ts'
import type { Stored } from '#server/storage.ts'
import { UNCONFIRMED_MINUTES } from '#shared/business.ts'

import { type Deps, isWorkedOnAgain, uploadedBefore } from './recordings.ts'
import { transcriptions, uploads } from './tables.ts'
import { removeOldUploads } from './uploads-in-parts.ts'

type SweepDeps = Deps & { log: Log }

/** Younger files may belong to an upload that is still being measured. */
const ORPHAN_AGE_MS = 60 * 60 * 1000

/** Of a thousand files each; a hundred thousand are gone through in fifty sweeps. */
const PAGES_A_SWEEP = 2

/** What a process remembers from one sweep to the next. */
export interface Round {
  /** The files after the last one that was looked at. */
  ahead?: { place: string | null; pages: AsyncIterator<Stored[]> } | undefined
  /** How files and database stood to each other the last time. */
  pace?: Pace
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
        not(isWorkedOnAgain(transcriptions.id)),
      ),
    )
  for (const { id, storageKey } of expired) {
    // Tried again meanwhile: then it has a job, and is deleted when that has ended.
    const [deleted] = await db
      .update(transcriptions)
      .set({ storageKey: null, recordingDeletedAt: now })
      .where(
        and(
          eq(transcriptions.id, id),
          isNotNull(transcriptions.finishedAt),
          not(isWorkedOnAgain(transcriptions.id)),
        ),
      )
      .returning({ id: transcriptions.id })
    if (!deleted || !storageKey) continue
    await storage.remove(storageKey)
    log.info({ transcriptionId: id }, 'a recording is deleted, its time was over')
  }
}

/** Whether the database knows what has become of every file. A restored one does not. */
export async function knowsFiles(
  { db, storage, clock, log }: SweepDeps,
  round: Round,
): Promise<boolean> {
  const pace = await keepPace(db, storage, clock())
  if (pace !== 'abreast' && pace !== round.pace) log.error(whyKept[pace])
  round.pace = pace
  return pace === 'abreast'
}

/** Goes on where the last sweep came to, whichever process did that. */
async function removeOrphans(deps: SweepDeps, round: Round): Promise<void> {
  const { db, storage } = deps
  let place = await sweptTo(db)
  const pages =
    round.ahead?.place === place
      ? round.ahead.pages
      : storage.list(place ?? undefined)[Symbol.asyncIterator]()
  // Kept again below: what has failed is not asked again.
  round.ahead = undefined
  for (let count = 0; count < PAGES_A_SWEEP; count++) {
    const next = await pages.next()
    place = next.done ? null : (next.value.at(-1)?.key ?? null)
    // Before any is removed: a file that cannot be does not hold up those after it.
    await noteSweptTo(db, place)
    if (next.done) return
    await removeUnknown(deps, next.value)
  }
  round.ahead = { place, pages }
}

/** Said once by each process that sees it. */
const whyKept: Record<Exclude<Pace, 'abreast'>, string> = {
  newer:
    'The recordings are newer than the database: it was restored from a backup. Recordings that it does not know, or takes for unconfirmed, are kept until you decide. ' +
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
  const coming = await db
    .select({ key: uploads.storageKey })
    .from(uploads)
    .where(inArray(uploads.storageKey, keys))
  const named = new Set([...known, ...coming].map(({ key }) => key))
  for (const key of keys.filter((each) => !named.has(each))) {
    await storage.remove(key)
    log.warn({ key }, 'a file that belonged to nothing is removed')
  }
}

/** Removes what is over. Call it only after `knowsFiles` has said yes: a restored database may be wrong. */
export async function sweep(deps: SweepDeps, round: Round): Promise<void> {
  await removeOldRecordings(deps)
  await removeUnconfirmed(deps)
  await removeOldUploads(deps)
  await removeOrphans(deps, round)
}
