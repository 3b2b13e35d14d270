/**
 * The payment provider that is built in, for trying the product on one's own machine: it keeps in
 * the database the objects that a real one would keep, and moves no money. All other code is the same
 * that Stripe's payments go through.
 */
import { randomUUID } from 'node:crypto'

import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'

import type { Db, Queryable } from '#server/db.ts'
import { CURRENCY, planOf } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'

import { PlanName } from './contract.ts'
import { monthAfter } from './months.ts'
import type { Checkout, Provider } from './provider.ts'
import { testObjects } from './tables.ts'

const TestCheckout = z.object({
  userId: z.string(),
  planId: PlanName,
  state: z.enum(['open', 'paid', 'expired']),
  wasDeclined: z.boolean(),
  successUrl: z.string(),
  leaveUrl: z.string(),
  invoiceId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
})
export type TestCheckout = z.infer<typeof TestCheckout>

const TestSubscription = z.object({
  userId: z.string(),
  planId: PlanName,
  status: z.enum(['active', 'canceled']),
  periodEndsAt: z.coerce.date(),
  endsWithPeriod: z.boolean(),
  createdAt: z.coerce.date(),
  latestInvoiceId: z.string(),
})

const TestInvoice = z.object({
  userId: z.string(),
  subscriptionId: z.string(),
  planId: PlanName,
  // Invoices from before this field are for months.
  isChange: z.boolean().default(false),
  paidAt: z.coerce.date(),
})

const shapes = {
  checkout: TestCheckout,
  subscription: TestSubscription,
  invoice: TestInvoice,
}
type Kind = keyof typeof shapes
type Data<K extends Kind> = z.output<(typeof shapes)[K]>

export interface TestProvider extends Provider {
  /** The content of the checkout page; null when there is no such page. */
  page(id: string): Promise<TestCheckout | null>
  /** Pays an open page. Pressed twice, it pays once. */
  pay(id: string): Promise<void>
  decline(id: string): Promise<void>
  /** Moves each subscription to the present: its new months are paid, or it has ended. */
  passTime(): Promise<void>
}

export function testProvider({
  db,
  clock,
  publicUrl,
}: {
  db: Db
  clock: Clock
  publicUrl: URL
}): TestProvider {
  return {
    name: 'test',
    createCustomer: async () => newId('cus'),
    hasCustomer: async () => true,

    async openCheckout({ userId, planId, successUrl, leaveUrl }) {
      const sessionId = newId('cs')
      await write(db, 'checkout', sessionId, {
        userId,
        planId,
        state: 'open',
        wasDeclined: false,
        successUrl: successUrl.replace('{SESSION}', sessionId),
        leaveUrl,
        invoiceId: null,
        subscriptionId: null,
      })
      return { sessionId, url: new URL(`/dev/checkout/${sessionId}`, publicUrl).href }
    },

    page: (sessionId) => read(db, 'checkout', sessionId),

    async pay(sessionId) {
      await change(db, 'checkout', sessionId, async (q, page) => {
        if (page.state !== 'open') return null
        const { userId, planId } = page
        const paidAt = clock()
        const subscriptionId = newId('sub')
        const invoiceId = await bill(q, subscriptionId, { userId, planId, paidAt })
        await write(q, 'subscription', subscriptionId, {
          userId,
          planId,
          status: 'active',
          periodEndsAt: monthAfter(paidAt),
          endsWithPeriod: false,
          createdAt: paidAt,
          latestInvoiceId: invoiceId,
        })
        return { ...page, state: 'paid' as const, invoiceId, subscriptionId }
      })
    },

    decline: (sessionId) =>
      change(db, 'checkout', sessionId, async (_q, page) =>
        page.state === 'open' ? { ...page, wasDeclined: true } : null,
      ),

    expireCheckout: (sessionId) =>
      change(db, 'checkout', sessionId, async (_q, page) =>
        page.state === 'open' ? { ...page, state: 'expired' as const } : null,
      ),

    async checkout(sessionId) {
      const page = await read(db, 'checkout', sessionId)
      if (!page) return null
      const { priceCents } = planOf(page.planId)
      return {
        ...page,
        id: sessionId,
        amountCents: priceCents,
        currency: CURRENCY,
      } satisfies Checkout
    },

    async invoice(invoiceId) {
      const invoice = await read(db, 'invoice', invoiceId)
      if (!invoice) return null
      const { priceCents } = planOf(invoice.planId)
      return {
        ...invoice,
        id: invoiceId,
        customerId: '',
        isTrial: false,
        number: null,
        amountCents: priceCents,
        taxCents: 0,
        currency: CURRENCY,
        isPaid: true,
        receiptUrl: null,
      }
    },

    async subscription(subscriptionId) {
      const subscription = await read(db, 'subscription', subscriptionId)
      if (!subscription) return null
      const { planId, ...rest } = subscription
      return {
        ...rest,
        id: subscriptionId,
        nextPlanId: planId,
        endAskedAt: null,
        itemId: subscriptionId,
      }
    },

    charge: async () => null,
    quoteChange: async (_subscription, planId) => ({ amountCents: planOf(planId).priceCents }),

    async changeNow(subscription, planId) {
      let invoiceId = subscription.latestInvoiceId ?? ''
      await change(db, 'subscription', subscription.id, async (q, now) => {
        if (now.status !== 'active') return null
        const paidAt = clock()
        const { userId } = now
        invoiceId = await bill(q, subscription.id, { userId, planId, paidAt, isChange: true })
        return { ...now, planId, periodEndsAt: monthAfter(paidAt), latestInvoiceId: invoiceId }
      })
      return { kind: 'paid', invoiceId }
    },

    changeNext: ({ id: subscriptionId }, planId) =>
      change(db, 'subscription', subscriptionId, async (_q, now) => ({ ...now, planId })),

    endWithPeriod: ({ id: subscriptionId }, endsWithPeriod) =>
      change(db, 'subscription', subscriptionId, async (_q, now) => ({ ...now, endsWithPeriod })),

    endNow: (subscriptionId) =>
      change(db, 'subscription', subscriptionId, async (_q, now) => ({
        ...now,
        status: 'canceled' as const,
      })),

    portal: async () => null,

    async passTime() {
      const now = clock()
      for (const subscriptionId of await dueBy(db, now))
        await change(db, 'subscription', subscriptionId, async (q, one) => {
          if (one.status !== 'active' || one.periodEndsAt > now) return null
          if (one.endsWithPeriod) return { ...one, status: 'canceled' as const }
          const { userId, planId } = one
          const paidAt = one.periodEndsAt
          const latestInvoiceId = await bill(q, subscriptionId, { userId, planId, paidAt })
          return { ...one, periodEndsAt: monthAfter(paidAt), latestInvoiceId }
        })
    },
  }
}

async function read<K extends Kind>(q: Queryable, kind: K, id: string): Promise<Data<K> | null> {
  const [row] = await q
    .select()
    .from(testObjects)
    .where(and(eq(testObjects.id, id), eq(testObjects.kind, kind)))
  return row ? (shapes[kind].parse(row.data) as Data<K>) : null
}

async function write<K extends Kind>(q: Queryable, kind: K, id: string, data: Data<K>) {
  await q
    .insert(testObjects)
    .values({ id, kind, data })
    .onConflictDoUpdate({ target: testObjects.id, set: { data } })
}

/** Changes an object while nobody else does. */
const change = async <K extends Kind>(
  db: Db,
  kind: K,
  id: string,
  work: (q: Queryable, now: Data<K>) => Promise<Data<K> | null>,
) =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from ${testObjects} where id = ${id} for update`)
    const now = await read(tx, kind, id)
    const next = now && (await work(tx, now))
    if (next) await write(tx, kind, id, next)
  })

const newId = (prefix: string) => `${prefix}_test_${randomUUID().replaceAll('-', '')}`

async function bill(
  q: Queryable,
  subscriptionId: string,
  {
    isChange = false,
    ...about
  }: Omit<Data<'invoice'>, 'subscriptionId' | 'isChange'> & {
    isChange?: boolean
  },
) {
  const id = newId('in')
  await write(q, 'invoice', id, { ...about, isChange, subscriptionId })
  return id
}

/** The subscriptions whose month is over. */
async function dueBy(db: Db, now: Date): Promise<string[]> {
  const due = await db
    .select({ id: testObjects.id })
    .from(testObjects)
    .where(
      and(
        eq(testObjects.kind, 'subscription'),
        sql`${testObjects.data}->>'status' = 'active'`,
        sql`(${testObjects.data}->>'periodEndsAt')::timestamptz <= ${now}`,
      ),
    )
  return due.map(({ id }) => id)
}
