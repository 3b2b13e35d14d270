import { expect } from 'vitest'

import { test as base } from '#test/database.ts'
import { aUser } from '#test/factories.ts'
import { NEXT_SECRET, SECRET, type Shop, aShop } from '#test/payments.ts'
import type { FakeEvent } from '#test/fakes/stripe.ts'
import * as credits from '#features/credits/credits.ts'

const test = base.extend('shop', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const shop = await aShop(database, { works: false })
  onCleanup(() => shop.close())
  return shop
})

interface Sent {
  payload: string | Buffer
  headers: Record<string, string | string[]>
}

type Case = [string, number, (shop: Shop, event: FakeEvent, signed: Sent) => Sent]
/** The ways in which an event can come in, and the status that answers each. */
const cases: Case[] = [
  ['as Stripe sends it', 200, (_shop, _event, signed) => signed],
  [
    'signed with the secret that replaces the first',
    200,
    (shop, event) => shop.stripe.request(event, { secret: NEXT_SECRET }),
  ],
  [
    'four minutes late',
    200,
    (shop, event) => shop.stripe.request(event, { secret: SECRET, at: shop.stripe.now - 240 }),
  ],
  [
    'six minutes late',
    400,
    (shop, event) => shop.stripe.request(event, { secret: SECRET, at: shop.stripe.now - 360 }),
  ],
  [
    'without a signature',
    400,
    (_shop, _event, { payload }) => ({
      payload,
      headers: { 'content-type': 'application/json' },
    }),
  ],
  [
    'signed with a secret that is not ours',
    400,
    (shop, event) => shop.stripe.request(event, { secret: 'whsec_of_somebody_else' }),
  ],
  ['signed with white space', 400, (shop, event) => shop.stripe.request(event, { secret: '   ' })],
  [
    'parsed and written again',
    400,
    (_shop, _event, { payload, headers }) => ({
      payload: JSON.stringify(JSON.parse(String(payload)), null, 1),
      headers,
    }),
  ],
  [
    'with one character changed',
    400,
    (_shop, _event, { payload, headers }) => ({
      payload: String(payload).replace('professional', 'enterprise '),
      headers,
    }),
  ],
  ['without a body', 400, (_shop, _event, { headers }) => ({ payload: '', headers })],
  [
    'as text that is not an event, well signed',
    400,
    (shop, event) => {
      const { payload } = shop.stripe.request(event, { secret: SECRET })
      return shop.stripe.requestOf(payload.slice(1), { secret: SECRET })
    },
  ],
  ...[
    'null',
    '7',
    '[]',
    '{}',
    '{"id":"evt_1","type":"invoice.paid"}',
    '{"id":"evt_1","type":"invoice.paid","data":null}',
    '{"id":"evt_1","type":"invoice.paid","data":{"object":{"id":7}}}',
    '{"id":"evt_1\\u0000","type":"invoice.paid","data":{"object":{"id":"in_1"}}}',
    '{"id":"evt_1","type":"charge.refunded","data":{"object":{"id":"ch_1","charge":{}}}}',
    '{"object":"v2.core.event","id":"evt_1"}',
  ].map((text): Case => [
    `that is ${text}, well signed,`,
    400,
    (shop) => shop.stripe.requestOf(text, { secret: SECRET }),
  ]),
  [
    'with 1 MB more in it, well signed',
    200,
    (shop, event) =>
      shop.stripe.request(
        { ...event, about: { ...event.about, note: 'x'.repeat(1024 * 1024) } },
        { secret: SECRET },
      ),
  ],
  [
    'with 3 MB more in it',
    413,
    (shop, event) =>
      shop.stripe.request(
        { ...event, about: { ...event.about, note: 'x'.repeat(3 * 1024 * 1024) } },
        { secret: SECRET },
      ),
  ],
]

for (const [name, status, send] of cases)
  test(`an event ${name} is ${status === 200 ? 'taken' : 'refused'}`, async ({ db, shop }) => {
    const user = await aUser(db)
    const { sessionId } = await shop.open(user, 'professional')
    shop.stripe.pay(sessionId)
    const event = shop.stripe.events.findLast(({ type }) => type === 'checkout.session.completed')!
    const { payload, headers } = send(shop, event, shop.stripe.request(event, { secret: SECRET }))
    const answer = await shop.app.inject({
      method: 'POST',
      url: '/api/stripe/webhook',
      payload,
      headers: { ...headers, host: 'localhost' },
    })
    expect(answer.statusCode).toBe(status)
    expect((await credits.balance(db, user.id)).available).toBe(status === 200 ? 150 : 0)
  })

test('an event of a kind that nobody asked for is taken and changes nothing', async ({
  db,
  shop,
}) => {
  const user = await aUser(db)
  const { sessionId } = await shop.open(user, 'starter')
  const event = shop.stripe.happened('customer.tax_id.created', sessionId)
  expect(await shop.deliver(event)).toBe(200)
  expect((await credits.balance(db, user.id)).available).toBe(0)
})

test('without a secret no event is believed', async ({ database, db }) => {
  const shop = await aShop(database, { works: false, settings: { STRIPE_WEBHOOK_SECRET: '' } })
  try {
    const user = await aUser(db)
    const { sessionId } = await shop.open(user, 'starter')
    shop.stripe.pay(sessionId)
    for (const event of shop.stripe.events) expect(await shop.deliver(event)).toBe(400)
    expect((await credits.balance(db, user.id)).available).toBe(0)
  } finally {
    await shop.close()
  }
})

test('a call that breaks at Stripe twice is made a third time', async ({ db, shop }) => {
  const user = await aUser(db)
  shop.stripe.failures = 2
  expect(await shop.open(user, 'starter')).toMatchObject({ sessionId: expect.any(String) })
  expect(shop.stripe.failures).toBe(0)
})
