/**
 * Stripe, through its official library. Nothing has to be prepared there but a key: prices are made
 * when they are first needed, under a name that holds plan and amount, so that a changed price is a
 * new one. Objects that are not ours (other products on the same account) are answered as null.
 */
import { Stripe } from 'stripe'
import { z } from 'zod'

import { isStorable } from '#server/storable.ts'
import { BRAND, CURRENCY, type PlanId, planOf, plans } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import type {
  About,
  ChangeResult,
  Charge,
  Checkout,
  Invoice,
  Order,
  Provider,
  ProviderEvent,
  Subscription,
} from './provider.ts'

export interface StripeSettings {
  secretKey: string
  /** More than one while a secret is being replaced. */
  webhookSecrets: readonly string[]
  apiUrl: string
}

const APP = 'quoth'
const TIMEOUT_MS = 15_000
const TOLERANCE_SECONDS = 300
/** Disputes that the bank has ended in our favour, or that took no money. */
const harmless = new Set([
  'won',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
])

export function stripeClient({ secretKey, apiUrl }: StripeSettings): Stripe {
  const url = new URL(apiUrl)
  const protocol = url.protocol === 'http:' ? 'http' : 'https'
  return new Stripe(secretKey, {
    host: url.hostname,
    port: url.port || (protocol === 'http' ? 80 : 443),
    protocol,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
  })
}

export function stripeProvider(stripe: Stripe): Provider {
  return {
    name: 'stripe',

    async createCustomer({ userId, email, name }) {
      const metadata = { app: APP, userId }
      return (await stripe.customers.create({ email, name, metadata })).id
    },

    async hasCustomer(id) {
      const customer = await found(stripe.customers.retrieve(id))
      return customer !== null && !customer.deleted
    },

    async openCheckout({ customerId, userId, planId, description, successUrl, leaveUrl }: Order) {
      const metadata = { app: APP, userId, planId }
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: customerId,
        client_reference_id: userId,
        line_items: [{ price: await priceOf(stripe, planId), quantity: 1 }],
        // A card is paid at once; a bank transfer may arrive, or fail, days after the page is done.
        allowed_payment_method_types: ['card'],
        metadata,
        subscription_data: { description, metadata: { app: APP, userId } },
        success_url: successUrl.replace('{SESSION}', '{CHECKOUT_SESSION_ID}'),
        cancel_url: leaveUrl,
      })
      if (!session.url) throw new Error(`checkout session ${session.id} has no address`)
      return { sessionId: session.id, url: session.url }
    },

    async checkout(id) {
      const session = await found(stripe.checkout.sessions.retrieve(id))
      return session && checkoutOf(session)
    },

    async expireCheckout(id) {
      try {
        await stripe.checkout.sessions.expire(id)
      } catch (error) {
        // Completed or expired meanwhile: there is nothing left to close.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      }
    },

    async invoice(id) {
      const invoice = await found(stripe.invoices.retrieve(id))
      return invoice && invoiceOf(stripe, invoice)
    },

    async subscription(id) {
      const subscription = await found(stripe.subscriptions.retrieve(id))
      return subscription && subscriptionOf(subscription)
    },

    async charge(id) {
      const charge = await found(stripe.charges.retrieve(id))
      if (!charge?.payment_intent) return null
      const payment_intent = idOf(charge.payment_intent)
      const [paid, disputes] = await Promise.all([
        stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent } }),
        charge.disputed ? stripe.disputes.list({ charge: id, limit: 100 }) : null,
      ])
      const [first] = paid.data
      const lost = (disputes?.data ?? []).filter(({ status }) => !harmless.has(status))
      return {
        invoiceId: first ? idOf(first.invoice) : null,
        refundedCents: charge.amount_refunded,
        disputedCents: lost.reduce((sum, { amount }) => sum + amount, 0),
      } satisfies Charge
    },

    async quoteChange({ id, itemId }, planId) {
      const preview = await stripe.invoices.createPreview({
        subscription: id,
        subscription_details: {
          items: [{ id: itemId, price: await priceOf(stripe, planId) }],
          billing_cycle_anchor: { type: 'now' },
          proration_behavior: 'none',
        },
      })
      return { amountCents: preview.amount_due }
    },

    async changeNow({ id, itemId }, planId): Promise<ChangeResult> {
      try {
        const changed = await stripe.subscriptions.update(id, {
          items: [{ id: itemId, price: await priceOf(stripe, planId) }],
          billing_cycle_anchor: { type: 'now' },
          proration_behavior: 'none',
          payment_behavior: 'pending_if_incomplete',
          expand: ['latest_invoice'],
        })
        const invoice = changed.latest_invoice
        if (!invoice || typeof invoice === 'string' || !invoice.id)
          throw new Error(`the change of subscription ${id} was answered without its invoice`)
        if (invoice.status === 'paid') return { kind: 'paid', invoiceId: invoice.id }
        const url = invoice.hosted_invoice_url
        return url ? { kind: 'needs_owner', url } : { kind: 'declined' }
      } catch (error) {
        if (error instanceof Stripe.errors.StripeCardError) return { kind: 'declined' }
        throw error
      }
    },

    async changeNext({ id, itemId }, planId) {
      await stripe.subscriptions.update(id, {
        items: [{ id: itemId, price: await priceOf(stripe, planId) }],
        proration_behavior: 'none',
      })
    },

    async endWithPeriod({ id }, ends) {
      await stripe.subscriptions.update(id, { cancel_at_period_end: ends })
    },

    async endNow(id) {
      await found(stripe.subscriptions.cancel(id))
    },

    async portal(customer) {
      const configuration = await portalConfiguration(stripe)
      return stripe.billingPortal.sessions.create({ customer, configuration })
    },
  }
}

/**
 * The event in a request, or null when it was not signed with one of our secrets within the last
 * five minutes. The body must be the bytes that came: parsed and written again, it is another text.
 *
 * @throws Refusal `invalid_request` for a body that is well signed and no event
 */
export function readEvent(
  { client, webhookSecrets }: { client: Stripe; webhookSecrets: readonly string[] },
  { body, signature, now }: { body: Buffer; signature: unknown; now: Date },
): ProviderEvent | null {
  if (typeof signature !== 'string') return null
  const isSigned = webhookSecrets.some((secret) => {
    try {
      return client.webhooks.signature?.verifyHeader(
        body,
        signature,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        now.getTime(),
      )
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
      throw error
    }
  })
  return isSigned ? eventIn(body) : null
}

/** The events that are acted on; all others are taken and change nothing. */
const kinds: ReadonlyMap<string, About['kind']> = new Map([
  ['checkout.session.completed', 'checkout'],
  ['checkout.session.async_payment_succeeded', 'checkout'],
  ['checkout.session.async_payment_failed', 'checkout'],
  ['checkout.session.expired', 'checkout'],
  ['invoice.paid', 'invoice'],
  ['invoice.payment_failed', 'invoice'],
  ['invoice.payment_action_required', 'invoice'],
  ['customer.subscription.created', 'subscription'],
  ['customer.subscription.updated', 'subscription'],
  ['customer.subscription.deleted', 'subscription'],
  ['charge.refunded', 'charge'],
  ['charge.refund.updated', 'charge'],
  ['refund.failed', 'charge'],
  ['charge.dispute.created', 'charge'],
  ['charge.dispute.updated', 'charge'],
  ['charge.dispute.closed', 'charge'],
  ['charge.dispute.funds_withdrawn', 'charge'],
  ['charge.dispute.funds_reinstated', 'charge'],
])

const Id = z.string().min(1).max(255).refine(isStorable)
const EventObject = z.object({
  id: Id,
  /** A refund and a dispute are about a charge. */
  charge: z.union([Id, z.object({ id: Id })]).nullish(),
})
const Event = z.object({ id: Id, type: Id, data: z.unknown() })
const EventData = z.object({ object: EventObject })

function eventIn(body: Buffer): ProviderEvent {
  try {
    const { id, type, data } = Event.parse(JSON.parse(body.toString()))
    const kind = kinds.get(type)
    if (!kind) return { id, type, about: null }
    const { id: itsOwn, charge } = EventData.parse(data).object
    return { id, type, about: { kind, id: kind === 'charge' && charge ? idOf(charge) : itsOwn } }
  } catch (error) {
    throw new Refusal('invalid_request', { cause: error })
  }
}

/** The price of a plan, made when it is first needed. */
async function priceOf(stripe: Stripe, planId: PlanId): Promise<string> {
  const { name, priceCents } = planOf(planId)
  const lookupKey = `${APP}_${planId}_${priceCents}_${CURRENCY}_month`
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true })
  if (data[0]) return data[0].id
  const made = await stripe.prices.create(
    {
      currency: CURRENCY,
      unit_amount: priceCents,
      recurring: { interval: 'month' },
      product_data: { name: `${BRAND} ${name}` },
      lookup_key: lookupKey,
      metadata: { app: APP, planId },
    },
    { idempotencyKey: lookupKey },
  )
  return made.id
}

interface Month {
  planId: PlanId
  isTrial: boolean
}

/**
 * The one month of a plan on an invoice. Parts of months and other lines do not count; two months are
 * none.
 */
async function monthOn(stripe: Stripe, invoice: Stripe.Invoice): Promise<Month | null> {
  const months: Month[] = []
  for (const { parent, pricing, amount } of invoice.lines.data) {
    const price = pricing?.price_details?.price
    if (price === undefined || parent?.subscription_item_details?.proration !== false) continue
    const made = await found(stripe.prices.retrieve(idOf(price)))
    const planId = made && planIn(made.metadata)
    // A voucher or a balance is taken off below the lines: only a trial's line costs nothing itself.
    if (planId) months.push({ planId, isTrial: amount === 0 })
  }
  const [month = null, another] = months
  return another ? null : month
}

async function invoiceOf(stripe: Stripe, invoice: Stripe.Invoice): Promise<Invoice | null> {
  const details = invoice.parent?.subscription_details
  if (!invoice.id || !details) return null
  const { metadata } = details
  const month = await monthOn(stripe, invoice)
  return {
    id: invoice.id,
    userId: metadata?.['app'] === APP ? (metadata['userId'] ?? null) : null,
    customerId: invoice.customer ? idOf(invoice.customer) : '',
    subscriptionId: idOf(details.subscription),
    planId: month?.planId ?? null,
    isTrial: month?.isTrial ?? false,
    number: invoice.number,
    amountCents: Math.max(0, invoice.total),
    taxCents: Math.max(0, invoice.total - (invoice.total_excluding_tax ?? invoice.total)),
    currency: invoice.currency,
    isChange: invoice.billing_reason === 'subscription_update',
    // It may be paid by a card, a balance at the provider, a voucher, or the operator's word.
    isPaid: invoice.status === 'paid',
    paidAt: new Date((invoice.status_transitions.paid_at ?? invoice.created) * 1000),
    receiptUrl: invoice.hosted_invoice_url ?? null,
  }
}

function subscriptionOf(subscription: Stripe.Subscription): Subscription | null {
  const userId = subscription.metadata['userId']
  const item = subscription.items.data[0]
  if (!item || !userId || subscription.metadata['app'] !== APP) return null
  return {
    id: subscription.id,
    userId,
    nextPlanId: planIn(item.price.metadata),
    status: subscription.status,
    periodEndsAt: new Date(item.current_period_end * 1000),
    endsWithPeriod: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    endAskedAt: subscription.canceled_at ? new Date(subscription.canceled_at * 1000) : null,
    createdAt: new Date(subscription.created * 1000),
    itemId: item.id,
    latestInvoiceId: subscription.latest_invoice ? idOf(subscription.latest_invoice) : null,
  }
}

/** The configuration of the provider's own pages, made when it is first needed. */
async function portalConfiguration(stripe: Stripe): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  const ours = data.find(({ metadata }) => metadata?.['app'] === APP)
  if (ours) return ours.id
  // Plans are changed and cancelled on our own page, which says what becomes of the credits.
  const made = await stripe.billingPortal.configurations.create({
    metadata: { app: APP },
    features: { invoice_history: { enabled: true }, payment_method_update: { enabled: true } },
  })
  return made.id
}

function checkoutOf(session: Stripe.Checkout.Session): Checkout | null {
  const metadata = session.metadata ?? {}
  const planId = planIn(metadata)
  const userId = session.client_reference_id
  if (session.mode !== 'subscription' || !planId || !userId) return null
  return {
    id: session.id,
    userId,
    planId,
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    state: stateOf(session),
    invoiceId: session.invoice ? idOf(session.invoice) : null,
    subscriptionId: session.subscription ? idOf(session.subscription) : null,
  }
}

function stateOf({ status, payment_status }: Stripe.Checkout.Session): Checkout['state'] {
  if (status === 'complete') return payment_status === 'unpaid' ? 'unpaid' : 'paid'
  return status === 'expired' ? 'expired' : 'open'
}

function planIn(metadata: Stripe.Metadata): PlanId | null {
  if (metadata['app'] !== APP) return null
  return plans.find(({ id }) => id === metadata['planId'])?.id ?? null
}

const idOf = (thing: string | { id?: string }): string =>
  typeof thing === 'string' ? thing : (thing.id ?? '')

/** The thing, or null when Stripe has none by that id. */
async function found<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    const isMissing =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
    if (isMissing) return null
    throw error
  }
}
