/**
 * Ends what is kept too long: uploads that nobody confirmed, recordings whose time is over, and files
 * that no row names. Each goes to the bin for a day (bin.ts). Safe to run at any time, in any number of
 * processes.
 *
 * Promise: recordings end after 30 days, unconfirmed uploads after an hour, files that no row names
 * too (server/file-marks.ts).
 */
import { and, asc, eq, inArray, isNotNull, lt, not } from 'drizzle-orm'

import { everyRow, isWorkedOnAgain } from '#features/row/row.ts'
import { type Pace, keepPace, noteSweptTo, sweptTo } from '#server/file-marks.ts'
import type { Log } from '#server/log.ts'
import type { Stored } from '#server/storage.ts'
import { UNCONFIRMED_MINUTES } from '#shared/business.ts'

import * as bin from './bin.ts'
import { type Deps, uploadedBefore } from './recordings.ts'
import { namedAmong } from './kept-files.ts'
import { removeOldUploads } from './uploads-in-parts.ts'

type SweepDeps = Deps & { log: Log }

/** Younger files may belong to an upload that is still being measured. */
const ORPHAN_AGE_MS = 60 * 60 * 1000

/** How many pages of a thousand files a sweep reads: a hundred thousand files take fifty sweeps. */
const PAGES_A_SWEEP = 2

/** The state that a process keeps from one sweep to the next. */
export interface Round extends bin.Round {
  /** How files and database stood to each other the last time. */
  pace?: Pace
}

/** The most rows that one transaction locks; the next sweep takes the others. */
const ROWS_A_SWEEP = 500

async function removeUnconfirmed({ db, clock, log }: SweepDeps): Promise<void> {
  const now = clock()
  const expired = new Date(now.getTime() - UNCONFIRMED_MINUTES * 60_000)
  const removed = await db.transaction(async (tx) => {
    const rows = await tx
      .delete(everyRow)
      .where(and(eq(everyRow.status, 'uploading'), lt(everyRow.createdAt, expired)))
      .returning()
    const files = rows.flatMap((row) => {
      const { storageKey, userId, id: transcriptionId, createdAt } = row
      if (storageKey === null) return []
      return { storageKey, kind: 'unconfirmed' as const, userId, transcriptionId, createdAt, row }
    })
    await bin.put(tx, files, now)
    return rows
  })
  for (const { id } of removed)
    log.info({ transcriptionId: id }, 'upload was never confirmed and is removed')
}

/** The text stays. A job that is still running keeps its recording until it has ended. */
async function removeOldRecordings({ db, clock, log }: SweepDeps): Promise<void> {
  const now = clock()
  const isOver = and(
    isNotNull(everyRow.storageKey),
    isNotNull(everyRow.finishedAt),
    lt(everyRow.createdAt, uploadedBefore(now)),
    not(isWorkedOnAgain(everyRow.id)),
    not(bin.isTakenBack),
  )
  const deleted = await db.transaction(async (tx) => {
    // In the order of their ids, as everybody who locks several.
    const old = await tx
      .select({
        id: everyRow.id,
        userId: everyRow.userId,
        storageKey: everyRow.storageKey,
        createdAt: everyRow.createdAt,
      })
      .from(everyRow)
      .where(isOver)
      .orderBy(asc(everyRow.id))
      .limit(ROWS_A_SWEEP)
      .for('update')
    // Tried again meanwhile: then it has a job, and is deleted when that has ended.
    const gone = await tx
      .update(everyRow)
      .set({ storageKey: null, recordingDeletedAt: now })
      .where(
        and(
          inArray(
            everyRow.id,
            old.map(({ id }) => id),
          ),
          isOver,
        ),
      )
      .returning({ id: everyRow.id })
    const ids = new Set(gone.map(({ id }) => id))
    const files = old.flatMap(({ id: transcriptionId, userId, storageKey, createdAt }) =>
      storageKey !== null && ids.has(transcriptionId)
        ? ({ storageKey, kind: 'recording', userId, transcriptionId, createdAt } as const)
        : [],
    )
    await bin.put(tx, files, now)
    return gone
  })
  for (const { id } of deleted)
    log.info({ transcriptionId: id }, 'a recording is deleted, its time was over')
}

/** Whether the database knows what has become of every file. A restored one does not. */
export async function knowsFiles(
  { db, storage, log }: Pick<SweepDeps, 'db' | 'storage' | 'log'>,
  round: Round,
): Promise<boolean> {
  const pace = await keepPace(db, storage)
  if (pace !== 'abreast' && pace !== round.pace) log.error(whyKept[pace])
  round.pace = pace
  return pace === 'abreast'
}

/** Goes on where the last sweep came to, whichever process did that. */
async function removeOrphans(deps: SweepDeps): Promise<void> {
  const { db, storage } = deps
  const place = await sweptTo(db)
  let pages = 0
  for await (const page of storage.list(place ?? undefined)) {
    // Noted before any is removed: a file that cannot be removed does not hold up those after it.
    await noteSweptTo(db, page.at(-1)?.key ?? null)
    await removeUnknown(deps, page)
    pages += 1
    if (pages === PAGES_A_SWEEP) return
  }
  // That was the last one: the next sweep begins again at the first.
  await noteSweptTo(db, null)
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
  { db, clock, log }: SweepDeps,
  page: readonly Stored[],
): Promise<void> {
  const now = clock()
  const old = page.filter(({ modifiedAt }) => now.getTime() - modifiedAt.getTime() > ORPHAN_AGE_MS)
  const keys = old.map(({ key }) => key)
  const named = await namedAmong(db, keys)
  const binned = new Set(await bin.among(db, keys))
  const unknown = keys.filter((each) => !named.has(each) && !binned.has(each))
  await bin.put(
    db,
    unknown.map((storageKey) => ({ storageKey, kind: 'leftover' })),
    now,
  )
  for (const key of unknown) log.warn({ key }, 'a file that belongs to nothing is in the bin')
}

/**
 * Deletes what is over by the database's clock, which `deps` are to have. Call it only after
 * `knowsFiles` has said yes: a restored database may be wrong.
 */
export async function sweep(deps: SweepDeps, round: Round): Promise<void> {
  await bin.sweep(deps, round)
  await removeOldRecordings(deps)
  await removeUnconfirmed(deps)
  await removeOldUploads(deps)
  await removeOrphans(deps)
}
