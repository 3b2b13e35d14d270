/** The side without HTTP: the jobs of every room. */
import { accountQueues, workAccount } from '#features/account/jobs.ts'
import type { Engine } from '#features/speech/speech.ts'
import { transcriptionQueues, workTranscriptions } from '#features/transcriptions/jobs.ts'

import type { Parts } from './app.ts'
import type { Mailer } from './mail.ts'
import type { QueueDeclaration } from './queue.ts'

/** The queues of every room. */
export const queues: readonly QueueDeclaration[] = [...accountQueues, ...transcriptionQueues]

export interface WorkerParts extends Parts {
  mailer: Mailer
  /** Null where a program it needs is missing: recordings then wait until it is there. */
  engine: Engine | null
}

export async function startWorker(parts: WorkerParts): Promise<{ stop: () => void }> {
  const { config, database, queue, storage, clock, log, mailer, engine } = parts
  const deps = { db: database.db, queue, clock, log }

  await workAccount({ ...deps, mailer, publicUrl: config.web.publicUrl })
  const transcribing = await workTranscriptions(
    { ...deps, storage, engine, workRoot: `${config.dataDir}/work` },
    { concurrency: config.workers },
  )

  await queue.start()
  return { stop: () => transcribing.stop() }
}
