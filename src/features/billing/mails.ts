/** The mails about money and credits: the data that each needs, its words, and its writer. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'

import * as account from '#features/account/account.ts'
import * as credits from '#features/credits/credits.ts'
import type { Db } from '#server/db.ts'
import { writeLetter } from '#server/letter.ts'
import { type MailWriter, writerOf } from '#server/mail-jobs.ts'
import type { Mail } from '#server/mail.ts'
import { BRAND, MONEY_BACK_DAYS, planOf, rollover } from '#shared/business.ts'
import { formatMoney, formatCredits } from '#shared/format.ts'

import { whyUnmatched } from './status.ts'
import { payments, unmatched } from './tables.ts'

const ofUser = z.object({ userId: z.uuid() })
const ofPayment = ofUser.extend({ paymentId: z.string() })

export const receipt = { kind: 'receipt', data: ofPayment }
export const paymentUnmatched = { kind: 'payment-unmatched', data: ofPayment }
export const paymentFailed = { kind: 'payment-failed', data: ofUser }
export const lowBalance = { kind: 'low-balance', data: ofUser }

/** No mail is written for an account that is gone. */
export function billingMails({
  db,
  publicUrl: { origin },
}: {
  db: Db
  publicUrl: URL
}): MailWriter[] {
  const addressOf = async (userId: string) => (await account.addressOf(db, userId))?.email
  return [
    writerOf(receipt, async ({ userId, paymentId }) => {
      const to = await addressOf(userId)
      const [payment] = await db.select().from(payments).where(eq(payments.id, paymentId))
      return to && payment ? receiptMail({ ...payment, to, origin }) : null
    }),
    writerOf(paymentUnmatched, async ({ userId, paymentId }) => {
      const to = await addressOf(userId)
      const [paid] = await db.select().from(unmatched).where(eq(unmatched.id, paymentId))
      return to && paid ? unmatchedMail({ ...paid, to, origin }) : null
    }),
    writerOf(paymentFailed, async ({ userId }) => {
      const to = await addressOf(userId)
      return to ? paymentFailedMail({ to, origin }) : null
    }),
    writerOf(lowBalance, async ({ userId }) => {
      const to = await addressOf(userId)
      const { available } = await credits.balance(db, userId)
      return to ? lowBalanceMail({ to, credits: available, origin }) : null
    }),
  ]
}

interface To {
  to: string
  origin: string
}
function receiptMail({
  to,
  planId,
  amountCents,
  currency,
  credits: granted,
  paidAt,
  origin,
}: typeof payments.$inferSelect & To): Mail {
  const { name } = planOf(planId)
  const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
    paidAt,
  )
  return writeLetter(to, {
    subject: `Your ${BRAND} receipt: ${granted} credits`,
    heading: 'Payment received',
    before: [
      `Thank you. We have received ${formatMoney(amountCents, currency)} for a month of ${name}, paid on ${date}.`,
      `${granted} credits have been added to your account. ${rollover}`,
    ],
    button: { label: 'See your credits', url: `${origin}/account/credits` },
    after: [
      `You can have this payment back within ${MONEY_BACK_DAYS} days: write to us under Contact, Billing.`,
    ],
  })
}

function paymentFailedMail({ to, origin }: To): Mail {
  return writeLetter(to, {
    subject: `Your ${BRAND} payment did not go through`,
    heading: 'Your payment did not go through',
    before: [
      'The payment for the next month of your plan was declined. Your plan and your credits are as before for now.',
      'The card provider tries again over the next days. Please check your card until then.',
    ],
    button: { label: 'Check your card', url: `${origin}/subscribe` },
    after: ['If it cannot be paid, the plan ends. Your credits stay.'],
  })
}

function unmatchedMail({
  to,
  id,
  amountCents,
  currency,
  reason,
  origin,
}: typeof unmatched.$inferSelect & To): Mail {
  return writeLetter(to, {
    subject: `A payment to ${BRAND} added no credits`,
    heading: 'A payment added no credits',
    before: [
      `A payment of ${formatMoney(amountCents, currency)} has arrived, but ${whyUnmatched[reason]}. Your balance is as before.`,
      `Whoever runs this server has been told. To have the credits, or the payment back, write to us under Contact, Billing, and name ${id}.`,
    ],
    button: { label: 'Write to us', url: `${origin}/contact` },
    after: [],
  })
}

function lowBalanceMail({ to, credits: left, origin }: To & { credits: number }): Mail {
  const count = formatCredits(left)
  return writeLetter(to, {
    subject: `You have ${count} left on ${BRAND}`,
    heading: `${count} left`,
    before: [`Your balance has fallen to ${count}. You asked to be told.`],
    button: { label: 'Buy credits', url: `${origin}/subscribe` },
    after: ['You can choose another number, or switch these mails off, under Account, Credits.'],
  })
}
