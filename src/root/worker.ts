/** The side without HTTP: the jobs of every room. */
import { accountQueues, workAccount } from '#features/account/jobs.ts'
import { accountMails } from '#features/account/mails.ts'
import { billingQueues, workBilling } from '#features/billing/jobs.ts'
import { billingMails } from '#features/billing/mails.ts'
import { choosePayments } from '#features/billing/payments.ts'
import { developerQueues, workDevelopers } from '#features/developers/jobs.ts'
import { webhookMails } from '#features/developers/mails.ts'
import { announceTo } from '#features/developers/webhooks.ts'
import { documentQueues, workDocuments } from '#features/documents/jobs.ts'
import { takeBackUnused } from '#features/operators/operators.ts'
import { recordingQueues, workRecordings } from '#features/recordings/jobs.ts'
import { shareQueues, workShares } from '#features/sharing/jobs.ts'
import { contactMails } from '#features/site/contact.ts'
import type { EngineInUse } from '#features/speech/speech.ts'
import { recordingsInThread } from '#features/transcriptions/for-documents.ts'
import { transcriptionQueues, workTranscriptions } from '#features/transcriptions/jobs.ts'
import { readyMails } from '#features/transcriptions/ready.ts'
import { translationsInThread } from '#features/translations/in-thread.ts'
import { translationQueues, workTranslations } from '#features/translations/jobs.ts'
import { type Writer, chooseWriter } from '#features/writing/writing.ts'
import type { Db } from '#server/db.ts'
import { tellAll } from '#server/events.ts'
import { type MailWriter, mailQueues, workMails } from '#server/mail-jobs.ts'
import type { Mailer } from '#server/mail.ts'
import type { QueueDeclaration } from '#server/queue.ts'
import { semaphore } from '#server/semaphore.ts'
import type { Clock } from '#shared/clock.ts'

import { type Parts, workRootOf } from './app.ts'

/** The queues of every room. */
export const queues: readonly QueueDeclaration[] = [
  ...mailQueues,
  ...accountQueues,
  ...billingQueues,
  ...documentQueues,
  ...recordingQueues,
  ...transcriptionQueues,
  ...translationQueues,
  ...developerQueues,
  ...shareQueues,
]

/** What jobs ask threads for, and people wait for: a thread that has loaded it is kept. */
export const tasksOfJobs = [
  '#features/text/tasks.ts',
  '#features/transcriptions/tasks.ts',
  '#features/translations/tasks.ts',
  '#features/writing/extractive.ts',
].map((path) => import.meta.resolve(path))

/** The mails of every room. */
export const mailWriters = (deps: {
  db: Db
  clock: Clock
  publicUrl: URL
  supportEmail: string | null
}): MailWriter[] => [
  ...accountMails(deps),
  ...billingMails(deps),
  ...readyMails(deps),
  ...webhookMails(deps),
  ...contactMails(deps),
]

interface WorkerParts extends Omit<Parts, 'threads'> {
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

  const { publicUrl } = config.web
  const { supportEmail } = config.mail
  await workMails({ ...deps, mailer }, mailWriters({ ...deps, publicUrl, supportEmail }))
  await workAccount(deps)
  const payments = choosePayments(config.payments, { ...deps, publicUrl })
  await workBilling({
    ...deps,
    publicUrl,
    provider: payments.provider,
    places: semaphore(1),
    testProvider: payments.mode === 'test' ? payments.provider : null,
  })
  await workDevelopers({ ...deps, webhookAllow: config.webhookAllow })
  await workShares(deps)
  await workRecordings({ ...deps, storage })
  const recordings = recordingsInThread(database)
  const writing = await workDocuments({ ...deps, writer, recordings })
  const translating = await workTranslations({
    ...deps,
    writer,
    read: translationsInThread(database),
  })
  const transcribing = await workTranscriptions(
    {
      ...deps,
      storage,
      engine,
      writer,
      databaseUrl: database.url,
      recordings,
      workRoot: workRootOf(config),
    },
    { concurrency: config.workers },
  )

  return {
    stop: () => {
      transcribing.stop()
      writing.stop()
      translating.stop()
    },
  }
}
