import { z } from 'zod'

import { LOW_CREDITS } from '#shared/business.ts'

export const PlanName = z.enum(['starter', 'professional', 'enterprise'])

/** The amount is in dollars; the price is the plan table's. */
export const OpenCheckout = z.object({
  amount: z.number(),
  planId: PlanName,
  description: z.string().max(200).optional(),
})
export type OpenCheckout = z.infer<typeof OpenCheckout>
export const CheckoutOpened = z.object({ sessionId: z.string(), url: z.string() })
export type CheckoutOpened = z.infer<typeof CheckoutOpened>

export const ReportSuccess = z.object({
  planId: PlanName,
  sessionId: z.string().max(200).optional(),
})
export type ReportSuccess = z.infer<typeof ReportSuccess>
export const SuccessReported = z.object({
  creditsAdded: z.int(),
  planId: PlanName,
  /** In dollars. */
  amountPaid: z.number(),
})
export type SuccessReported = z.infer<typeof SuccessReported>

export const Billing = z.object({
  payments: z.enum(['stripe', 'test', 'off']),
  /** The running plan, or null: never bought, or ended. */
  plan: z
    .object({
      planId: PlanName,
      status: z.string(),
      periodEndsAt: z.iso.datetime(),
      endsWithPeriod: z.boolean(),
      /** The plan of the next month. */
      nextPlanId: PlanName,
      hasPortal: z.boolean(),
    })
    .nullable(),
  invoices: z.array(
    z.object({
      id: z.string(),
      /** The one on the receipt; null where the provider has none. */
      number: z.string().nullable(),
      planId: PlanName,
      paidAt: z.iso.datetime(),
      /** As it is written: $9.99. */
      amount: z.string(),
      /** Null: nothing was given back. */
      refunded: z.string().nullable(),
      credits: z.int(),
    }),
  ),
  /** Payments of the last days that added no credits. */
  unmatched: z.array(
    z.object({ id: z.string(), paidAt: z.iso.datetime(), amount: z.string(), why: z.string() }),
  ),
})
export type Billing = z.infer<typeof Billing>

export const AskChange = z.object({ planId: PlanName })
export type AskChange = z.infer<typeof AskChange>
export const ChangePreview = z.object({
  planId: PlanName,
  /** `now` costs the amount at once, `next` from the end of the month on, `keep` calls a change off. */
  when: z.enum(['now', 'next', 'keep']),
  /** In dollars, taken from the card at once. */
  amountNow: z.number(),
  creditsNow: z.int(),
  /** In dollars, every month from then on. */
  amountMonthly: z.number(),
  /** The next payment after the change. */
  nextPaymentAt: z.iso.datetime(),
})
export type ChangePreview = z.infer<typeof ChangePreview>

/** The amount is the one that the preview said; another one is refused. */
export const ChangePlan = z.object({ planId: PlanName, amountNow: z.number() })
export type ChangePlan = z.infer<typeof ChangePlan>
export const PlanChanged = z.object({
  billing: Billing,
  /**
   * The page on which the bank asks the card's owner, if it wants to. The plan only changes after
   * that.
   */
  confirmUrl: z.string().nullable(),
})
export type PlanChanged = z.infer<typeof PlanChanged>

export const PortalOpened = z.object({ url: z.string() })
export type PortalOpened = z.infer<typeof PortalOpened>

/** A line of the ledger in plain words. */
export const CreditLine = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  what: z.enum(['Granted', 'Bought', 'Held', 'Taken', 'Returned', 'Taken back', 'Given back']),
  title: z.string(),
  /** The length of the recording, in seconds. */
  seconds: z.number().nullable(),
  note: z.string().nullable(),
  /** The page that the line leads to: a transcription, by its id, or a receipt, by its address. */
  transcriptionId: z.uuid().nullable(),
  receiptUrl: z.string().nullable(),
  change: z.int(),
  balance: z.int(),
  entries: z.array(
    z.object({ at: z.iso.datetime(), words: z.string(), change: z.int(), balance: z.int() }),
  ),
})
export type CreditLine = z.infer<typeof CreditLine>

export const CreditPage = z.object({
  available: z.int(),
  held: z.int(),
  spent: z.int(),
  /** How many lines there are in all. */
  count: z.int(),
  lines: z.array(CreditLine),
  /** The id to ask for the next page with, or null at the end. */
  next: z.int().nullable(),
  /** Below this number of credits a mail is sent; null when none is wanted. */
  alertBelow: z.int().nullable(),
})
export type CreditPage = z.infer<typeof CreditPage>
export const CreditQuery = z.object({ before: z.coerce.number().int().positive().optional() })

export const SetAlert = z.object({
  below: z.int().min(1).max(10_000).nullable().default(LOW_CREDITS),
})
export type SetAlert = z.input<typeof SetAlert>

/** Dollars as the calls speak them; cents everywhere else. */
export const dollars = (cents: number): number => cents / 100
export const cents = (dollars: number): number => Math.round(dollars * 100)
