/** The job that writes a recording anew without the words that were hidden in it. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { and, eq } from 'drizzle-orm'
import { z } from 'zod'

import { listOf } from '#features/cuts/cuts.ts'
import { removeUnnamed } from '#features/recordings/kept-files.ts'
import { measureAnew } from '#features/recordings/measure.ts'
import { everyRow, hidings } from '#features/row/row.ts'
import { writeToned } from '#features/sound/toned.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import type { Db } from '#server/db.ts'
import { job, tellingSeldom } from '#server/jobs.ts'
import type { Log } from '#server/log.ts'
import type { JobFacts, Queue } from '#server/queue.ts'
import { NotStored, type Storage } from '#server/storage.ts'
import { runAlone } from '#server/threads.ts'

import type { Made } from './hiding.ts'
import { task } from './in-thread.ts'

const HideJob = z.object({ hidingId: z.uuid() })
type HideJob = z.infer<typeof HideJob>

export interface HideDeps {
  db: Db
  queue: Queue
  storage: Storage
  log: Log
  databaseUrl: string
}

/** An encoder's frames make a file a little longer; one that is much shorter is not the recording. */
const MOST_SHORT_MS = 1_000
const MEMORY_MB = 1_024

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function make(
  deps: HideDeps,
  { hidingId }: HideJob,
  { isLastAttempt, signal }: { isLastAttempt: boolean; signal: AbortSignal },
): Promise<JobFacts | void> {
  const { db, log } = deps
  const isIt = and(eq(hidings.id, hidingId), eq(hidings.status, 'making'))
  const [found] = await db
    .select({
      times: hidings.times,
      muteWith: hidings.muteWith,
      sourceKey: hidings.sourceKey,
      durationMs: everyRow.durationMs,
    })
    .from(hidings)
    .innerJoin(everyRow, eq(everyRow.id, hidings.transcriptionId))
    .where(isIt)
  // Done by an earlier delivery, or removed with its recording.
  if (!found) return
  const { sourceKey, durationMs: audioMs } = found
  let made: Made | null = null
  if (sourceKey !== null)
    try {
      made = await written(deps, { ...found, hidingId, sourceKey, signal })
    } catch (error) {
      if (signal.aborted || isNoFaultOfJob(error)) throw error
      if (!isLastAttempt && !(error instanceof NotStored)) throw error
      log.error({ err: error, hidingId }, 'a recording in which words are hidden is deleted')
    }
  await end(deps, { hidingId, made, signal })
  const outcome = sourceKey === null ? 'no recording' : made ? 'written anew' : 'deleted'
  return { outcome, engine: 'ffmpeg', audioMs }
}

async function end(
  { db, storage, databaseUrl }: HideDeps,
  { hidingId, made, signal }: { hidingId: string; made: Made | null; signal: AbortSignal },
): Promise<void> {
  const how = { signal, databaseUrl, memoryMb: MEMORY_MB }
  const { old, isTaken } = await runAlone(task('finish'), { hidingId, made }, how).catch(
    async (error: unknown) => {
      // Only the database knows whether it was done.
      if (made) await removeUnnamed({ db, storage }, made.key)
      throw error
    },
  )
  if (made && !isTaken) await storage.remove(made.key)
  if (old !== null) await storage.remove(old)
}

async function written(
  { db, storage }: HideDeps,
  {
    hidingId,
    sourceKey,
    times,
    muteWith,
    durationMs,
    signal,
  }: Pick<typeof hidings.$inferSelect, 'times' | 'muteWith'> & {
    hidingId: string
    sourceKey: string
    durationMs: number
    signal: AbortSignal
  },
): Promise<Made | null> {
  const onProgress = tellingSeldom((progress) =>
    db
      .update(hidings)
      .set({ progress })
      .where(and(eq(hidings.id, hidingId), eq(hidings.status, 'making'))),
  )
  const folder = await storage.workFolder()
  try {
    const recording = await storage.open(sourceKey)
    const out = join(folder, 'toned')
    const stretches = listOf(times)
    const options = { stretches, muteWith, durationMs, signal, onProgress }
    const isWritten = await writeToned(recording.path, out, options).finally(() =>
      recording.release(),
    )
    if (!isWritten) throw new Error('the recording cannot be written anew')
    const measured = await measureAnew(out, signal)
    if (!measured) throw new Error('what was written cannot be decoded')
    const { durationMs: nowMs, ...values } = measured
    if (nowMs < durationMs - MOST_SHORT_MS)
      throw new Error(`the recording has ${nowMs} of ${durationMs} ms`)
    const key = randomUUID()
    await storage.keep(key, out, { signal })
    return { key, ...values }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Words that were hidden have their job, also where a process has died before it added one. */
async function addMissing({ db, queue }: HideDeps): Promise<void> {
  const open = await db
    .select({ hidingId: hidings.id })
    .from(hidings)
    .where(eq(hidings.status, 'making'))
  if (open.length === 0) return
  const known = new Set((await queue.unfinished(db, hideJob)).map(({ hidingId }) => hidingId))
  for (const order of open) if (!known.has(order.hidingId)) await add({ db, queue }, order)
}

/** People wait to hear the recording again, so it goes before others. */
export const add = ({ db, queue }: Pick<HideDeps, 'db' | 'queue'>, order: HideJob) =>
  db.transaction((tx) => queue.add(tx, hideJob, order, { priority: 1 }))

export const hideJob = job({
  name: 'hide-words',
  data: HideJob,
  concurrency: 1,
  run: make,
  giveUp: (deps: HideDeps, { hidingId }, { signal }) => end(deps, { hidingId, made: null, signal }),
  everyMinute: addMissing,
})
