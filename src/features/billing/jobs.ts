import { eq } from 'drizzle-orm'

import * as account from '#features/account/account.ts'
import * as credits from '#features/credits/credits.ts'
import type { OnEvent } from '#server/events.ts'
import type { Mail, Mailer } from '#server/mail.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import { remindOfLowBalances } from './alerts.ts'
import { MailJob, lowBalanceMail, paymentFailedMail, receiptMail } from './mails.ts'
import { catchUp } from './news.ts'
import type { Deps } from './state.ts'
import { payments } from './tables.ts'
import type { TestProvider } from './test-provider.ts'

export const billingQueues: readonly QueueDeclaration[] = [
  // A mail server may be away for a day.
  { name: 'billing-mail', retryLimit: 150, retryDelaySeconds: 5, retryDelayMaxSeconds: 600 },
  { name: 'billing-catch-up', cron: '*/10 * * * *' },
]

export interface WorkDeps extends Deps {
  mailer: Mailer
  /** The same as `provider` while payments are a test; there, time has to be made to pass. */
  testProvider: TestProvider | null
  /** Hears of low balances. */
  onEvent?: OnEvent
}

export async function workBilling(deps: WorkDeps): Promise<void> {
  await deps.queue.work('billing-mail', { concurrency: 1 }, async ({ id, data }) =>
    sendMail(deps, id, MailJob.parse(data)),
  )
  await deps.queue.work('billing-catch-up', { concurrency: 1 }, async () => lookAround(deps))
}

/** What is done every ten minutes. Whatever is wrong with the payments, low balances are told. */
export async function lookAround(deps: Omit<WorkDeps, 'mailer'>): Promise<void> {
  try {
    await deps.testProvider?.passTime()
    await catchUp(deps)
  } finally {
    await remindOfLowBalances(deps)
  }
}

async function sendMail(deps: WorkDeps, id: string, job: MailJob): Promise<void> {
  const person = await account.addressOf(deps.db, job.userId)
  const mail = person && (await letterFor(deps, person.email, job))
  if (!mail) return
  const result = await deps.mailer.send({ ...mail, id })
  if (result.kind === 'refused') {
    const { userId } = job
    deps.log.warn({ jobId: id, userId, status: result.status }, 'a mail was refused for good')
  }
}

async function letterFor(
  { db, publicUrl: { origin } }: WorkDeps,
  to: string,
  job: MailJob,
): Promise<Mail | null> {
  switch (job.kind) {
    case 'receipt': {
      const [payment] = await db.select().from(payments).where(eq(payments.id, job.paymentId))
      return payment ? receiptMail({ ...payment, to, origin }) : null
    }
    case 'payment-failed':
      return paymentFailedMail({ to, origin })
    case 'low-balance': {
      const { available } = await credits.balance(db, job.userId)
      return lowBalanceMail({ to, credits: available, origin })
    }
  }
}
