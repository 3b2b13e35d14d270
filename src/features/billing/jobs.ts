import { eq } from 'drizzle-orm'

import * as account from '#features/account/account.ts'
import * as credits from '#features/credits/credits.ts'
import type { OnEvent } from '#server/events.ts'
import { type Mail, type Mailer, mailTries, sendForJob } from '#server/mail.ts'
import type { QueueDeclaration } from '#server/queue.ts'

import { remindOfLowBalances } from './alerts.ts'
import { MailJob, lowBalanceMail, paymentFailedMail, receiptMail, unmatchedMail } from './mails.ts'
import { catchUp } from './provider-events.ts'
import type { Deps } from './state.ts'
import { payments, unmatched } from './tables.ts'
import type { TestProvider } from './test-provider.ts'

export const billingQueues: readonly QueueDeclaration[] = [
  { name: 'billing-mail', ...mailTries },
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
  if (mail) await sendForJob(deps, mail, { jobId: id, userId: job.userId })
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
    case 'payment-unmatched': {
      const [paid] = await db.select().from(unmatched).where(eq(unmatched.id, job.paymentId))
      return paid ? unmatchedMail({ ...paid, to, origin }) : null
    }
    case 'payment-failed':
      return paymentFailedMail({ to, origin })
    case 'low-balance': {
      const { available } = await credits.balance(db, job.userId)
      return lowBalanceMail({ to, credits: available, origin })
    }
  }
}
