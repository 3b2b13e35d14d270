/** The `test` of tests that run jobs: a queue on the file's own database, and a disk that is empty. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { documentJob } from '#features/documents/documents.ts'
import { transcriptionJobs } from '#features/transcriptions/jobs.ts'
import { summaryJob } from '#features/transcriptions/later-summary.ts'
import type { Database } from '#server/db.ts'
import { queuesOf } from '#server/jobs.ts'
import { silentLog } from '#server/log.ts'
import { mailJobs } from '#server/mail-jobs.ts'
import { openQueue } from '#server/queue.ts'
import { diskStorage } from '#server/storage.ts'
import { systemClock } from '#shared/clock.ts'

import { test as base } from './database.ts'
import { repeating } from './engine.ts'

/** The parts that a job works with, without the engine. */
export async function openJobs(database: Database, onCleanup: (end: () => Promise<void>) => void) {
  const folder = await mkdtemp(path.join(tmpdir(), 'quoth-jobs-'))
  const queues = queuesOf([...mailJobs, documentJob, summaryJob, ...transcriptionJobs])
  const queue = await openQueue(database, { log: silentLog, queues })
  onCleanup(async () => {
    await queue.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    db: database.db,
    queue,
    storage: diskStorage(path.join(folder, 'files')),
    clock: systemClock,
    log: silentLog,
    writer: repeating,
    workRoot: path.join(folder, 'work'),
  }
}

export const test = base.extend('deps', { scope: 'file' }, ({ database }, { onCleanup }) =>
  openJobs(database, onCleanup),
)
