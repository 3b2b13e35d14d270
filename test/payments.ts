/** The whole server with Stripe's stand-in behind it, and the acts of buyers. */
import { type FakeEvent, FakeStripe } from './fakes/stripe.ts'
import { type TestApp, anApp } from './app.ts'
import type { Database } from '#server/db.ts'
import { type PlanId, planOf } from '#shared/business.ts'

export const SECRET = 'whsec_first'
export const NEXT_SECRET = 'whsec_second'

export interface Shop extends TestApp {
  stripe: FakeStripe
  /** Opens a checkout page for a user. */
  open: (user: { id: string }, planId: PlanId) => Promise<{ sessionId: string; url: string }>
  /** Posts an event as Stripe does; answers the status. */
  deliver: (event: FakeEvent) => Promise<number>
  /** Everything that happened and was not delivered yet, in order. */
  deliverAll: () => Promise<void>
}

export async function aShop(
  database: Database,
  parts: Parameters<typeof anApp>[1] = {},
): Promise<Shop> {
  const stripe = new FakeStripe()
  const url = await stripe.listen()
  const app = await anApp(database, {
    ...parts,
    settings: {
      STRIPE_SECRET_KEY: 'sk_test_fake',
      STRIPE_WEBHOOK_SECRET: `${SECRET}, ${NEXT_SECRET}`,
      STRIPE_API_URL: url,
      ...parts?.settings,
    },
  })
  let delivered = 0
  const deliver = async (event: FakeEvent) => {
    const { payload, headers } = stripe.request(event, { secret: SECRET })
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/stripe/webhook',
      headers: { ...headers, host: app.parts.config.web.publicUrl.host },
      payload,
    })
    return answer.statusCode
  }
  return {
    ...app,
    stripe,
    async open(user, planId) {
      const as = await app.as(user)
      const { name, priceCents } = planOf(planId)
      const payload = { amount: priceCents / 100, planId, description: `${name} subscription` }
      const answer = await as({ method: 'POST', url: '/api/create-payment-intent', payload })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json()
    },
    deliver,
    async deliverAll() {
      while (delivered < stripe.events.length) {
        const event = stripe.events[delivered++]!
        const status = await deliver(event)
        if (status !== 200) throw new Error(`${event.type} was answered with ${status}`)
      }
    },
    async close() {
      await app.close()
      await stripe.close()
    },
  }
}
