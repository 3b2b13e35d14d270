import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { lock } from '#server/db.ts'
import { createLog } from '#server/log.ts'
import { listOutbox } from '#server/mail.ts'
import { semaphore } from '#server/semaphore.ts'
import { users } from '#features/account/tables.ts'
import { planOf } from '#shared/business.ts'
import { test as base, untilItWaits } from '#test/database.ts'
import { aUser } from '#test/factories.ts'
import { type Shop, aShop } from '#test/payments.ts'

import { setAlert } from './alerts.ts'
import { lookAround } from './jobs.ts'
import * as providerEvents from './provider-events.ts'
import { choosePayments } from './payments.ts'
import type { Deps } from './state.ts'
import { checkouts, creditAlerts, events, payments } from './tables.ts'
import { testProvider } from './test-provider.ts'
import { eraseBilling } from './your-data.ts'

const test = base.extend('shop', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const shop = await aShop(database)
  onCleanup(() => shop.close())
  return shop
})

const available = async (shop: Shop, userId: string) =>
  (await credits.balance(shop.parts.database.db, userId)).available
const planOfUser = async (shop: Shop, id: string) => {
  const [user] = await shop.parts.database.db.select().from(users).where(eq(users.id, id))
  return { planType: user!.planType, status: user!.subscriptionStatus }
}
const post = async (shop: Shop, user: { id: string }, url: string, payload: object = {}) =>
  (await shop.as(user))({ method: 'POST', url, payload })
const buy = async (
  shop: Shop,
  user: { id: string },
  planId: 'starter' | 'professional' | 'enterprise',
) => {
  const { sessionId } = await shop.open(user, planId)
  const paid = shop.stripe.pay(sessionId)
  await shop.deliverAll()
  return { sessionId, ...paid }
}

test('a bought plan grants its credits, sets the plan, and is answered the same each time', async ({
  db,
  shop,
}) => {
  const user = await aUser(db, { credits: 10 })
  const { sessionId, url } = await shop.open(user, 'professional')
  expect(url).toContain(sessionId)
  const report = () =>
    post(shop, user, '/api/subscription-success', { planId: 'professional', sessionId })
  expect((await report()).statusCode).toBe(402)

  shop.stripe.pay(sessionId)
  const first = await report()
  expect(first.json()).toEqual({ creditsAdded: 150, planId: 'professional', amountPaid: 19.99 })
  await shop.deliverAll()
  expect((await report()).json()).toEqual(first.json())
  expect(
    (await post(shop, user, '/api/subscription-success', { planId: 'professional' })).json(),
  ).toEqual(first.json())
  expect(await available(shop, user.id)).toBe(160)
  expect(await planOfUser(shop, user.id)).toEqual({ planType: 'professional', status: 'active' })
})

test('a purchase is found without its session for a day after its checkout was opened', async ({
  db,
  shop,
}) => {
  const reported = async (hoursAgo: number) => {
    const user = await aUser(db)
    const { sessionId } = await shop.open(user, 'starter')
    shop.stripe.pay(sessionId)
    const createdAt = new Date(Date.now() - hoursAgo * 3_600_000)
    await db.update(checkouts).set({ createdAt }).where(eq(checkouts.id, sessionId))
    const answer = await post(shop, user, '/api/subscription-success', { planId: 'starter' })
    return answer.statusCode
  }
  expect(await reported(23.9)).toBe(200)
  expect(await reported(24.1)).toBe(402)
})

test('the amount of the browser is never the price', async ({ db, shop }) => {
  const user = await aUser(db)
  for (const amount of [0, 0.01, 9.98, 10, -9.99, 19.99]) {
    const answer = await post(shop, user, '/api/create-payment-intent', {
      amount,
      planId: 'starter',
    })
    expect(answer.statusCode).toBe(400)
  }
  expect(await db.select().from(checkouts).where(eq(checkouts.userId, user.id))).toEqual([])
})

test('a newer checkout closes the older one, so two tabs pay once', async ({ db, shop }) => {
  const user = await aUser(db)
  const first = await shop.open(user, 'starter')
  const second = await shop.open(user, 'enterprise')
  expect(shop.stripe.change(first.sessionId, {})['status']).toBe('expired')
  shop.stripe.pay(second.sessionId)
  // Its event has not arrived, and there is a third try.
  const third = await post(shop, user, '/api/create-payment-intent', {
    amount: 9.99,
    planId: 'starter',
  })
  expect(third.json().code).toBe('already_subscribed')
  expect(await available(shop, user.id)).toBe(500)
  await shop.deliverAll()
  expect(await available(shop, user.id)).toBe(500)
})

test('every new month grants once; a declined one grants nothing until it is paid', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { subscription } = await buy(shop, user, 'starter')
  shop.stripe.renew(subscription.id)
  await shop.deliverAll()
  expect(await available(shop, user.id)).toBe(100)

  shop.stripe.card = 'declined'
  const unpaid = shop.stripe.renew(subscription.id)!
  shop.stripe.card = 'good'
  await shop.deliverAll()
  expect(await available(shop, user.id)).toBe(100)
  expect(await planOfUser(shop, user.id)).toEqual({ planType: 'starter', status: 'past_due' })

  shop.stripe.payInvoice(unpaid.id)
  await shop.deliverAll()
  expect(await available(shop, user.id)).toBe(150)
  expect((await planOfUser(shop, user.id)).status).toBe('active')
})

test('a declined month is mailed once, however often the bank is asked for it', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { subscription } = await buy(shop, user, 'starter')
  shop.stripe.card = 'declined'
  const { id: invoiceId } = shop.stripe.renew(subscription.id)!
  shop.stripe.card = 'good'
  await shop.deliverAll()
  shop.stripe.happened('invoice.payment_failed', invoiceId)
  await shop.deliverAll()
  const { rows } = await db.execute(sql`
    select 1 from pgboss.job where name = 'mail'
      and data->>'userId' = ${user.id} and data->>'kind' = 'payment-failed'`)
  expect(rows).toHaveLength(1)
})

test('events of one user wait for each other in all processes, and write the state of their turn', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { subscription } = await buy(shop, user, 'starter')
  const event = shop.stripe.happened('customer.subscription.updated', subscription.id)
  let delivering: Promise<number> | undefined
  await db.transaction(async (tx) => {
    // As another process that works on an event of the same user.
    await lock(tx, `billing:${user.id}`)
    delivering = shop.deliver(event)
    await untilItWaits(db, delivering)
    shop.stripe.change(subscription.id, { status: 'canceled' })
  })
  expect(await delivering).toBe(200)
  expect(await planOfUser(shop, user.id)).toEqual({ planType: 'starter', status: 'canceled' })
})

test('a plan that was given an end at the provider is shown to end', async ({ db, shop }) => {
  const user = await aUser(db)
  const { subscription } = await buy(shop, user, 'starter')
  shop.stripe.change(subscription.id, { cancel_at: shop.stripe.now + 86_400 })
  shop.stripe.happened('customer.subscription.updated', subscription.id)
  await shop.deliverAll()
  const { plan } = (await (await shop.as(user))('/api/billing')).json()
  expect(plan).toMatchObject({ planId: 'starter', endsWithPeriod: true })
})

test('a dearer plan is previewed, paid once in full, and begins at once', async ({ db, shop }) => {
  const user = await aUser(db)
  await buy(shop, user, 'starter')
  const preview = await post(shop, user, '/api/billing/preview', { planId: 'enterprise' })
  expect(preview.json()).toMatchObject({ when: 'now', amountNow: 49.99, creditsNow: 500 })

  const change = (amountNow: number) =>
    post(shop, user, '/api/billing/change', { planId: 'enterprise', amountNow })
  expect((await change(1)).json().code).toBe('wrong_amount')
  const answers = await Promise.all([change(49.99), change(49.99), change(49.99)])
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  await shop.deliverAll()
  expect(await available(shop, user.id)).toBe(550)
  expect((await planOfUser(shop, user.id)).planType).toBe('enterprise')
})

test('a declined change leaves plan and credits alone, and works with another card', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  await buy(shop, user, 'starter')
  const change = () =>
    post(shop, user, '/api/billing/change', { planId: 'professional', amountNow: 19.99 })
  shop.stripe.card = 'declined'
  expect((await change()).json()).toMatchObject({ code: 'payment_failed' })
  shop.stripe.card = 'asks'
  expect((await change()).json().confirmUrl).toContain('https://invoice.stripe.example/')
  shop.stripe.card = 'good'
  await shop.deliverAll()
  expect(await planOfUser(shop, user.id)).toEqual({ planType: 'starter', status: 'active' })
  expect(await available(shop, user.id)).toBe(50)
  expect((await change()).statusCode).toBe(200)
  expect(await available(shop, user.id)).toBe(200)
})

test('a cheaper plan waits for the end of the month, and can be called off', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { subscription } = await buy(shop, user, 'professional')
  const change = (planId: string) =>
    post(shop, user, '/api/billing/change', { planId, amountNow: 0 })
  expect(
    (await post(shop, user, '/api/billing/preview', { planId: 'starter' })).json(),
  ).toMatchObject({
    when: 'next',
    amountNow: 0,
  })
  expect((await change('starter')).json().billing.plan).toMatchObject({
    planId: 'professional',
    nextPlanId: 'starter',
  })
  expect((await planOfUser(shop, user.id)).planType).toBe('professional')
  expect((await change('professional')).json().billing.plan.nextPlanId).toBe('professional')
  await change('starter')
  shop.stripe.renew(subscription.id)
  await shop.deliverAll()
  expect((await planOfUser(shop, user.id)).planType).toBe('starter')
  expect(await available(shop, user.id)).toBe(200)
})

test('a cancelled plan lasts to the end of its month, can be resumed, and leaves the credits', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { subscription } = await buy(shop, user, 'professional')
  expect((await post(shop, user, '/api/billing/cancel')).json().plan.endsWithPeriod).toBe(true)
  expect((await post(shop, user, '/api/billing/resume')).json().plan.endsWithPeriod).toBe(false)
  await post(shop, user, '/api/billing/cancel')
  expect((await planOfUser(shop, user.id)).planType).toBe('professional')
  shop.stripe.renew(subscription.id)
  await shop.deliverAll()
  expect(await planOfUser(shop, user.id)).toEqual({ planType: 'starter', status: 'canceled' })
  expect(await available(shop, user.id)).toBe(150)
  // And it can be bought again.
  await buy(shop, user, 'starter')
  expect(await available(shop, user.id)).toBe(200)
})

test('a refund takes its own credits, at most what can be spent, and never what is held', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { invoice } = await buy(shop, user, 'starter')
  await db.transaction((tx) =>
    credits.hold(tx, { userId: user.id, cause: `test:hold:${user.id}`, credits: 20 }),
  )
  shop.stripe.refund(invoice.id, 333)
  await shop.deliverAll()
  expect(await credits.balance(db, user.id)).toEqual({ available: 14, held: 20 })
  shop.stripe.refund(invoice.id, 666)
  await shop.deliverAll()
  expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 20 })
})

test('a dispute takes the credits, and gives them again when the bank decides for us', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { invoice } = await buy(shop, user, 'professional')
  const dispute = shop.stripe.dispute(invoice.id)
  await shop.deliverAll()
  expect(await available(shop, user.id)).toBe(0)
  shop.stripe.closeDispute(dispute, 'won')
  await shop.deliverAll()
  expect(await available(shop, user.id)).toBe(150)
  expect(await credits.verify(db)).toEqual([])
})

test('two disputes about a third of a payment each take two thirds of its credits', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { invoice } = await buy(shop, user, 'professional')
  const amount = Math.ceil(planOf('professional').priceCents / 3)
  for (const _ of [1, 2]) shop.stripe.change(shop.stripe.dispute(invoice.id), { amount })
  await shop.deliverAll()
  expect(await available(shop, user.id)).toBe(50)
})

test('an inquiry of the bank, and a dispute that it prevented, take no credits', async ({
  db,
  shop,
}) => {
  const inquiry = ['needs_response', 'under_review', 'closed'].map((state) => `warning_${state}`)
  for (const status of [...inquiry, 'prevented']) {
    const user = await aUser(db)
    const { invoice } = await buy(shop, user, 'professional')
    shop.stripe.change(shop.stripe.dispute(invoice.id), { status })
    await shop.deliverAll()
    expect(await available(shop, user.id), status).toBe(150)
  }
})

/** The parts of a server that starts so many minutes later; the errors that it logs are kept. */
const later = ({ parts }: Shop, minutes: number) => {
  const { config, database, queue } = parts
  const { publicUrl } = config.web
  const clock = () => new Date(Date.now() + minutes * 60_000)
  const { provider } = choosePayments(config.payments, { db: database.db, clock, publicUrl })
  const lines: { msg: string; checkoutId?: string; paymentId?: string; subscriptionId?: string }[] =
    []
  const write = (line: string) => void lines.push(JSON.parse(line))
  const log = createLog({ level: 'error', destination: { write } })
  return { db: database.db, queue, log, publicUrl, clock, provider, places: semaphore(1), lines }
}
/** Runs a server's own look at the provider, so many minutes later. */
const catchUp = (shop: Shop, minutes: number) => providerEvents.catchUp(later(shop, minutes))

test('a purchase and a new month whose events never come are found all the same', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  const { subscription } = shop.stripe.pay(sessionId)
  await catchUp(shop, 10)
  expect(await available(shop, user.id)).toBe(50)
  shop.stripe.renew(subscription.id)
  await catchUp(shop, 31 * 24 * 60)
  expect(await available(shop, user.id)).toBe(100)
})

test('with the key of another account a plan can be bought anew, and the old one ends', async ({
  database,
  db,
}) => {
  const shop = await aShop(database, { works: false })
  try {
    const user = await aUser(db)
    await buy(shop, user, 'enterprise')
    shop.stripe.forgetEverything()
    await catchUp(shop, 31 * 24 * 60)
    expect((await planOfUser(shop, user.id)).planType).toBe('starter')
    await buy(shop, user, 'professional')
    expect(await planOfUser(shop, user.id)).toEqual({
      planType: 'professional',
      status: 'active',
    })
    expect(await available(shop, user.id)).toBe(650)
  } finally {
    await shop.close()
  }
})

test('a receipt goes to the buyer, once', async ({ db, shop }) => {
  const user = await aUser(db)
  await buy(shop, user, 'enterprise')
  await expect
    .poll(async () =>
      (await listOutbox(`${shop.dataDir}/outbox`))
        .filter(({ to }) => to === user.email)
        .map(({ subject }) => subject),
    )
    .toEqual(['Your Quoth receipt: 500 credits'])
})

test('while the provider is broken, nothing is charged or granted, and the user is told', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  shop.stripe.failWith = 401
  const answer = await post(shop, user, '/api/create-payment-intent', {
    amount: 9.99,
    planId: 'starter',
  })
  shop.stripe.failWith = null
  expect(answer.statusCode).toBe(503)
  expect(answer.json().code).toBe('payments_unreachable')
})

test('the portal is the provider’s own page, for users who have paid there', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  expect((await post(shop, user, '/api/billing/portal')).statusCode).toBe(409)
  await buy(shop, user, 'starter')
  expect((await post(shop, user, '/api/billing/portal')).json().url).toContain(
    'billing.stripe.example',
  )
  await post(shop, user, '/api/billing/portal')
  expect(shop.stripe.all('billing_portal.configuration')).toHaveLength(1)
})

test('nobody sees the payments of another user', async ({ db, shop }) => {
  const [buyer, other] = [await aUser(db), await aUser(db)]
  const { sessionId } = await buy(shop, buyer, 'starter')
  const asked = await post(shop, other, '/api/subscription-success', {
    planId: 'starter',
    sessionId,
  })
  expect(asked.statusCode).toBe(402)
  const as = await shop.as(other)
  expect((await as('/api/billing')).json()).toEqual({
    payments: 'stripe',
    plan: null,
    invoices: [],
    unmatched: [],
  })
  expect((await as('/api/credits')).json().lines).toEqual([])
  for (const url of ['/api/billing', '/api/credits', '/api/credits.csv'])
    expect((await shop.inject(url)).statusCode).toBe(401)
  expect(await db.select().from(payments).where(eq(payments.userId, other.id))).toEqual([])
  expect(await db.select().from(events)).not.toEqual([])
})

const statusAt = (shop: Shop, subscriptionId: string) =>
  shop.stripe.change(subscriptionId, {})['status']
/** The account ends, as far as payments go. */
const leave = (shop: Shop, user: { id: string }) =>
  shop.parts.database.db.transaction(async (tx) => {
    const { counts } = await eraseBilling(later(shop, 0))(tx, user.id)
    await tx.delete(users).where(eq(users.id, user.id))
    return counts
  })

test('a plan that was paid without our knowing ends with the account', async ({ db, shop }) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  const { subscription } = shop.stripe.pay(sessionId)
  expect(await leave(shop, user)).toEqual({ plans: 1 })
  expect(statusAt(shop, subscription.id)).toBe('canceled')
  // Its events come after all, and find no account.
  await shop.deliverAll()
})

test('a plan whose money is on its way ends with the account', async ({ db, shop }) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  const { subscription } = shop.stripe.pay(sessionId, { payment_status: 'unpaid' })
  expect(await leave(shop, user)).toEqual({ plans: 1 })
  expect(statusAt(shop, subscription.id)).toBe('canceled')
  await shop.deliverAll()
})

test('a plan of a deleted account ends as soon as it is heard of', async ({ db, shop }) => {
  const user = await aUser(db, { credits: 10 })
  const { sessionId } = await shop.open(user, 'starter')
  await db.delete(users).where(eq(users.id, user.id))
  const { subscription } = shop.stripe.pay(sessionId)
  await shop.deliverAll()
  expect(statusAt(shop, subscription.id)).toBe('canceled')
  const balance = await credits.balance(db, user.id)
  expect(balance).toEqual({ available: 10, held: 0 })
})

test("a plan of another installation's user is left alone", async ({ db, shop }) => {
  const stranger = await aUser(db)
  const { sessionId } = await shop.open(stranger, 'starter')
  await db.delete(users).where(eq(users.id, stranger.id))
  const { subscription } = shop.stripe.pay(sessionId)
  await shop.deliverAll()
  expect(statusAt(shop, subscription.id)).toBe('active')
})

test('an account whose plan cannot be ended is not deleted, unless the plan ends by itself', async ({
  database,
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { subscription } = await buy(shop, user, 'starter')
  const now = later(shop, 0)
  const withoutStripe: Deps[] = [
    { ...now, provider: null },
    { ...now, provider: testProvider(now) },
  ]
  const erase = (deps: Deps) => database.db.transaction((tx) => eraseBilling(deps)(tx, user.id))
  for (const deps of withoutStripe) {
    // A month that is over here is not over there.
    await providerEvents.catchUp({ ...deps, clock: later(shop, 32 * 24 * 60).clock })
    await expect(erase(deps)).rejects.toMatchObject({ code: 'plan_out_of_reach' })
  }
  expect(statusAt(shop, subscription.id)).toBe('active')
  await post(shop, user, '/api/billing/cancel')
  for (const deps of withoutStripe) expect((await erase(deps)).counts).toEqual({ plans: 0 })
})

test('a page takes cards only', async ({ db, shop }) => {
  const { sessionId } = await shop.open(await aUser(db), 'starter')
  const page = shop.stripe.change(sessionId, {})
  expect(Object.values(page['allowed_payment_method_types'] as object)).toEqual(['card'])
})

test('while the money of one page is on its way, no second one is sold', async ({ db, shop }) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  shop.stripe.pay(sessionId, { payment_status: 'unpaid' })
  await shop.deliverAll()
  await catchUp(shop, 10)
  const again = () =>
    post(shop, user, '/api/create-payment-intent', { amount: 9.99, planId: 'starter' })
  expect((await again()).json().code).toBe('payment_pending')
  shop.stripe.settle(sessionId)
  await catchUp(shop, 10)
  expect(await available(shop, user.id)).toBe(50)
  expect((await again()).json().code).toBe('already_subscribed')
})

test('when the money of a page never comes, another one can be opened', async ({ db, shop }) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  const { subscription } = shop.stripe.pay(sessionId, { payment_status: 'unpaid' })
  shop.stripe.change(subscription.id, { status: 'incomplete_expired' })
  await buy(shop, user, 'professional')
  expect(await available(shop, user.id)).toBe(150)
})

test('a purchase that cannot be looked at keeps none after it from being found', async ({
  db,
  shop,
}) => {
  const [first, second] = [await aUser(db), await aUser(db)]
  const broken = await shop.open(first, 'starter')
  const good = await shop.open(second, 'starter')
  shop.stripe.pay(good.sessionId)
  const deps = later(shop, 10)
  const { provider } = deps
  if (!provider) throw new Error('there is no provider')
  const checkout = (id: string) =>
    id === broken.sessionId ? Promise.reject(new Error('it is broken')) : provider.checkout(id)
  await providerEvents.catchUp({ ...deps, provider: { ...provider, checkout } })
  expect(await available(shop, second.id)).toBe(50)
  expect(deps.lines).toMatchObject([{ checkoutId: broken.sessionId }])
})

test('low balances are told even if payments cannot be looked at', async ({ db, shop }) => {
  const user = await aUser(db, { credits: 5 })
  await setAlert(db, { userId: user.id, below: 10 })
  const deps = later(shop, 0)
  const provider = testProvider(deps)
  const passTime = () => Promise.reject(new Error('it is broken'))
  const broken = { ...deps, provider, testProvider: { ...provider, passTime } }
  await expect(lookAround(broken)).rejects.toThrow('it is broken')
  const [alert] = await db.select().from(creditAlerts).where(eq(creditAlerts.userId, user.id))
  expect(alert!.sentAt).not.toBeNull()
})

test('a checkout of a price that is not ours is told once and keeps nobody from buying', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  const { invoice, subscription } = shop.stripe.pay(sessionId)
  shop.stripe.change(invoice.id, { lines: { object: 'list', data: [] } })
  const deps = later(shop, 10)
  await providerEvents.catchUp(deps)
  await providerEvents.catchUp(deps)
  await shop.deliverAll()
  expect(deps.lines.filter(({ paymentId }) => paymentId === invoice.id)).toHaveLength(1)
  expect(await available(shop, user.id)).toBe(0)
  await buy(shop, user, 'starter')
  expect(await available(shop, user.id)).toBe(50)
  // The plan that was paid by it ends with the account all the same.
  expect(await leave(shop, user)).toEqual({ plans: 2 })
  expect(statusAt(shop, subscription.id)).toBe('canceled')
})

test('a dearer plan that is paid at once is kept, though the old one was cancelled', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  await buy(shop, user, 'starter')
  await post(shop, user, '/api/billing/cancel')
  const change = { planId: 'professional', amountNow: 19.99 }
  const { billing } = (await post(shop, user, '/api/billing/change', change)).json()
  expect(billing.plan).toMatchObject({ planId: 'professional', endsWithPeriod: false })
})

test('a dearer plan that the bank let through later is kept, unless its end was asked for since', async ({
  db,
  shop,
}) => {
  for (const isAskedSince of [false, true]) {
    const user = await aUser(db)
    const { subscription } = await buy(shop, user, 'starter')
    await post(shop, user, '/api/billing/cancel')
    shop.stripe.card = 'asks'
    const change = { planId: 'professional', amountNow: 19.99 }
    const answer = (await post(shop, user, '/api/billing/change', change)).json()
    shop.stripe.card = 'good'
    expect(answer.confirmUrl).not.toBeNull()
    expect(answer.billing.plan).toMatchObject({ planId: 'starter', endsWithPeriod: true })

    const invoiceId = shop.stripe.change(subscription.id, {})['latest_invoice'] as string
    shop.stripe.payInvoice(invoiceId)
    shop.stripe.now += 60
    if (isAskedSince) await post(shop, user, '/api/billing/cancel')
    await shop.deliverAll()
    const { plan } = (await (await shop.as(user))('/api/billing')).json()
    expect(plan).toMatchObject({ planId: 'professional', endsWithPeriod: isAskedSince })
    expect(await available(shop, user.id)).toBe(200)
  }
})
