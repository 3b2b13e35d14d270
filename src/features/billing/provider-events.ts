/**
 * Acts on the provider's events. An event only names a checkout, an invoice, a subscription or a
 * charge: the provider is then asked for its present state, and that is written down once. `catchUp`
 * asks without an event, where one may have been lost.
 *
 * Promise: a payment that granted nothing is told to its owner and to the operators.
 */
import { and, eq, inArray, lt } from 'drizzle-orm'

import * as account from '#features/account/account.ts'
import * as credits from '#features/credits/credits.ts'
import type { Queryable, Tx } from '#server/db.ts'
import { addMail } from '#server/mail-jobs.ts'
import { type PlanId, planOf } from '#shared/business.ts'

import { paymentUnmatched, receipt } from './mails.ts'
import type { Checkout, Invoice, Provider, ProviderEvent, Subscription } from './provider.ts'
import {
  type Deps,
  asUser,
  endHere,
  isGone,
  isKnown,
  isKnownTo,
  isPending,
  note,
  providerOf,
  running,
  save,
  setPlan,
} from './state.ts'
import type { Reason } from './status.ts'
import { checkouts, customers, payments, subscriptions, unmatched } from './tables.ts'

type Payment = typeof payments.$inferSelect

/** How long a checkout may stay open before the provider is asked about it. */
const CATCH_UP_MINUTES = 5

/** The ledger's names for the grant of a payment, for taking it back and for giving it again. */
const paymentCause = (invoiceId: string): string => `payment:${invoiceId}`
const reversalCause = (invoiceId: string, n: number): string => `reversal:${invoiceId}:${n}`

/** Takes in one event of the provider. A repeat changes nothing. */
export async function receive(deps: Deps, event: ProviderEvent): Promise<void> {
  const { about } = event
  if (!about || (await isKnown(deps.db, event.id))) return
  switch (about.kind) {
    case 'checkout':
      return void (await takeCheckout(deps, about.id, event))
    case 'invoice':
      return void (await takeInvoice(deps, about.id, { event }))
    case 'subscription':
      return takeSubscription(deps, about.id, event)
    case 'charge':
      return takeCharge(deps, about.id, event)
  }
}

/**
 * Asks the provider about checkouts that are still open and plans whose month is over: their events
 * may have been lost, or never come because no webhook is set up.
 */
export async function catchUp(deps: Deps): Promise<void> {
  const { db, provider } = deps
  if (!provider) return
  const now = deps.clock().getTime()
  const open = await db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(
      and(
        eq(checkouts.isOpen, true),
        eq(checkouts.provider, provider.name),
        lt(checkouts.createdAt, new Date(now - CATCH_UP_MINUTES * 60_000)),
      ),
    )
  for (const { id: checkoutId } of open)
    await attempt(deps, { checkoutId }, () => lookAtCheckout(deps, provider, checkoutId))

  const due = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        inArray(subscriptions.status, running),
        // Plans of the test checkout end when another provider is set up; those of Stripe go on
        // there, and are left as they are.
        inArray(subscriptions.provider, [provider.name, 'test']),
        lt(subscriptions.periodEndsAt, new Date(now)),
      ),
    )
  for (const row of due)
    await attempt(deps, { subscriptionId: row.id }, () => lookAtMonth(deps, provider, row))
}

/** A failure is logged and tried again next time, and holds up no other. */
async function attempt({ log }: Deps, facts: object, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.error({ ...facts, err: error }, 'could not look for news of a payment')
  }
}

async function lookAtCheckout(deps: Deps, provider: Provider, id: string): Promise<void> {
  const checkout = await provider.checkout(id)
  if (checkout?.state === 'paid') await takeCheckout(deps, id)
  else if (checkout?.state !== 'open' && !(checkout && (await isPending(provider, checkout))))
    await close(deps.db, id)
}

async function lookAtMonth(
  deps: Deps,
  provider: Provider,
  row: typeof subscriptions.$inferSelect,
): Promise<void> {
  const { id, userId } = row
  const isKnown = await isKnownTo(provider, row)
  const latest = isKnown ? (await provider.subscription(id))?.latestInvoiceId : null
  if (latest) await takeInvoice(deps, latest)
  await asUser(deps, userId, async (tx) =>
    isKnown ? save(deps, tx, await provider.subscription(id)) : endHere(tx, row),
  )
}

/** A checkout session, taken in: its invoice, when it was paid. */
export async function takeCheckout(
  deps: Deps,
  id: string,
  event?: ProviderEvent,
): Promise<Payment | null> {
  const checkout = await providerOf(deps).checkout(id)
  if (checkout?.state !== 'paid') {
    if (event) await deps.db.transaction((tx) => note(deps, tx, event))
    return null
  }
  if (checkout.invoiceId) return takeInvoice(deps, checkout.invoiceId, { event, checkout })
  await putAside(deps, checkout, event)
  return null
}

/**
 * A checkout that was paid, but has no invoice of ours. It is closed, so that it is told once and keeps
 * nobody from another purchase. Its subscription is stored, so that it ends with the account.
 */
async function putAside(
  deps: Deps,
  { id, userId, subscriptionId, amountCents, currency }: Checkout,
  event?: ProviderEvent,
): Promise<void> {
  const provider = providerOf(deps)
  await asUser(deps, userId, async (tx) => {
    if (event && !(await note(deps, tx, event))) return
    const subscription = subscriptionId && (await provider.subscription(subscriptionId))
    if (subscription && subscription.userId === userId) await save(deps, tx, subscription)
    const paidAt = deps.clock()
    if (await close(tx, id))
      await tell(deps, tx, { id, userId, reason: 'no_plan', amountCents, currency, paidAt })
  })
}

/**
 * Tells the operators and its owner once that a payment granted nothing. A trial that costs nothing is
 * no payment: nobody waits for credits, or for their money.
 */
async function tell(deps: Deps, tx: Tx, paid: typeof unmatched.$inferInsert): Promise<void> {
  if (paid.amountCents === 0) return
  const [isNew] = await tx.insert(unmatched).values(paid).onConflictDoNothing().returning()
  if (!isNew) return
  const { id, userId, reason } = isNew
  deps.log.error({ paymentId: id, userId, reason }, 'something paid has granted nothing')
  if (userId && (await account.addressOf(tx, userId)))
    await addMail(deps.queue, tx, paymentUnmatched, { userId, paymentId: id })
}

/** Answers whether it was open. */
async function close(db: Queryable, id: string): Promise<boolean> {
  const closed = await db
    .update(checkouts)
    .set({ isOpen: false })
    .where(and(eq(checkouts.id, id), eq(checkouts.isOpen, true)))
    .returning({ id: checkouts.id })
  return closed.length > 0
}

/**
 * An invoice, taken in: the payment and its grant if it is paid, and in any case the state of its
 * subscription. Answers the payment.
 */
export async function takeInvoice(
  deps: Deps,
  id: string,
  {
    event,
    checkout,
    follow,
  }: {
    event?: ProviderEvent | undefined
    checkout?: Checkout
    /** More to do with the payment in the same transaction. */
    follow?: (tx: Tx, payment: Payment) => Promise<void>
  } = {},
): Promise<Payment | null> {
  const provider = providerOf(deps)
  const invoice = await provider.invoice(id)
  const userId = invoice && (invoice.userId ?? (await customerHere(deps, invoice.customerId)))
  if (!invoice || userId === null) {
    if (checkout) await putAside(deps, checkout, event)
    else
      await deps.db.transaction(async (tx) => {
        if (event && !(await note(deps, tx, event))) return
        // Otherwise it is of another product on the same account of the provider.
        if (invoice?.isPaid && invoice.planId)
          await tell(deps, tx, { ...invoice, userId, reason: 'not_begun_here' })
      })
    return null
  }
  const taken = await asUser(deps, userId, async (tx) => {
    if (event && !(await note(deps, tx, event))) return null
    // A payment that was granted before its account was deleted is no loss, also when it is given back.
    if (invoice.isPaid && (await isGone(tx, userId)) && !(await paymentById(tx, id)))
      await tell(deps, tx, { ...invoice, userId, reason: 'account_gone' })
    // Asked under the user's lock: an answer from before another event is never written after it.
    const subscription = await provider.subscription(invoice.subscriptionId)
    await save(deps, tx, subscription)
    if (checkout) await close(tx, checkout.id)
    if (!invoice.isPaid) return null
    const month = monthOf(invoice, checkout)
    if (typeof month === 'string') {
      await tell(deps, tx, { ...invoice, userId, reason: month })
      return null
    }
    const payment = await takePayment(deps, tx, { invoice: month, subscription, checkout })
    await follow?.(tx, payment)
    await setPlan(tx, userId)
    return payment
  })
  return taken ?? paymentById(deps.db, id)
}

/** An invoice of somebody here for a month of a plan. */
type Month = Invoice & { userId: string; planId: PlanId }

/** The plan that a paid invoice is for, or the reason why it grants nothing. */
function monthOf(invoice: Invoice, checkout: Checkout | undefined): Month | Reason {
  const { userId, planId, isTrial } = invoice
  if (userId === null) return 'not_begun_here'
  if (planId === null) return 'no_plan'
  if (isTrial) return 'trial'
  if (checkout && (checkout.userId !== userId || checkout.planId !== planId))
    return 'other_checkout'
  return { ...invoice, userId, planId }
}

/** The user behind a customer of the provider, where this server made that customer. */
async function customerHere({ db }: Deps, id: string): Promise<string | null> {
  const [customer] = await db.select().from(customers).where(eq(customers.id, id))
  return customer?.userId ?? null
}

/** The payment of an invoice. Where it is new, it grants its credits and its receipt is mailed. */
async function takePayment(
  deps: Deps,
  tx: Tx,
  {
    invoice,
    subscription,
    checkout,
  }: { invoice: Month; subscription: Subscription | null; checkout: Checkout | undefined },
): Promise<Payment> {
  const { id, userId, planId } = invoice
  const [added] = await tx
    .insert(payments)
    .values({ ...invoice, provider: providerOf(deps).name, credits: planOf(planId).credits })
    .onConflictDoNothing({ target: payments.id })
    .returning()
  if (added && (await account.addressOf(tx, userId))) {
    await credits.grant(tx, { userId, cause: paymentCause(id), credits: added.credits })
    // It may have granted nothing before, and an operator has mended the cause since.
    await tx.delete(unmatched).where(eq(unmatched.id, id))
    await addMail(deps.queue, tx, receipt, { userId, paymentId: id })
    if (subscription) await keep(deps, tx, { invoice, subscription })
  }
  if (checkout)
    await tx.update(payments).set({ checkoutId: checkout.id }).where(eq(payments.id, id))
  const payment = await paymentById(tx, id)
  if (!payment) throw new Error(`payment ${id} vanished while it was taken in`)
  return payment
}

/**
 * A user who has paid for a dearer plan means to keep it: an end that was asked for before is called
 * off. This happens when the payment is taken in, because the bank may first ask the card's owner, long
 * after the change was asked for.
 */
async function keep(
  deps: Deps,
  tx: Tx,
  { invoice, subscription }: { invoice: Invoice; subscription: Subscription },
): Promise<void> {
  const { id, status, endsWithPeriod, endAskedAt } = subscription
  const isAskedSince = endAskedAt !== null && endAskedAt > invoice.paidAt
  if (!invoice.isChange || !endsWithPeriod || isAskedSince || !running.includes(status)) return
  const provider = providerOf(deps)
  await provider.endWithPeriod(subscription, false)
  await save(deps, tx, await provider.subscription(id))
}

async function takeSubscription(deps: Deps, id: string, event: ProviderEvent): Promise<void> {
  const provider = providerOf(deps)
  const subscription = await provider.subscription(id)
  if (!subscription) {
    await deps.db.transaction((tx) => note(deps, tx, event))
    return
  }
  await asUser(deps, subscription.userId, async (tx) => {
    if (await note(deps, tx, event)) await save(deps, tx, await provider.subscription(id))
  })
}

/** A charge that was given back or is disputed: the credits it bought follow. */
async function takeCharge(deps: Deps, id: string, event: ProviderEvent): Promise<void> {
  const provider = providerOf(deps)
  const charge = await provider.charge(id)
  if (!charge?.invoiceId) {
    await deps.db.transaction((tx) => note(deps, tx, event))
    return
  }
  await takeInvoice(deps, charge.invoiceId, {
    event,
    follow: async (tx, payment) => {
      // Under the lock, as with subscriptions: an older answer must not undo a newer one.
      const now = await provider.charge(id)
      if (!now) return
      const { refundedCents, disputedCents } = now
      await settleReversal(tx, { ...payment, refundedCents, disputedCents })
    },
  })
}

/** Takes the credits of a payment's lost part, or gives them again when the bank decided for us. */
async function settleReversal(tx: Tx, payment: Payment): Promise<void> {
  const { id, userId, amountCents, refundedCents, disputedCents } = payment
  const gone = Math.min(amountCents, refundedCents + disputedCents)
  const due = amountCents === 0 ? 0 : Math.floor((payment.credits * gone) / amountCents)
  let { takenCredits, reversals } = payment
  if (due > payment.reversedCredits) {
    const cause = reversalCause(id, (reversals += 1))
    takenCredits += await credits.reverse(tx, {
      userId,
      cause,
      credits: due - payment.reversedCredits,
    })
  } else if (takenCredits > due) {
    const cause = reversalCause(id, (reversals += 1))
    await credits.grant(tx, { userId, cause, credits: takenCredits - due })
    takenCredits = due
  }
  await tx
    .update(payments)
    .set({ refundedCents, disputedCents, reversedCredits: due, takenCredits, reversals })
    .where(eq(payments.id, id))
}

async function paymentById(db: Queryable, id: string): Promise<Payment | null> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id))
  return payment ?? null
}
