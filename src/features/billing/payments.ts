/** The provider that takes the money on this server: Stripe, the built-in test checkout, or none. */
import type { Stripe } from 'stripe'

import type { Db } from '#server/db.ts'
import type { Clock } from '#shared/clock.ts'

import type { Provider } from './provider.ts'
import { type StripeSettings, stripeClient, stripeProvider } from './stripe.ts'
import { type TestProvider, testProvider } from './test-provider.ts'

export type Payments =
  | { mode: 'off'; provider: null }
  | { mode: 'test'; provider: TestProvider }
  | { mode: 'stripe'; provider: Provider; client: Stripe; webhookSecrets: readonly string[] }

export function choosePayments(
  { mode, stripe }: { mode: Payments['mode']; stripe: StripeSettings | null },
  deps: { db: Db; clock: Clock; publicUrl: URL },
): Payments {
  if (mode === 'test') return { mode, provider: testProvider(deps) }
  if (mode === 'off' || !stripe) return { mode: 'off', provider: null }
  const client = stripeClient(stripe)
  const { webhookSecrets } = stripe
  return { mode, client, webhookSecrets, provider: stripeProvider(client) }
}
