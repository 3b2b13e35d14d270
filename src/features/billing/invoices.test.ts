import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { users } from '#features/account/tables.ts'
import type { Overview } from '#features/operators/contract.ts'
import { test as base } from '#test/database.ts'
import { aUser } from '#test/factories.ts'
import { type Shop, aShop } from '#test/payments.ts'

import type { Billing, CreditPage } from './contract.ts'
import { type Reason, whyUnmatched } from './status.ts'
import { billingExporter } from './your-data.ts'

const OPERATOR = 'olga@quoth.example'
const test = base.extend('shop', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const settings = {
    ADMIN_EMAILS: OPERATOR,
    SELLER_NAME: 'Raven Audio Ltd',
    SELLER_ADDRESS: '12 Castle Street; Edinburgh EH2 3AT',
    SELLER_TAX_ID: 'GB123456789',
  }
  const shop = await aShop(database, { works: false, settings })
  onCleanup(() => shop.close())
  return shop
})

type Fields = Record<string, unknown>
interface Renewal {
  shop: Shop
  /** The invoice's line for the month of a plan of ours. */
  line: Fields
}

/** The second month of Starter, of which nothing has been reported. */
async function aRenewal(shop: Shop, user: { id: string; email: string }) {
  const { sessionId } = await shop.open(user, 'starter')
  const { subscription } = shop.stripe.pay(sessionId)
  return { subscription, invoice: shop.stripe.renew(subscription.id)! }
}

/** The forms of Stripe's invoice for a renewal of Starter, and the outcome of each. */
const shapes: [string, 'granted' | 'open' | 'nothing' | Reason, (renewal: Renewal) => Fields][] = [
  ['a card', 'granted', () => ({})],
  ['the balance of a customer', 'granted', () => ({ amount_paid: 0, amount_due: 0 })],
  ['a balance and a card', 'granted', () => ({ amount_paid: 499, amount_due: 499 })],
  [
    'a voucher for half',
    'granted',
    () => ({ total: 500, total_excluding_tax: 500, amount_paid: 500 }),
  ],
  ['a voucher for all', 'granted', () => ({ total: 0, total_excluding_tax: 0, amount_paid: 0 })],
  ['tax on top', 'granted', () => ({ total: 1189, amount_paid: 1189 })],
  ['another currency', 'granted', () => ({ currency: 'eur', total: 929, amount_paid: 929 })],
  ['money that was handed over elsewhere', 'granted', () => ({ amount_paid: 0 })],
  [
    'more owed back than it costs',
    'granted',
    () => ({ total: -100, total_excluding_tax: -100, amount_paid: 0 }),
  ],
  [
    'a month beside the rest of another',
    'granted',
    ({ line }) => ({ lines: [line, { ...line, ...prorated }] }),
  ],
  [
    'a month beside something that is none of ours',
    'granted',
    ({ shop, line }) => ({ lines: [line, { ...line, ...priced(shop) }] }),
  ],
  ['nothing yet', 'open', () => ({ status: 'open', amount_paid: 0 })],
  ['a part, and is still open', 'open', () => ({ status: 'open', amount_paid: 500 })],
  ['nothing, and was given up', 'open', () => ({ status: 'uncollectible', amount_paid: 0 })],
  ['nothing, and was voided', 'open', () => ({ status: 'void', amount_paid: 0 })],
  [
    'a price made by hand',
    'no_plan',
    ({ shop, line }) => ({ lines: [{ ...line, ...priced(shop) }] }),
  ],
  ['parts of months alone', 'no_plan', ({ line }) => ({ lines: [{ ...line, ...prorated }] })],
  ['two months at once', 'no_plan', ({ line }) => ({ lines: [line, line] })],
  [
    'a trial',
    'nothing',
    ({ line }) => ({ total: 0, amount_paid: 0, lines: [{ ...line, amount: 0 }] }),
  ],
  [
    'a trial and something that is none of ours',
    'trial',
    ({ shop, line }) => ({
      lines: [
        { ...line, amount: 0 },
        { ...line, ...priced(shop) },
      ],
    }),
  ],
  ['a plan begun by hand', 'not_begun_here', () => ({ metadata: {} })],
]
const prorated = { parent: { subscription_item_details: { proration: true } } }
const priced = (shop: Shop) => ({
  pricing: { price_details: { price: shop.stripe.priceByHand().id } },
})

for (const [name, outcome, shape] of shapes)
  test(`a month paid with ${name}: ${outcome}`, async ({ db, shop }) => {
    const user = await aUser(db)
    const { subscription, invoice } = await aRenewal(shop, user)
    const [line] = (invoice['lines'] as { data: Fields[] }).data
    const { lines, metadata, ...changes } = shape({ shop, line: line! })
    shop.stripe.change(invoice.id, {
      ...changes,
      ...(lines ? { lines: { object: 'list', data: lines } } : {}),
      ...(metadata
        ? { parent: { subscription_details: { subscription: subscription.id, metadata } } }
        : {}),
    })
    await shop.deliverAll()
    // Sent again under another name, it is not said again.
    shop.stripe.happened('invoice.paid', invoice.id)
    await shop.deliverAll()

    const { available } = await credits.balance(db, user.id)
    expect(available).toBe(outcome === 'granted' ? 100 : 50)
    const { unmatched, invoices } = (await (await shop.as(user))('/api/billing')).json<Billing>()
    expect(invoices).toHaveLength(outcome === 'granted' ? 2 : 1)
    const told = outcome in whyUnmatched ? [whyUnmatched[outcome as Reason]] : []
    expect(unmatched.map(({ why }) => why)).toEqual(told)
    const { rows: mails } = await db.execute(sql`
      select 1 from pgboss.job where data->>'userId' = ${user.id}
        and data->>'kind' = 'payment-unmatched'`)
    expect(mails).toHaveLength(told.length)
  })

test('an invoice that granted nothing is granted once it is mended, and not told any more', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { invoice } = await aRenewal(shop, user)
  const { lines } = invoice
  const [line] = (lines as { data: Fields[] }).data
  const byHand = { object: 'list', data: [{ ...line, ...priced(shop) }] }
  shop.stripe.change(invoice.id, { lines: byHand })
  await shop.deliverAll()
  const seen = async () => (await (await shop.as(user))('/api/billing')).json<Billing>()
  expect((await seen()).unmatched).toHaveLength(1)
  const data = new Map<string, unknown>()
  for await (const { path, content } of billingExporter(db).exportFor(user.id))
    data.set(path, content)
  expect([...data.keys()]).toEqual(['payments.json', 'payments-without-credits.json'])
  expect(data.get('payments-without-credits.json')).toContain(invoice.id)
  shop.stripe.change(invoice.id, { lines })
  shop.stripe.happened('invoice.paid', invoice.id)
  await shop.deliverAll()
  const { unmatched, invoices } = await seen()
  expect([unmatched.length, invoices.length]).toEqual([0, 2])
  expect((await credits.balance(db, user.id)).available).toBe(100)
})

test('a granted month that is given back after its account was deleted is told to nobody', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { invoice } = await aRenewal(shop, user)
  await shop.deliverAll()
  expect((await credits.balance(db, user.id)).available).toBe(100)
  await db.delete(users).where(sql`id = ${user.id}`)
  shop.stripe.refund(invoice.id, 500)
  await shop.deliverAll()
  const { rows } = await db.execute(sql`select 1 from billing_unmatched where user_id = ${user.id}`)
  expect(rows).toEqual([])
})

test('a receipt names both sides, its number, the tax and the currency; only its owner opens it', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  await db
    .update(users)
    .set({ lastName: '<Lovett>' })
    .where(sql`id = ${user.id}`)
  const { invoice } = await aRenewal(shop, user)
  shop.stripe.change(invoice.id, { currency: 'eur', total: 1189, total_excluding_tax: 999 })
  await shop.deliverAll()
  shop.stripe.refund(invoice.id, 500)
  await shop.deliverAll()
  const as = await shop.as(user)
  const { invoices } = (await as('/api/billing')).json<Billing>()
  expect(invoices[0]).toMatchObject({ amount: '€11.89', refunded: '€5.00' })
  const { id, number } = invoices[0]!
  const page = await as(`/api/billing/receipts/${id}`)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const said = page.body.replaceAll(/(<[^>]+>)+/g, ' ')
  for (const words of [
    'Raven Audio Ltd 12 Castle Street Edinburgh EH2 3AT Tax number GB123456789',
    user.email,
    number!,
    'Starter, one month, 50 credits €9.99',
    'Tax €1.90',
    'Total, paid in EUR €11.89',
    'Given back -€5.00',
  ])
    expect(said).toContain(words)
  expect(said).toContain('&lt;Lovett&gt;')
  // The list of credits leads to it too, and not to the provider's own.
  const { lines } = (await as('/api/credits')).json<CreditPage>()
  const leading = lines.filter(({ what }) => what === 'Bought').map((line) => line.receiptUrl)
  expect(leading).toEqual(invoices.map((each) => `/api/billing/receipts/${each.id}`))
  const another = await shop.as(await aUser(db))
  expect((await another(`/api/billing/receipts/${id}`)).statusCode).toBe(404)
})

test('operators see payments of customers who are nobody here, and of deleted accounts', async ({
  db,
  shop,
}) => {
  const operator = await aUser(db, { email: OPERATOR, password: 'a long passphrase' })
  const seen = async () => {
    const answer = await (await shop.as(operator))('/api/admin')
    return answer.json<Overview>().unmatched
  }
  const before = new Set((await seen()).map(({ id }) => id))
  const [stranger, leaver] = [await aUser(db), await aUser(db, { credits: 1 })]
  const ofNobody = await shop.open(stranger, 'starter')
  const { subscription } = shop.stripe.pay(ofNobody.sessionId)
  await shop.deliverAll()
  const invoice = shop.stripe.renew(subscription.id)!
  shop.stripe.change(invoice.id, {
    customer: 'cus_of_nobody',
    parent: { subscription_details: { subscription: 'sub_of_nobody', metadata: {} } },
  })
  const ofTheGone = await shop.open(leaver, 'starter')
  shop.stripe.pay(ofTheGone.sessionId)
  await db.delete(users).where(sql`id = ${leaver.id}`)
  await shop.deliverAll()
  const mine = (await seen()).filter(({ id }) => !before.has(id))
  expect(mine.map(({ why, email }) => [why, email]).toSorted()).toEqual([
    [whyUnmatched.not_begun_here, null],
    [whyUnmatched.account_gone, null],
  ])
})
