import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { users } from '#features/account/tables.ts'
import * as credits from '#features/credits/credits.ts'
import { plans } from '#shared/business.ts'
import { seeded } from '#shared/random.ts'
import { test as base } from '#test/database.ts'
import { aUser } from '#test/factories.ts'
import { isLong, times } from '#test/long.ts'
import { type Shop, aShop } from '#test/payments.ts'
import { crashing, purchases } from '#test/purchases.ts'

import type { Billing } from './contract.ts'
import { whyUnmatched } from './status.ts'
import { events } from './tables.ts'

const test = base.extend('shop', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const shop = await aShop(database, { works: false })
  onCleanup(() => shop.close())
  return shop
})

type PlanName = (typeof plans)[number]['id']
type Person = { id: string }

const report = async (shop: Shop, user: Person, payload: object) =>
  (await shop.as(user))({ method: 'POST', url: '/api/subscription-success', payload })

test('purchases whose events come twice, shuffled and into crashes are granted once each', async ({
  db,
  shop,
}) => {
  const random = seeded(7)
  const crash = { count: 0, next: () => random() < 0.1 }
  crashing(shop, crash)
  const audit = await purchases(db, shop, { count: times(12, 30), random, crash })
  crash.next = () => false
  expect(audit.problems).toEqual([])
  expect(audit.paid).toBeGreaterThan(times(6, 15))
  expect(audit.crashes).toBeGreaterThan(times(1, 5))
})

/** Attempts to be given credits that nobody paid for. Each is made by a new user. */
const forgeries: [
  string,
  (shop: Shop, user: Person, plan: PlanName, other: Person) => Promise<unknown>,
][] = [
  ['no session at all', (shop, user, planId) => report(shop, user, { planId })],
  [
    'a made-up session',
    (shop, user, planId) => report(shop, user, { planId, sessionId: 'cs_test_0123456789abcdef' }),
  ],
  [
    'a page that was not paid',
    async (shop, user, planId) => {
      const { sessionId } = await shop.open(user, planId)
      await report(shop, user, { planId, sessionId })
      return report(shop, user, { planId })
    },
  ],
  [
    'a payment that has not arrived',
    async (shop, user, planId) => {
      const { sessionId } = await shop.open(user, planId)
      shop.stripe.pay(sessionId, { payment_status: 'unpaid' })
      return report(shop, user, { planId, sessionId })
    },
  ],
  [
    'a page that was closed',
    async (shop, user, planId) => {
      const { sessionId } = await shop.open(user, planId)
      shop.stripe.change(sessionId, { status: 'expired' })
      return report(shop, user, { planId, sessionId })
    },
  ],
  [
    'a session paid by somebody else',
    async (shop, user, planId, other) => {
      const { sessionId } = await shop.open(other, planId)
      shop.stripe.pay(sessionId)
      return report(shop, user, { planId, sessionId })
    },
  ],
  [
    'a session in whose name another paid',
    async (shop, user, planId, other) => {
      const { sessionId } = await shop.open(other, planId)
      shop.stripe.pay(sessionId, { client_reference_id: user.id })
      return report(shop, user, { planId, sessionId })
    },
  ],
  [
    'a session of another product on the same account',
    async (shop, user, planId) => {
      const { sessionId } = await shop.open(user, planId)
      const { invoice } = shop.stripe.pay(sessionId, { metadata: { planId } })
      shop.stripe.change(invoice.id, {
        parent: { subscription_details: { subscription: 'sub_of_another', metadata: {} } },
      })
      return report(shop, user, { planId, sessionId })
    },
  ],
  [
    'an invoice that is not paid',
    async (shop, user, planId) => {
      const { sessionId } = await shop.open(user, planId)
      const { invoice } = shop.stripe.pay(sessionId)
      shop.stripe.change(invoice.id, { status: 'open', amount_paid: 0 })
      return report(shop, user, { planId, sessionId })
    },
  ],
  [
    'an amount of one’s own',
    async (shop, user, planId) =>
      (await shop.as(user))({
        method: 'POST',
        url: '/api/create-payment-intent',
        payload: { planId, amount: 0.01 },
      }),
  ],
]

for (const [index, [name, forge]] of forgeries.entries())
  test(`${name} grants nothing, for any plan`, async ({ db, shop }) => {
    // In `npm test` each is tried on one plan, in turn.
    for (const { id: planId } of isLong ? plans : [plans[index % plans.length]!]) {
      const [user, other] = [await aUser(db), await aUser(db)]
      const from = shop.stripe.events.length
      const answer = (await forge(shop, user, planId, other)) as { statusCode: number }
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(answer.statusCode).toBeLessThan(500)
      // The provider's own events about it change nothing either.
      for (const event of shop.stripe.events.slice(from))
        expect(await shop.deliver(event)).toBe(200)
      expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })
    }
  })

test('a paid plan cannot be reported as another one', async ({ db, shop }) => {
  for (const { id: paid, credits: granted } of plans) {
    const user = await aUser(db)
    const { sessionId } = await shop.open(user, paid)
    shop.stripe.pay(sessionId)
    for (const { id: planId } of plans)
      if (planId !== paid)
        expect((await report(shop, user, { planId, sessionId })).statusCode).toBe(402)
    expect((await credits.balance(db, user.id)).available).toBe(granted)
  }
})

test('a checkout that names the invoice of another user grants nothing', async ({ db, shop }) => {
  const [user, other] = [await aUser(db), await aUser(db)]
  const { sessionId } = await shop.open(user, 'starter')
  const theirs = await shop.open(other, 'starter')
  const from = shop.stripe.events.length
  const { invoice, subscription } = shop.stripe.pay(theirs.sessionId)
  const paid = { status: 'complete', payment_status: 'paid' }
  shop.stripe.change(sessionId, { ...paid, invoice: invoice.id, subscription: subscription.id })
  const told = shop.stripe.happened('checkout.session.completed', sessionId)
  expect(await shop.deliver(told)).toBe(200)
  expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })
  expect(await credits.balance(db, other.id)).toEqual({ available: 0, held: 0 })
  const { unmatched } = (await (await shop.as(other))('/api/billing')).json<Billing>()
  expect(unmatched).toMatchObject([{ why: whyUnmatched.other_checkout }])

  // The paid invoice is granted to its own user, by its own events.
  for (const event of shop.stripe.events.slice(from)) expect(await shop.deliver(event)).toBe(200)
  expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })
  expect((await credits.balance(db, other.id)).available).toBe(50)
})

test('a checkout whose invoice is for another plan grants nothing', async ({ db, shop }) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  shop.stripe.pay(sessionId)
  const { metadata } = shop.stripe.change(sessionId, {})
  shop.stripe.change(sessionId, { metadata: { ...(metadata as object), planId: 'enterprise' } })
  const told = shop.stripe.happened('checkout.session.completed', sessionId)
  expect(await shop.deliver(told)).toBe(200)
  expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })
  const { unmatched } = (await (await shop.as(user))('/api/billing')).json<Billing>()
  expect(unmatched).toMatchObject([{ why: whyUnmatched.other_checkout }])
})

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, at) =>
        permutations(all.filter((_other, index) => index !== at)).map((rest) => [one, ...rest]),
      )

test('five events of one purchase end the same in every order', async ({ db, shop }) => {
  const outcomes = new Set<string>()
  // Every seventh order in `npm test`: each event is first, and last, in some of them.
  const orders = permutations([0, 1, 2, 3, 4]).filter((_, n) => n % times(7, 1) === 0)
  for (const order of orders) {
    const { id } = await aUser(db)
    const { sessionId } = await shop.open({ id }, 'professional')
    const from = shop.stripe.events.length
    const { invoice, subscription } = shop.stripe.pay(sessionId)
    shop.stripe.happened('customer.subscription.updated', subscription.id)
    shop.stripe.refund(invoice.id, 1999)
    shop.stripe.cancel(subscription.id)
    const five = shop.stripe.events
      .slice(from)
      .filter(({ type }) => type !== 'customer.subscription.created')
    expect(five).toHaveLength(5)
    for (const at of order) expect(await shop.deliver(five[at]!)).toBe(200)
    const [row] = await db.select().from(users).where(eq(users.id, id))
    const balance = await credits.balance(db, id)
    outcomes.add(JSON.stringify({ plan: row!.planType, status: row!.subscriptionStatus, balance }))
  }
  expect([...outcomes]).toEqual([
    JSON.stringify({ plan: 'starter', status: 'canceled', balance: { available: 0, held: 0 } }),
  ])
  expect(await credits.verify(db)).toEqual([])
})

test('an event is stored with its effects, and acted on once', async ({ db, shop }) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  shop.stripe.pay(sessionId)
  const completed = shop.stripe.events.find(
    ({ type, about }) => type === 'checkout.session.completed' && about.id === sessionId,
  )!
  const calls = shop.stripe.calls.length
  expect(await Promise.all([1, 2, 3].map(() => shop.deliver(completed)))).toEqual([200, 200, 200])
  expect(await db.select().from(events).where(eq(events.id, completed.id))).toHaveLength(1)
  expect(shop.stripe.calls.length).toBeGreaterThan(calls)
  const before = shop.stripe.calls.length
  expect(await shop.deliver(completed)).toBe(200)
  expect(shop.stripe.calls.length).toBe(before)
})
