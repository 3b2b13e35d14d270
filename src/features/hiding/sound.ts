/** The job that writes a recording anew without the words that were hidden in it. */
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'

import { listOf } from '#features/cuts/cuts.ts'
import { removeUnnamed } from '#features/recordings/kept-files.ts'
import { everyRow, hidings, veils } from '#features/row/row.ts'
import { isNoFaultOfJob } from '#server/database-away.ts'
import type { Db } from '#server/db.ts'
import { job, tellingSeldom } from '#server/jobs.ts'
import type { Log } from '#server/log.ts'
import type { JobFacts, Queue } from '#server/queue.ts'
import { NotStored, type Storage } from '#server/storage.ts'
import { runAlone } from '#server/threads.ts'

import { task } from './in-thread.ts'
import * as forOthers from './sound-for-others.ts'
import { type Made, writeAnew } from './written-anew.ts'

/** One of the two: what is hidden for good, or the recording in which something is hidden for others. */
const HideJob = z.object({ hidingId: z.uuid().optional(), veilOf: z.uuid().optional() })
type HideJob = z.infer<typeof HideJob>

export interface HideDeps {
  db: Db
  queue: Queue
  storage: Storage
  log: Log
  databaseUrl: string
}

const MEMORY_MB = 1_024

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function make(
  deps: HideDeps,
  { hidingId }: { hidingId: string },
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
  { db, queue, storage, databaseUrl }: HideDeps,
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
  // What is hidden for others is to be written of the new one.
  const [{ veilOf } = {}] = await db
    .select({ veilOf: veils.transcriptionId })
    .from(veils)
    .innerJoin(hidings, eq(hidings.transcriptionId, veils.transcriptionId))
    .where(eq(hidings.id, hidingId))
  if (veilOf !== undefined) await add({ db, queue }, { veilOf })
}

async function written(
  { db, storage }: HideDeps,
  {
    hidingId,
    times,
    ...recording
  }: Pick<typeof hidings.$inferSelect, 'times' | 'muteWith'> & {
    hidingId: string
    sourceKey: string
    durationMs: number
    signal: AbortSignal
  },
): Promise<Made> {
  const onProgress = tellingSeldom((progress) =>
    db
      .update(hidings)
      .set({ progress })
      .where(and(eq(hidings.id, hidingId), eq(hidings.status, 'making'))),
  )
  return writeAnew(storage, { ...recording, stretches: listOf(times), onProgress })
}

/** What is to be written has its job, also where a process has died before it added one. */
async function addMissing(deps: HideDeps): Promise<void> {
  const { db, queue } = deps
  await forOthers.lookAgain(deps)
  const open: HideJob[] = [
    ...(await db
      .select({ hidingId: hidings.id })
      .from(hidings)
      .where(eq(hidings.status, 'making'))),
    ...(await forOthers.toMake(db)),
  ]
  if (open.length === 0) return
  const idOf = ({ hidingId, veilOf }: HideJob) => hidingId ?? veilOf
  const known = new Set((await queue.unfinished(db, hideJob)).map(idOf))
  for (const order of open) if (!known.has(idOf(order))) await add({ db, queue }, order)
}

/** People wait to hear the recording again, so it goes before others. */
export const add = ({ db, queue }: Pick<HideDeps, 'db' | 'queue'>, order: HideJob) =>
  db.transaction((tx) => queue.add(tx, hideJob, order, { priority: 1 }))

export const hideJob = job({
  name: 'hide-words',
  data: HideJob,
  concurrency: 1,
  async run(deps: HideDeps, { hidingId, veilOf }, delivery) {
    if (hidingId !== undefined) return make(deps, { hidingId }, delivery)
    if (veilOf !== undefined) return forOthers.make(deps, veilOf, delivery)
  },
  async giveUp(deps: HideDeps, { hidingId, veilOf }, { signal }) {
    if (hidingId !== undefined) await end(deps, { hidingId, made: null, signal })
    if (veilOf !== undefined) await forOthers.giveUp(deps, veilOf)
  },
  everyMinute: addMissing,
})
