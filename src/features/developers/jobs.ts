import { z } from 'zod'

import * as account from '#features/account/account.ts'
import * as deletionClock from '#server/deletion-clock.ts'
import type { Log } from '#server/log.ts'
import { writeLetter } from '#server/letter.ts'
import { type Mailer, mailTries, sendForJob } from '#server/mail.ts'
import type { QueueDeclaration } from '#server/queue.ts'
import { BRAND } from '#shared/business.ts'

import * as idempotency from './idempotency.ts'
import * as webhooks from './webhooks.ts'

export const developerQueues: readonly QueueDeclaration[] = [
  // A failed try is written down and the next one queued; only what broke on our side is repeated.
  { name: webhooks.queueName, retryLimit: 10, retryDelaySeconds: 5, expireSeconds: 120 },
  { name: webhooks.mailQueueName, ...mailTries },
  { name: 'developers-tidy-up', cron: '41 * * * *' },
]

export interface WorkDeps extends webhooks.Deps {
  mailer: Mailer
  publicUrl: URL
  log: Log
}

const SendJob = z.object({ deliveryId: z.uuid(), round: z.int(), step: z.int() })
const MailJob = z.object({
  userId: z.uuid(),
  why: z.enum(['dead', 'gone', 'new_password']),
})
type MailJob = z.infer<typeof MailJob>

/** Waiting for somebody else's server costs nothing, so several are sent to at once. */
const SENT_AT_ONCE = 4

export async function workDevelopers(deps: WorkDeps): Promise<void> {
  const { db, queue, clock } = deps
  await queue.work(webhooks.queueName, { concurrency: SENT_AT_ONCE }, ({ data }) =>
    webhooks.send(deps, SendJob.parse(data)),
  )
  await queue.work(webhooks.mailQueueName, { concurrency: 1 }, ({ id, data }) =>
    sendMail(deps, id, MailJob.parse(data)),
  )
  await queue.work('developers-tidy-up', { concurrency: 1 }, async () => {
    await idempotency.forgetOld(db)
    const now = await deletionClock.time({ db, clock })
    if (now !== null) await webhooks.forgetOld(db, now)
  })
}

const reasons: Record<MailJob['why'], string> = {
  dead: 'One of your webhooks did not take a message in any of ten tries over three days. Nothing more is sent there.',
  gone: 'One of your webhooks answered that it is gone (410). Nothing more is sent there.',
  new_password:
    'Your webhooks are paused because the password of your account was changed. Resume those that are yours, and delete the others.',
}

async function sendMail(deps: WorkDeps, id: string, { userId, why }: MailJob): Promise<void> {
  const person = await account.addressOf(deps.db, userId)
  if (!person) return
  const letter = writeLetter(person.email, {
    subject: `A ${BRAND} webhook is paused`,
    heading: 'A webhook is paused',
    before: [reasons[why]],
    button: {
      label: 'Look at your webhooks',
      url: new URL('/account/webhooks', deps.publicUrl).href,
    },
    after: [
      'What was not delivered is kept for 30 days. Resume the webhook and send it again there.',
    ],
  })
  await sendForJob(deps, letter, { jobId: id, userId })
}
