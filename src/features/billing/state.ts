/**
 * The stored state of plans, and the one way to change it: under the user's lock, so that the
 * provider's answer inside is the one that is written. A user's plan follows from the rows alone.
 */
import { and, desc, eq, inArray } from 'drizzle-orm'

import * as account from '#features/account/account.ts'
import * as credits from '#features/credits/credits.ts'
import { type Db, type Queryable, type Tx, lock } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { addMail } from '#server/mail-jobs.ts'
import type { Queue } from '#server/queue.ts'
import type { Semaphore } from '#server/semaphore.ts'
import type { PlanId } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import { paymentFailed } from './mails.ts'
import type { Checkout, Provider, ProviderEvent, Subscription } from './provider.ts'
import { events, payments, subscriptions } from './tables.ts'

export interface Deps {
  db: Db
  queue: Queue
  clock: Clock
  log: Log
  publicUrl: URL
  /** Null where payments are off. */
  provider: Provider | null
  /** At most a few at once wait for the provider with a database connection in hand. */
  places: Semaphore
}

/** The statuses in which the provider lets a plan run; `past_due` is tried again for some days. */
export const running = ['active', 'trialing', 'past_due']

/** The statuses after which no payment comes any more. */
const over = ['canceled', 'incomplete_expired', 'unpaid']

/** @throws Refusal `payments_off` */
export function providerOf({ provider }: Deps): Provider {
  if (!provider) throw new Refusal('payments_off')
  return provider
}

/**
 * Work on one user's plan and payments: one at a time, so that the provider's answer inside is the one
 * that is written. The lock ends with the transaction.
 */
export async function asUser<T>(
  { db, places }: Deps,
  userId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  await using _ = await places.take(undefined, { owner: userId })
  return await db.transaction(async (tx) => {
    await lock(tx, `billing:${userId}`)
    return work(tx)
  })
}

/** Stores the event. Answers false when it was stored, and with it acted on, before. */
export async function note(
  { clock }: Deps,
  tx: Tx,
  { id, type, about }: ProviderEvent,
): Promise<boolean> {
  const stored = await tx
    .insert(events)
    .values({ id, type, about: about && `${about.kind}:${about.id}`, receivedAt: clock() })
    .onConflictDoNothing()
    .returning()
  return stored.length > 0
}

export async function isKnown(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.select({ id: events.id }).from(events).where(eq(events.id, id))
  return rows.length > 0
}

/** Keeps what a subscription is now, and sets the plan that follows from it. */
export async function save(deps: Deps, tx: Tx, subscription: Subscription | null): Promise<void> {
  if (!subscription) return
  const { id, userId, nextPlanId, status, periodEndsAt, endsWithPeriod, createdAt } = subscription
  if (!(await account.addressOf(tx, userId))) {
    // The account was deleted before we knew that this was paid.
    if ((await isGone(tx, userId)) && running.includes(status)) {
      await providerOf(deps).endNow(id)
      deps.log.error({ subscriptionId: id, userId }, 'a plan of a deleted account is ended')
    }
    return
  }
  const known = await tx.select().from(subscriptions).where(eq(subscriptions.id, id))
  const state = { nextPlanId, status, periodEndsAt, endsWithPeriod }
  await tx
    .insert(subscriptions)
    .values({ id, userId, provider: providerOf(deps).name, createdAt, ...state })
    .onConflictDoUpdate({ target: subscriptions.id, set: state })
  if (status === 'past_due' && known[0]?.status !== 'past_due')
    await addMail(deps.queue, tx, paymentFailed, { userId })
  await setPlan(tx, userId)
}

/**
 * Whether it was an account of this server. The ledger tells it from one of another installation that
 * shares the provider's account.
 */
export async function isGone(tx: Tx, userId: string): Promise<boolean> {
  const wasOurs = (await credits.entries(tx, { userId, limit: 1 })).length > 0
  return wasOurs && !(await account.addressOf(tx, userId))
}

/**
 * Whether today's provider knows a subscription: it may be of test payments, or of another Stripe
 * account.
 */
export async function isKnownTo(
  provider: Provider,
  { id, provider: name }: Pick<typeof subscriptions.$inferSelect, 'id' | 'provider'>,
): Promise<boolean> {
  return name === provider.name && (await provider.subscription(id)) !== null
}

/** Whether a completed checkout waits for its money: it may arrive days later, or never. */
export async function isPending(
  provider: Provider,
  { state, subscriptionId }: Checkout,
): Promise<boolean> {
  if (state !== 'unpaid' || subscriptionId === null) return false
  const subscription = await provider.subscription(subscriptionId)
  return subscription !== null && !over.includes(subscription.status)
}

/** Ends a plan here alone: the provider of today does not know it. */
export async function endHere(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await tx.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.id, id))
  await setPlan(tx, userId)
}

/** A user's plan follows from the rows alone, so the order of events leaves no trace in it. */
export async function setPlan(tx: Tx, userId: string): Promise<void> {
  const plan = await runningPlan(tx, userId)
  const [newest] = await tx
    .select({ status: subscriptions.status })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id))
    .limit(1)
  await account.setPlan(tx, {
    userId,
    planType: plan?.paidPlanId ?? 'starter',
    subscriptionStatus: plan?.status ?? newest?.status ?? 'none',
  })
}

export type RunningPlan = typeof subscriptions.$inferSelect & { paidPlanId: PlanId }

/** The subscription that runs, with the plan of its last payment. */
export async function runningPlan(db: Queryable, userId: string): Promise<RunningPlan | null> {
  const [row] = await db
    .select({ subscription: subscriptions, paidPlanId: payments.planId })
    .from(subscriptions)
    .innerJoin(payments, eq(payments.subscriptionId, subscriptions.id))
    .where(and(eq(subscriptions.userId, userId), inArray(subscriptions.status, running)))
    // Where two began within one second, the dearer one came later: only a dearer plan is paid for at once.
    .orderBy(desc(payments.paidAt), desc(payments.amountCents))
    .limit(1)
  return row ? { ...row.subscription, paidPlanId: row.paidPlanId } : null
}
