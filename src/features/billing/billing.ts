/**
 * Plans and payments. What this room promises:
 *
 * - A month that was paid for grants its credits once, by whichever report, in any order and
 *   however often: the invoice is the key, not the event.
 * - An invoice that the provider calls paid is paid, by whatever means: a card, a balance, a voucher,
 *   another currency. An unpaid one grants nothing. Neither does a payment for no plan of ours, of
 *   which its owner and the operators are told. An event only names the object to look at: the
 *   provider is then asked for its present state.
 * - An event is stored in one transaction with its effects. A crash before that leaves neither, and
 *   the provider sends the event again.
 * - A user is charged for a change of plan the amount that was shown before, or the change is refused.
 * - When a payment is given back, the credits that it bought are taken, at most those that can still
 *   be spent.
 */
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'

import * as account from '#features/account/account.ts'
import type { Queryable, Tx } from '#server/db.ts'
import { type PlanId, planOf } from '#shared/business.ts'
import { formatMoney } from '#shared/format.ts'
import { Refusal } from '#shared/refusals.ts'

import { type Billing, type SuccessReported, dollars } from './contract.ts'
import { takeCheckout } from './provider-events.ts'
import type { Checkout, Provider } from './provider.ts'
import {
  type Deps,
  asUser,
  endHere,
  isKnownTo,
  isPending,
  providerOf,
  running,
  runningPlan,
} from './state.ts'
import { whyUnmatched } from './status.ts'
import { checkouts, customers, payments, subscriptions, unmatched } from './tables.ts'

/** A checkout page can be paid for a day. */
const CHECKOUT_HOURS = 24

/**
 * Opens a checkout page for a plan. Pages of this user that are still open are closed, so that one
 * purchase in two tabs is paid once.
 *
 * @throws Refusal `payments_off`, `wrong_amount`, `already_subscribed`, `payment_pending`
 */
export async function openCheckout(
  deps: Deps,
  order: { userId: string; planId: PlanId; amountCents: number },
): Promise<{ sessionId: string; url: string }> {
  const { userId, planId, amountCents } = order
  const provider = providerOf(deps)
  const plan = planOf(planId)
  if (amountCents !== plan.priceCents) throw new Refusal('wrong_amount')

  const opened = await asUser(deps, userId, async (tx) => {
    const { paid, pending } = await closeOpenCheckouts(provider, tx, userId)
    if (paid.length > 0) return { paid }
    if (pending.length > 0) throw new Refusal('payment_pending')
    const current = await runningPlan(tx, userId)
    if (current && (await isKnownTo(provider, current))) throw new Refusal('already_subscribed')
    if (current) await endHere(tx, current)
    const page = await provider.openCheckout({
      userId,
      planId,
      customerId: await customerOf(provider, tx, userId),
      description: `${plan.name} subscription`,
      successUrl: `${deps.publicUrl.origin}/subscription-success?plan=${planId}&session_id={SESSION}`,
      leaveUrl: `${deps.publicUrl.origin}/subscribe?plan=${planId}&checkout=left`,
    })
    const createdAt = deps.clock()
    const row = { id: page.sessionId, userId, provider: provider.name, planId, createdAt }
    await tx.insert(checkouts).values(row).onConflictDoNothing()
    return { page }
  })
  if (opened.page) return opened.page
  // Another tab may have paid a page whose event has not arrived yet. Its payment is taken in now, so
  // that nobody pays twice.
  for (const { id } of opened.paid)
    if (await takeCheckout(deps, id)) throw new Refusal('already_subscribed')
  // No page held a right payment. Taking them in has closed them, so this purchase can go on.
  return openCheckout(deps, order)
}

/**
 * Looks whether this user has paid for this plan, grants the credits that were not granted yet, and
 * answers the purchase. The same call answers the same again.
 *
 * @throws Refusal `payments_off`, `not_paid`
 */
export async function reportSuccess(
  deps: Deps,
  { userId, planId, sessionId }: { userId: string; planId: PlanId; sessionId: string | undefined },
): Promise<SuccessReported> {
  providerOf(deps)
  const ids =
    sessionId === undefined ? await recentCheckouts(deps, { userId, planId }) : [sessionId]
  for (const id of ids) {
    const payment = await takeCheckout(deps, id)
    if (payment?.userId === userId && payment.planId === planId)
      return {
        creditsAdded: payment.credits,
        planId: payment.planId,
        amountPaid: dollars(payment.amountCents),
      }
  }
  throw new Refusal('not_paid')
}

/** The provider's page for cards and invoices. @throws Refusal `payments_off`, `no_subscription` */
export async function portal(deps: Deps, userId: string): Promise<{ url: string }> {
  const provider = providerOf(deps)
  const [customer] = await customersOf(deps.db, provider, userId)
  const page = customer ? await provider.portal(customer.id) : null
  if (!page) throw new Refusal('no_subscription')
  return page
}

/** The plan and the payments as their owner sees them. */
export async function get(
  { db, provider, clock }: Pick<Deps, 'db' | 'provider' | 'clock'>,
  userId: string,
): Promise<Billing> {
  const plan = await runningPlan(db, userId)
  const invoices = await db
    .select()
    .from(payments)
    .where(eq(payments.userId, userId))
    .orderBy(desc(payments.paidAt))
    .limit(100)
  return {
    payments: provider?.name ?? 'off',
    plan: plan && {
      planId: plan.paidPlanId,
      status: plan.status,
      periodEndsAt: plan.periodEndsAt.toISOString(),
      endsWithPeriod: plan.endsWithPeriod,
      nextPlanId: plan.nextPlanId ?? plan.paidPlanId,
      hasPortal: plan.provider === 'stripe' && provider?.name === 'stripe',
    },
    invoices: invoices.map((payment) => ({
      id: payment.id,
      number: payment.number,
      planId: payment.planId,
      paidAt: payment.paidAt.toISOString(),
      amount: formatMoney(payment.amountCents, payment.currency),
      refunded:
        payment.refundedCents > 0 ? formatMoney(payment.refundedCents, payment.currency) : null,
      credits: payment.credits,
    })),
    unmatched: (await listUnmatched(db, { now: clock(), userId })).map(
      ({ id, paidAt, amount, why }) => ({ id, paidAt, amount, why }),
    ),
  }
}

/**
 * Before an account is deleted: its plans end at once, and nothing can be paid any more. Payments
 * stay in the books. Answers how many ended.
 *
 * @throws Refusal `plan_out_of_reach`
 */
export async function end({ provider }: Deps, tx: Tx, userId: string): Promise<number> {
  const mine = await tx
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), inArray(subscriptions.status, running)))
  // A plan at Stripe that this server cannot end would go on charging a deleted user. Test payments
  // move no money, and a plan that ends with its month charges nothing more.
  const isOutOfReach = (row: (typeof mine)[number]) =>
    row.provider === 'stripe' && provider?.name !== 'stripe' && !row.endsWithPeriod
  if (mine.some(isOutOfReach)) throw new Refusal('plan_out_of_reach')
  if (!provider) return 0

  const ids = new Set(mine.filter((row) => row.provider === provider.name).map(({ id }) => id))
  // Checkout pages that are still open are closed. A page that was paid before its event arrived
  // has begun a plan: it ends too, because nobody is left to give its credits to.
  const { paid, pending } = await closeOpenCheckouts(provider, tx, userId)
  for (const { subscriptionId } of [...paid, ...pending])
    if (subscriptionId !== null) ids.add(subscriptionId)
  for (const id of ids) await provider.endNow(id)
  return ids.size
}

const TOLD_DAYS = 30

/** How many payments of the last month granted nothing: an operator has to look at each. */
export const countUnmatched = (db: Queryable, now: Date): Promise<number> =>
  db.$count(unmatched, isToldAt(now))

const isToldAt = (now: Date) =>
  gt(unmatched.paidAt, new Date(now.getTime() - TOLD_DAYS * 86_400_000))

/** Payments of the last month that granted nothing, newest first; of one user, or of all. */
export async function listUnmatched(
  db: Queryable,
  { now, userId }: { now: Date; userId?: string },
) {
  const { paidAt } = unmatched
  const rows = await db
    .select()
    .from(unmatched)
    .where(and(isToldAt(now), userId === undefined ? undefined : eq(unmatched.userId, userId)))
    .orderBy(desc(paidAt))
    .limit(50)
  return rows.map(({ amountCents, currency, reason, ...row }) => ({
    ...row,
    why: whyUnmatched[reason],
    paidAt: row.paidAt.toISOString(),
    amount: formatMoney(amountCents, currency),
  }))
}

export interface PaymentFacts {
  planId: PlanId
  amountCents: number
  currency: string
}

/** The payments with these ids, as far as they are this user's. */
export async function paymentsOf(
  db: Queryable,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<Map<string, PaymentFacts>> {
  const rows = await db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), inArray(payments.id, [...ids])))
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Closes the checkout pages of this user that are still open. Answers those that are paid or being
 * paid.
 */
async function closeOpenCheckouts(
  provider: Provider,
  tx: Tx,
  userId: string,
): Promise<{ paid: Checkout[]; pending: Checkout[] }> {
  const open = await tx
    .select()
    .from(checkouts)
    .where(
      and(
        eq(checkouts.userId, userId),
        eq(checkouts.provider, provider.name),
        eq(checkouts.isOpen, true),
      ),
    )
  const paid: Checkout[] = []
  const pending: Checkout[] = []
  for (const { id } of open) {
    await provider.expireCheckout(id)
    const now = await provider.checkout(id)
    if (now?.state === 'paid') paid.push(now)
    else if (now && (await isPending(provider, now))) pending.push(now)
    else await tx.update(checkouts).set({ isOpen: false }).where(eq(checkouts.id, id))
  }
  return { paid, pending }
}

async function recentCheckouts(
  { db, clock }: Deps,
  { userId, planId }: { userId: string; planId: PlanId },
): Promise<string[]> {
  const since = new Date(clock().getTime() - CHECKOUT_HOURS * 3_600_000)
  const rows = await db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(
      and(
        eq(checkouts.userId, userId),
        eq(checkouts.planId, planId),
        sql`${checkouts.createdAt} > ${since}`,
      ),
    )
    .orderBy(desc(checkouts.createdAt))
    .limit(5)
  return rows.map(({ id }) => id)
}

async function customerOf(provider: Provider, tx: Tx, userId: string): Promise<string> {
  const [known] = await customersOf(tx, provider, userId)
  if (known && (await provider.hasCustomer(known.id))) return known.id
  const person = await account.addressOf(tx, userId)
  if (!person) throw new Refusal('not_signed_in')
  const id = await provider.createCustomer({ userId, ...person })
  await tx
    .insert(customers)
    .values({ userId, provider: provider.name, id })
    .onConflictDoUpdate({ target: [customers.userId, customers.provider], set: { id } })
  return id
}

function customersOf(db: Queryable, provider: Provider, userId: string) {
  return db
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.userId, userId), eq(customers.provider, provider.name)))
}
