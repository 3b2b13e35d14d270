/** The side without HTTP: the jobs of every room. */
import { accountTidyUpJob } from '#features/account/jobs.ts'
import { accountMails } from '#features/account/mails.ts'
import { billingCatchUpJob } from '#features/billing/jobs.ts'
import { billingMails } from '#features/billing/mails.ts'
import { choosePayments } from '#features/billing/payments.ts'
import { developersTidyUpJob } from '#features/developers/jobs.ts'
import { recordingsAsCutInThread } from '#features/cuts/in-thread.ts'
import { renderMails } from '#features/cuts/mails.ts'
import { renderJob } from '#features/cuts/renders.ts'
import { webhookMails } from '#features/developers/mails.ts'
import { announceTo, webhookJob } from '#features/developers/webhooks.ts'
import { documentJob } from '#features/documents/documents.ts'
import { coverInThread } from '#features/hiding/in-thread.ts'
import { hideJob } from '#features/hiding/sound.ts'
import { takeBackUnused } from '#features/operators/operators.ts'
import { uploadJob } from '#features/recordings/uploads-in-parts.ts'
import { sharesTidyUpJob } from '#features/sharing/jobs.ts'
import { contactMails } from '#features/site/contact.ts'
import type { EngineInUse } from '#features/speech/speech.ts'
import { recordingsInThread } from '#features/transcriptions/for-documents.ts'
import { transcriptionJobs } from '#features/transcriptions/jobs.ts'
import { summaryJob } from '#features/transcriptions/later-summary.ts'
import { readyMails } from '#features/transcriptions/ready.ts'
import { translationsInThread } from '#features/translations/in-thread.ts'
import { translationJob } from '#features/translations/translations.ts'
import { type Writer, chooseWriter } from '#features/writing/writing.ts'
import type { Db } from '#server/db.ts'
import { tellAll } from '#server/events.ts'
import { queuesOf, startJobs } from '#server/jobs.ts'
import { type MailWriter, mailJobs } from '#server/mail-jobs.ts'
import type { Mailer } from '#server/mail.ts'
import { semaphore } from '#server/semaphore.ts'
import type { Clock } from '#shared/clock.ts'

import { type Parts, workRootOf } from './app.ts'

/** The jobs of every room, in the order in which a worker starts them. */
export const jobs = [
  ...mailJobs,
  accountTidyUpJob,
  billingCatchUpJob,
  webhookJob,
  developersTidyUpJob,
  sharesTidyUpJob,
  uploadJob,
  documentJob,
  translationJob,
  summaryJob,
  renderJob,
  hideJob,
  ...transcriptionJobs,
]

/** Declared by every process. */
export const queues = queuesOf(jobs)

/** A job that goes leaves its name here, and is then never delivered in vain. */
export const retired = ['tidy-translations']

/**
 * The tasks that jobs give to threads, and for which people wait: a thread that has loaded them is
 * kept.
 */
export const tasksOfJobs = [
  '#features/cuts/tasks.ts',
  '#features/hiding/tasks.ts',
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
  ...renderMails(deps),
  ...webhookMails(deps),
  ...contactMails(deps),
]

interface WorkerParts extends Omit<Parts, 'threads'> {
  mailer: Mailer
  /** It has none where a program is missing: recordings then wait for a worker that has one. */
  engine: EngineInUse
  /** The writer; without one, that of the settings. */
  writer?: Writer
}

export async function startWorker(parts: WorkerParts): Promise<{ stop: () => void }> {
  const { config, database, queue, storage, clock, log, mailer, engine } = parts
  const { writer = chooseWriter(config.writing, log) } = parts
  const onEvent = tellAll(takeBackUnused, announceTo({ queue, clock }))
  const deps = { db: database.db, queue, clock, log, onEvent }

  const { publicUrl } = config.web
  const { supportEmail } = config.mail
  const payments = choosePayments(config.payments, { ...deps, publicUrl })
  return startJobs(jobs, {
    ...deps,
    mailer,
    writers: mailWriters({ ...deps, publicUrl, supportEmail }),
    publicUrl,
    provider: payments.provider,
    places: semaphore(1),
    testProvider: payments.mode === 'test' ? payments.provider : null,
    webhookAllow: config.webhookAllow,
    storage,
    engine,
    writer,
    recordings: recordingsAsCutInThread(database),
    whole: recordingsInThread(database),
    read: translationsInThread(database),
    databaseUrl: database.url,
    cover: coverInThread(database),
    workRoot: workRootOf(config),
    workers: config.workers,
    round: {},
  })
}
