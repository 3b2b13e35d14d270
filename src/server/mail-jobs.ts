/**
 * The queue of mails. What this promises:
 *
 * - A mail is asked for in the caller's transaction: it goes out if and only if the rest is true
 *   (decision 063).
 * - Its words are written when it is sent, by the room that knows them, so no address waits in a job.
 * - It is tried for a day. A mail that its receiver refuses for good is logged, and not tried again.
 * - All tries of a mail carry one Message-ID, the job's.
 * - No kind of mail holds up another: between its tries a mail that failed is out of the way, and a
 *   mail for which somebody waits goes before those that wait already.
 */
import { z } from 'zod'

import type { Tx } from './db.ts'
import { job } from './jobs.ts'
import type { Log } from './log.ts'
import type { Mail, Mailer } from './mail.ts'
import type { Delivery, Queue } from './queue.ts'

/**
 * The kind by which a room knows a mail, and the data of its job: ids, and no address, token or amount.
 */
interface MailKind<Data extends z.ZodObject> {
  kind: string
  data: Data
  /** Somebody sits in front of a screen and cannot go on without it. */
  isAwaited?: boolean
}

/** Asks for a mail. Answers the id of its job. */
export function addMail<Data extends z.ZodObject>(
  queue: Pick<Queue, 'add'>,
  tx: Tx,
  { kind, isAwaited = false }: MailKind<Data>,
  data: z.input<Data>,
): Promise<string> {
  return queue.add(tx, mailJob, { ...data, kind }, isAwaited ? { priority: 1 } : {})
}

/** A mail as its room writes it. */
export interface Written extends Mail {
  /** Called when it is on its way. May be called again, where that was not noted. */
  onSent?: () => Promise<void>
}

export interface MailWriter {
  kind: string
  write: (data: unknown) => Promise<Written | null>
}

/** The function that writes the mails of a kind; null where there is nothing to send any more. */
export const writerOf = <Data extends z.ZodObject>(
  { kind, data: Data }: MailKind<Data>,
  write: (data: z.output<Data>) => Promise<Written | null>,
): MailWriter => ({ kind, write: (data) => write(Data.parse(data)) })

interface Deps {
  mailer: Pick<Mailer, 'send'>
  log: Log
  /** Of all rooms, handed in by the root. */
  writers: readonly MailWriter[]
}

async function send(
  { mailer, log, writers }: Deps,
  data: { kind: string },
  { id }: Pick<Delivery, 'id'>,
): Promise<void> {
  const { kind } = data
  const writer = writers.find((one) => one.kind === kind)
  // Asked for by a newer process, while both run: a later try finds one that knows it.
  if (!writer) throw new Error(`nobody writes mails of the kind ${kind}`)
  const written = await writer.write(data)
  if (!written) return
  const { onSent, ...letter } = written
  const result = await mailer.send({ ...letter, id })
  if (result.kind === 'refused')
    log.warn({ jobId: id, mail: kind, status: result.status }, 'a mail was refused for good')
  else await onSent?.()
}

/** With pauses that double up to ten minutes, for a day. */
const tries = { retryLimit: 150, retryDelaySeconds: 5, retryDelayMaxSeconds: 600 }

export const mailJob = job({
  name: 'mail',
  data: z.looseObject({ kind: z.string() }),
  ...tries,
  concurrency: 2,
  run: send,
})

/**
 * Until December 2026 most kinds had a queue of their own: what still waits in one is sent from
 * there, as the kind that is named here where its job does not say. A mail waits for a day at most,
 * so the release after the next need not know them.
 */
const former: Readonly<Record<string, string>> = {
  invitation: 'invitation',
  'billing-mail': '',
  'ready-mail': 'ready',
  'webhook-mail': 'webhook-paused',
  contact: 'contact',
}

export const mailJobs = [
  mailJob,
  ...Object.entries(former).map(([name, kind]) =>
    job({
      name,
      data: z.looseObject({ kind: z.string().default(kind) }),
      ...tries,
      concurrency: 1,
      run: send,
    }),
  ),
]
