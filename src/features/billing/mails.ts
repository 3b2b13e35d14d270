/** The words of the mails about money and credits. */
import { z } from 'zod'

import { writeLetter } from '#server/letter.ts'
import type { Mail } from '#server/mail.ts'
import { BRAND, MONEY_BACK_DAYS, type PlanId, planOf, rollover } from '#shared/business.ts'
import { formatMoney } from '#shared/format.ts'

import { type Reason, whyUnmatched } from './status.ts'

/** No address and no amounts: the job looks them up when it sends. */
export const MailJob = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('receipt'), userId: z.uuid(), paymentId: z.string() }),
  z.object({ kind: z.literal('payment-failed'), userId: z.uuid() }),
  z.object({ kind: z.literal('payment-unmatched'), userId: z.uuid(), paymentId: z.string() }),
  z.object({ kind: z.literal('low-balance'), userId: z.uuid() }),
])
export type MailJob = z.infer<typeof MailJob>

export function receiptMail({
  to,
  planId,
  amountCents,
  currency,
  credits,
  paidAt,
  origin,
}: {
  to: string
  planId: PlanId
  amountCents: number
  currency: string
  credits: number
  paidAt: Date
  origin: string
}): Mail {
  const { name } = planOf(planId)
  const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
    paidAt,
  )
  return writeLetter(to, {
    subject: `Your ${BRAND} receipt: ${credits} credits`,
    heading: 'Payment received',
    before: [
      `Thank you. We have received ${formatMoney(amountCents, currency)} for a month of ${name}, paid on ${date}.`,
      `${credits} credits have been added to your account. ${rollover}`,
    ],
    button: { label: 'See your credits', url: `${origin}/account/credits` },
    after: [
      `You can have this payment back within ${MONEY_BACK_DAYS} days: write to us under Contact, Billing.`,
    ],
  })
}

export function paymentFailedMail({ to, origin }: { to: string; origin: string }): Mail {
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

export function unmatchedMail({
  to,
  id,
  amountCents,
  currency,
  reason,
  origin,
}: {
  to: string
  id: string
  amountCents: number
  currency: string
  reason: Reason
  origin: string
}): Mail {
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

export function lowBalanceMail({
  to,
  credits,
  origin,
}: {
  to: string
  credits: number
  origin: string
}): Mail {
  const count = `${credits} ${credits === 1 ? 'credit' : 'credits'}`
  return writeLetter(to, {
    subject: `You have ${count} left on ${BRAND}`,
    heading: `${count} left`,
    before: [`Your balance has fallen to ${count}. You asked to be told.`],
    button: { label: 'Buy credits', url: `${origin}/subscribe` },
    after: ['You can choose another number, or switch these mails off, under Account, Credits.'],
  })
}
