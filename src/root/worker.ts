/** The side without HTTP: the jobs of every room. */
import { accountQueues, workAccount } from '#features/account/jobs.ts'
import { billingQueues, workBilling } from '#features/billing/jobs.ts'
import { choosePayments } from '#features/billing/payments.ts'
import { developerQueues, workDevelopers } from '#features/developers/jobs.ts'
import { announceTo } from '#features/developers/webhooks.ts'
import { documentQueues, workDocuments } from '#features/documents/jobs.ts'
import { takeBackUnused } from '#features/operators/operators.ts'
import { recordingQueues, workRecordings } from '#features/recordings/jobs.ts'
import { shareQueues, workShares } from '#features/sharing/jobs.ts'
import { contactQueues, workContact } from '#features/site/jobs.ts'
import type { EngineInUse } from '#features/speech/speech.ts'
import { recordingsInThread } from '#features/transcriptions/for-documents.ts'
import {
  transcriptionQueues,
  workReadyMails,
  workTranscriptions,
} from '#features/transcriptions/jobs.ts'
import { type Writer, chooseWriter } from '#features/writing/writing.ts'
import { tellAll } from '#server/events.ts'
import type { Mailer } from '#server/mail.ts'
import type { QueueDeclaration } from '#server/queue.ts'
import { turns } from '#server/turns.ts'

import type { Parts } from './app.ts'

/** The queues of every room. */
export const queues: readonly QueueDeclaration[] = [
  ...accountQueues,
  ...billingQueues,
  ...documentQueues,
  ...recordingQueues,
  ...transcriptionQueues,
  ...contactQueues,
  ...developerQueues,
  ...shareQueues,
]

export interface WorkerParts extends Omit<Parts, 'threads'> {
  mailer: Mailer
  /** It has none where a program is missing: recordings then wait for a worker that has one. */
  engine: EngineInUse
  /** Who writes; without one, whom the settings name. */
  writer?: Writer
}

export async function startWorker(parts: WorkerParts): Promise<{ stop: () => void }> {
  const { config, database, queue, storage, clock, log, mailer, engine } = parts
  const { writer = chooseWriter(config.writing, log) } = parts
  const onEvent = tellAll(takeBackUnused, announceTo({ queue, clock }))
  const deps = { db: database.db, queue, clock, log, onEvent }

  await workAccount({ ...deps, mailer, publicUrl: config.web.publicUrl })
  const { publicUrl } = config.web
  const payments = choosePayments(config.payments, { ...deps, publicUrl })
  await workBilling({
    ...deps,
    mailer,
    publicUrl,
    provider: payments.provider,
    turns: turns(1),
    testProvider: payments.mode === 'test' ? payments.provider : null,
  })
  await workContact({ ...deps, mailer, supportEmail: config.mail.supportEmail })
  await workDevelopers({ ...deps, mailer, publicUrl, webhookAllow: config.webhookAllow })
  await workShares(deps)
  await workRecordings({ ...deps, storage })
  const recordings = recordingsInThread(database)
  const writing = await workDocuments({ ...deps, writer, recordings })
  const transcribing = await workTranscriptions(
    {
      ...deps,
      storage,
      engine,
      writer,
      databaseUrl: database.url,
      recordings,
      workRoot: `${config.dataDir}/work`,
    },
    { concurrency: config.workers },
  )

  await workReadyMails({ ...deps, mailer, publicUrl })

  await queue.start()
  return {
    stop: () => {
      transcribing.stop()
      writing.stop()
    },
  }
}
