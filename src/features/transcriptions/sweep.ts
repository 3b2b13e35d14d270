/**
 * Puts transcriptions in order each minute: jobs that have waited for long move on, a transcription whose
 * job is gone ends, one that its owner deleted is removed after five minutes, an earlier text after 30 days
 * (again.ts), and recordings are swept (retention.ts). The clock of the database says whose time is over
 * (deletion-clock.ts). Safe to run at any time, in any number of processes.
 *
 * Promise: nothing waits for ever: after three deliveries (server/queue.ts) a job ends, and its
 * hold is released.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

import { and, desc, eq, exists, inArray, isNull, lt, sql } from 'drizzle-orm'

import * as documents from '#features/documents/documents.ts'
import * as bin from '#features/recordings/bin.ts'
import * as retention from '#features/recordings/retention.ts'
import { everyRow, isOpen, shownRows } from '#features/row/row.ts'
import * as earlierTexts from '#features/text/earlier.ts'
import * as deletionClock from '#server/deletion-clock.ts'
import { takeTurn } from '#server/file-marks.ts'
import { moveOn } from '#server/queue.ts'
import { UNDELETE_MINUTES } from '#shared/business.ts'

import { stages } from './tables.ts'
import * as laterSummary from './later-summary.ts'
import { type RunDeps, giveUp } from './run.ts'
import { type TranscribeJob, transcriptionKinds } from './transcriptions.ts'
import * as unpaidText from './unpaid-text.ts'

type SweepDeps = Omit<RunDeps, 'engine'>

/** Each process sweeps its own disk, and each minute one of them sweeps for all. */
export async function sweepInTurn(deps: SweepDeps, round: retention.Round): Promise<void> {
  await removeLeftWork(deps)
  // A process that may delete nothing by time leaves the turn to one that may.
  if ((await deletionClock.time(deps)) === null) await sweepDeleted(deps, round)
  else if (await takeTurn(deps.db)) await sweep(deps, round)
}

export async function sweep(deps: SweepDeps, round: retention.Round = {}): Promise<void> {
  for (const kind of transcriptionKinds) await moveOn(deps.db, kind)
  const isKnown = await sweepDeleted(deps, round)
  const now = await deletionClock.time(deps)
  if (now === null || !isKnown) return
  const byIt = { ...deps, clock: () => now }
  await earlierTexts.removeOver(byIt)
  await retention.sweep(byIt, round)
  await forgetStages(byIt)
  await unpaidText.forgetOld(deps.db, now)
}

/** The part that waits for no clock. Answers false where nothing may be removed, because files are not known. */
async function sweepDeleted(deps: SweepDeps, round: retention.Round): Promise<boolean> {
  await endWithoutJob(deps)
  // A restored database does not know what was confirmed, paid for or brought back since.
  if (!(await retention.knowsFiles(deps, round))) return false
  await removeDeleted(deps)
  return true
}

/**
 * A job can only vanish with rows of the queue: removed by hand, or by a restored backup. Rows are
 * read before jobs: what is confirmed in between is not among them, and what ends in between is
 * left alone by `giveUp`.
 */
async function endWithoutJob(deps: SweepDeps): Promise<void> {
  const { db, queue } = deps
  await laterSummary.endWithoutJob(deps)
  const rows = await db
    .select({ transcriptionId: everyRow.id, attempt: everyRow.attempt })
    .from(everyRow)
    .where(isOpen(everyRow))
  if (rows.length === 0) return

  const jobs = (
    await Promise.all(transcriptionKinds.map((kind) => queue.unfinished(db, kind)))
  ).flat()
  const nameOf = ({ transcriptionId, attempt }: TranscribeJob) => `${transcriptionId}:${attempt}`
  const known = new Set(jobs.map(nameOf))
  for (const row of rows.filter((row) => !known.has(nameOf(row))))
    await giveUp(deps, row, 'its job is not in the queue')
}

/** Removes transcriptions that their owner deleted and did not bring back in time. */
async function removeDeleted({ db, storage, clock, log, onEvent }: SweepDeps): Promise<void> {
  // The database wrote when, so it also says how long ago that was, however wrong clocks are.
  const expired = sql`now() - make_interval(mins => ${UNDELETE_MINUTES})`
  const removed = await db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: everyRow.id })
      .from(everyRow)
      .where(lt(everyRow.deletedAt, expired))
      // As everybody who locks several, and what is worked on again before the work on it.
      .orderBy(desc(isNull(everyRow.againOf)), everyRow.id)
      .for('update')
    const ids = rows.map(({ id }) => id)
    await documents.removeOf(tx, ids, { clock, onEvent })
    const keys = await bin.emptyOf(tx, { transcriptionIds: ids })
    const gone = await tx
      .delete(everyRow)
      .where(inArray(everyRow.id, ids))
      .returning({ storageKey: everyRow.storageKey })
    return { ids, keys: new Set([...keys, ...gone.flatMap(({ storageKey }) => storageKey ?? [])]) }
  })
  for (const key of removed.keys) await storage.remove(key)
  for (const id of removed.ids)
    log.info({ transcriptionId: id }, 'a deleted transcription is removed')
}

/**
 * Without its recording a failed job is not tried again, so what it had read goes too. A row that
 * works on a recording again has none of its own: what it had read goes with the row.
 */
async function forgetStages({ db }: SweepDeps): Promise<void> {
  const useless = db
    .select({ id: shownRows.id })
    .from(shownRows)
    .where(
      and(
        eq(shownRows.id, stages.transcriptionId),
        eq(shownRows.status, 'error'),
        isNull(shownRows.storageKey),
      ),
    )
  await db.delete(stages).where(exists(useless))
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Work folders of jobs, and of what was made for a reader, that a process which died has left. */
async function removeLeftWork({ db, workRoot }: SweepDeps): Promise<void> {
  const folders = await readdir(workRoot).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const uuid = /^[0-9a-f-]{36}$/
  // Nothing is made for a reader for as long as a day.
  for (const folder of folders
    .filter((name) => !uuid.test(name))
    .map((name) => path.join(workRoot, name))) {
    const found = await stat(folder).catch(() => null)
    // The disk's own clock dates its files.
    if (found && found.mtimeMs < Date.now() - DAY_MS)
      await rm(folder, { recursive: true, force: true })
  }
  const ids = folders.filter((name) => uuid.test(name))
  if (ids.length === 0) return
  const running = await db
    .select({ id: everyRow.id })
    .from(everyRow)
    .where(and(inArray(everyRow.id, ids), isOpen(everyRow)))
  const kept = new Set(running.map(({ id }) => id))
  for (const id of ids.filter((id) => !kept.has(id)))
    await rm(path.join(workRoot, id), { recursive: true, force: true })
}
