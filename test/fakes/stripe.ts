/**
 * A stand-in for Stripe's API: a real server with the objects that billing uses, for the official
 * library to talk to. Its methods act as a customer, a bank or time would. Each makes signed
 * events, which a test delivers when and as often as it likes.
 */
import { randomBytes } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Stripe } from 'stripe'

type Thing = Record<string, unknown> & { id: string; object: string }
type Fields = { [key: string]: Fields | string }

export interface FakeEvent {
  id: string
  type: string
  created: number
  about: Thing
}

export class FakeStripe {
  readonly #things = new Map<string, Thing>()
  readonly #answers = new Map<string, unknown>()
  readonly #server: Server
  /** Everything that happened, in the order it happened. */
  readonly events: FakeEvent[] = []
  /** Every call that was answered: `POST /v1/prices`. */
  readonly calls: string[] = []
  /** Answers every call with this status while it is set. */
  failWith: number | null = null
  /** How many of the next calls are answered with 500. */
  failures = 0
  /** The answer of every customer's card at the next payment of a running subscription. */
  card: 'good' | 'declined' | 'asks' = 'good'
  /** In seconds; moved by the test. */
  now = Math.floor(Date.now() / 1000)

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#respond(request, response)
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The event as Stripe posts it. */
  request(
    { id, type, created, about }: FakeEvent,
    signed: { secret: string; at?: number },
  ): { payload: string; headers: Record<string, string> } {
    const event = { id, object: 'event', type, created, data: { object: about }, livemode: false }
    return this.requestOf(JSON.stringify(event), signed)
  }

  /** Any text, signed as Stripe signs. */
  requestOf(
    payload: string,
    { secret, at = this.now }: { secret: string; at?: number },
  ): { payload: string; headers: Record<string, string> } {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at })
    return {
      payload,
      headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' },
    }
  }

  /** The customer pays. `changes` overwrite fields of the session, to make wrong payments. */
  pay(sessionId: string, changes: Partial<Thing> = {}): { invoice: Thing; subscription: Thing } {
    const session = this.#get(sessionId)
    const price = this.#get(session['price'] as string)
    const data = session['subscription_data'] as { metadata?: Record<string, string> }
    const subscription = this.#add('sub', 'subscription', {
      customer: session['customer'],
      status: 'active',
      created: this.now,
      cancel_at: null,
      cancel_at_period_end: false,
      metadata: data.metadata ?? {},
      ended_at: null,
      items: {
        object: 'list',
        data: [{ id: id('si'), price, current_period_end: this.now + MONTH }],
      },
    })
    const amount =
      (changes['amount_total'] as number | undefined) ?? (price['unit_amount'] as number)
    const invoice = this.#bill(subscription, price, { reason: 'subscription_create', amount })
    Object.assign(session, {
      status: 'complete',
      payment_status: 'paid',
      amount_total: amount,
      invoice: invoice.id,
      subscription: subscription.id,
      ...changes,
    })
    if (session['payment_status'] !== 'paid')
      Object.assign(invoice, { status: 'open', amount_paid: 0 })
    this.#happened('customer.subscription.created', subscription)
    this.#happened('checkout.session.completed', session)
    if (invoice['status'] === 'paid') this.#happened('invoice.paid', invoice)
    return { invoice, subscription }
  }

  /** A new month begins: it is paid, or the card is declined, or the plan has ended. */
  renew(subscriptionId: string): Thing | null {
    const subscription = this.#get(subscriptionId)
    const item = itemOf(subscription)
    if (subscription['cancel_at_period_end']) {
      this.cancel(subscriptionId)
      return null
    }
    const invoice = this.#bill(subscription, item.price, {
      reason: 'subscription_cycle',
      isPaid: this.card === 'good',
      at: item.current_period_end,
    })
    item.current_period_end += MONTH
    subscription['status'] = this.card === 'good' ? 'active' : 'past_due'
    const isPaid = this.card === 'good'
    this.#happened(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice)
    this.#happened('customer.subscription.updated', subscription)
    return invoice
  }

  /** The customer pays an invoice that was open. */
  payInvoice(invoiceId: string): void {
    const invoice = this.#get(invoiceId)
    this.#markPaid(invoice, invoice['created'] as number)
    const subscription = this.#get(invoice['subscription'] as string)
    subscription['status'] = 'active'
    const pending = subscription['pending_update'] as { invoice: string; price: Thing } | undefined
    if (pending?.invoice === invoiceId) {
      Object.assign(itemOf(subscription), {
        price: pending.price,
        current_period_end: this.now + MONTH,
      })
      delete subscription['pending_update']
    }
    this.#happened('invoice.paid', invoice)
    this.#happened('customer.subscription.updated', subscription)
  }

  /** The money arrives for a page that was completed before it was paid. */
  settle(sessionId: string): void {
    const session = this.#get(sessionId)
    session['payment_status'] = 'paid'
    this.#happened('checkout.session.async_payment_succeeded', session)
    this.payInvoice(session['invoice'] as string)
  }

  cancel(subscriptionId: string): void {
    const subscription = this.#get(subscriptionId)
    Object.assign(subscription, { status: 'canceled', ended_at: this.now })
    this.#happened('customer.subscription.deleted', subscription)
  }

  refund(invoiceId: string, cents: number): void {
    const charge = this.#chargeOf(invoiceId)
    charge['amount_refunded'] = (charge['amount_refunded'] as number) + cents
    charge['refunded'] = charge['amount_refunded'] === charge['amount']
    this.#happened('charge.refunded', charge)
  }

  dispute(invoiceId: string): string {
    const charge = this.#chargeOf(invoiceId)
    charge['disputed'] = true
    const { id: dispute } = this.#add('dp', 'dispute', {
      charge: charge.id,
      amount: charge['amount'],
      status: 'needs_response',
    })
    this.#happened('charge.dispute.created', this.#get(dispute))
    return dispute
  }

  closeDispute(disputeId: string, status: 'won' | 'lost'): void {
    const dispute = this.#get(disputeId)
    dispute['status'] = status
    this.#happened('charge.dispute.closed', dispute)
  }

  /** Overwrites fields of an object, to make states that should never exist. */
  change(thingId: string, changes: Record<string, unknown>): Thing {
    return Object.assign(this.#get(thingId), changes)
  }

  /** A price that the operator made by hand: none of ours. */
  priceByHand(): Thing {
    return this.#add('price', 'price', { unit_amount: 500, currency: 'usd', metadata: {} })
  }

  /** An event about any object, as an operator could send it again. */
  happened(type: string, thingId: string): FakeEvent {
    return this.#happened(type, this.#get(thingId))
  }

  /** As if the key belonged to another Stripe account: everything that was made is unknown. */
  forgetEverything(): void {
    this.#things.clear()
  }

  all(object: string): Thing[] {
    return [...this.#things.values()].filter((thing) => thing.object === object)
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, answer } = this.#handle(request, await read(request))
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': id('req') })
    response.end(JSON.stringify(answer))
  }

  #happened(type: string, thing: Thing): FakeEvent {
    // The event gets a copy, because the object changes later.
    const event = { id: id('evt'), type, created: this.now, about: structuredClone(thing) }
    this.events.push(event)
    return event
  }

  #bill(
    subscription: Thing,
    price: Thing,
    {
      reason,
      amount = price['unit_amount'] as number,
      isPaid = true,
      at = this.now,
    }: { reason: string; amount?: number; isPaid?: boolean; at?: number },
  ): Thing {
    const metadata = { ...(subscription['metadata'] as object) }
    const invoice = this.#add('in', 'invoice', {
      subscription: subscription.id,
      customer: subscription['customer'],
      number: `QUOTH-${String(this.all('invoice').length + 1).padStart(4, '0')}`,
      parent: {
        type: 'subscription_details',
        subscription_details: { subscription: subscription.id, metadata },
      },
      billing_reason: reason,
      currency: price['currency'],
      created: at,
      total: amount,
      total_excluding_tax: amount,
      amount_due: amount,
      amount_paid: 0,
      status: 'open',
      status_transitions: { paid_at: null },
      hosted_invoice_url: `https://invoice.stripe.example/${randomBytes(4).toString('hex')}`,
      lines: {
        object: 'list',
        data: [
          {
            id: id('il'),
            amount: price['unit_amount'],
            parent: {
              type: 'subscription_item_details',
              subscription_item_details: { proration: false },
            },
            pricing: { type: 'price_details', price_details: { price: price.id, product: 'prod' } },
          },
        ],
      },
    })
    subscription['latest_invoice'] = invoice.id
    if (isPaid) this.#markPaid(invoice, at)
    return invoice
  }

  #markPaid(invoice: Thing, at: number): void {
    const paid = { status: 'paid', amount_paid: invoice['total'] }
    Object.assign(invoice, paid, { status_transitions: { paid_at: at } })
    const charge = this.#add('ch', 'charge', {
      amount: invoice['total'],
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      payment_intent: id('pi'),
    })
    this.#add('inpay', 'invoice_payment', {
      invoice: invoice.id,
      payment: { type: 'payment_intent', payment_intent: charge['payment_intent'] },
    })
  }

  #chargeOf(invoiceId: string): Thing {
    const payment = this.all('invoice_payment').find(({ invoice }) => invoice === invoiceId)
    const { payment_intent } = payment!['payment'] as { payment_intent: string }
    return this.all('charge').find((charge) => charge['payment_intent'] === payment_intent)!
  }

  #add(prefix: string, object: string, fields: Record<string, unknown>): Thing {
    const thing: Thing = { id: id(prefix), object, ...fields }
    this.#things.set(thing.id, thing)
    return thing
  }

  #get(thingId: string): Thing {
    const thing = this.#things.get(thingId)
    if (!thing) throw new Missing(thingId)
    return thing
  }

  #handle(request: IncomingMessage, body: string): { status: number; answer: unknown } {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe')
    const call = `${request.method} ${pathname}`
    this.calls.push(call)
    if (this.failWith) return problem(this.failWith, 'api_error', 'It is broken.')
    if (this.failures > 0) {
      this.failures -= 1
      return problem(500, 'api_error', 'It is broken for a moment.')
    }
    if (!request.headers.authorization?.startsWith('Bearer sk_test'))
      return problem(401, 'invalid_request_error', 'Invalid API Key provided')

    const key = request.headers['idempotency-key']
    const known = typeof key === 'string' ? this.#answers.get(`${call} ${key}`) : undefined
    if (known) return known as { status: number; answer: unknown }
    let result: { status: number; answer: unknown }
    try {
      result = {
        status: 200,
        answer: this.#answer(
          call,
          pathname,
          fieldsOf(searchParams),
          fieldsOf(new URLSearchParams(body)),
        ),
      }
    } catch (error) {
      if (error instanceof Missing)
        return problem(
          404,
          'invalid_request_error',
          `No such object: ${error.message}`,
          'resource_missing',
        )
      if (error instanceof Declined)
        return problem(402, 'card_error', 'Your card was declined.', 'card_declined')
      if (error instanceof Invalid) return problem(400, 'invalid_request_error', error.message)
      throw error
    }
    // A copy of the answer is kept, because the objects change later.
    const kept = structuredClone(result)
    if (typeof key === 'string') this.#answers.set(`${call} ${key}`, kept)
    return kept
  }

  #answer(call: string, pathname: string, query: Fields, body: Fields): unknown {
    const [, , ...parts] = pathname.split('/')
    const shape = `${call.split(' ')[0]} ${parts.map((part) => (/^[a-z]+_[\w]{12,}$/.test(part) ? ':id' : part)).join('/')}`
    const own = parts.find((part) => /^[a-z]+_[\w]{12,}$/.test(part)) ?? ''
    switch (shape) {
      case 'POST customers':
        return this.#add('cus', 'customer', body)
      case 'GET prices': {
        const wanted = Object.values((query['lookup_keys'] ?? {}) as Fields)
        return list(
          this.all('price').filter((price) => wanted.includes(price['lookup_key'] as string)),
        )
      }
      case 'POST prices':
        return this.#add('price', 'price', { ...body, unit_amount: Number(body['unit_amount']) })
      case 'POST checkout/sessions': {
        if (body['payment_method_types'])
          throw new Invalid('payment_method_types is no longer supported.')
        const [item] = Object.values(body['line_items'] as Fields) as Fields[]
        const price = this.#get(item?.['price'] as string)
        const sessionId = id('cs_test')
        const session: Thing = {
          ...body,
          id: sessionId,
          object: 'checkout.session',
          price: price.id,
          status: 'open',
          payment_status: 'unpaid',
          amount_total: price['unit_amount'],
          currency: price['currency'],
          invoice: null,
          subscription: null,
          url: `https://checkout.stripe.example/${sessionId}`,
        }
        this.#things.set(sessionId, session)
        return session
      }
      case 'POST checkout/sessions/:id/expire': {
        const session = this.#get(own)
        if (session['status'] !== 'open') throw new Invalid('Only open sessions can be expired.')
        session['status'] = 'expired'
        return session
      }
      case 'POST invoices/create_preview': {
        const details = body['subscription_details'] as { items: Record<string, { price: string }> }
        const price = this.#get(Object.values(details.items)[0]!.price)
        return { object: 'invoice', amount_due: price['unit_amount'], total: price['unit_amount'] }
      }
      case 'POST subscriptions/:id':
        return this.#update(this.#get(own), body)
      case 'DELETE subscriptions/:id':
        this.cancel(own)
        return this.#get(own)
      case 'GET invoice_payments': {
        const { payment_intent } = query['payment'] as { payment_intent: string }
        return list(
          this.all('invoice_payment').filter(
            ({ payment }) =>
              (payment as { payment_intent: string }).payment_intent === payment_intent,
          ),
        )
      }
      case 'GET disputes':
        return list(this.all('dispute').filter(({ charge }) => charge === query['charge']))
      case 'GET billing_portal/configurations':
        return list(this.all('billing_portal.configuration'))
      case 'POST billing_portal/configurations':
        return this.#add('bpc', 'billing_portal.configuration', body)
      case 'POST billing_portal/sessions':
        return this.#add('bps', 'billing_portal.session', {
          url: 'https://billing.stripe.example/p',
        })
      case 'GET customers/:id':
      case 'GET prices/:id':
      case 'GET checkout/sessions/:id':
      case 'GET invoices/:id':
      case 'GET subscriptions/:id':
      case 'GET charges/:id':
        return this.#get(own)
      default:
        throw new Missing(`${shape} (${pathname})`)
    }
  }

  #update(subscription: Thing, body: Fields): Thing {
    if (typeof body['cancel_at_period_end'] === 'string') {
      const ends = body['cancel_at_period_end'] === 'true'
      Object.assign(subscription, {
        cancel_at_period_end: ends,
        canceled_at: ends ? this.now : null,
      })
    }
    const [change] = Object.values((body['items'] ?? {}) as Fields) as { price?: string }[]
    if (change?.price === undefined) {
      this.#happened('customer.subscription.updated', subscription)
      return subscription
    }
    const price = this.#get(change.price)
    const item = itemOf(subscription)
    const isNow = (body['billing_cycle_anchor'] as Fields | undefined)?.['type'] === 'now'
    if (!isNow) item.price = price
    if (isNow && this.card === 'declined') throw new Declined()
    if (isNow) {
      const isPaid = this.card === 'good'
      const invoice = this.#bill(subscription, price, { reason: 'subscription_update', isPaid })
      if (isPaid) {
        item.price = price
        item.current_period_end = this.now + MONTH
        this.#happened('invoice.paid', invoice)
      } else subscription['pending_update'] = { invoice: invoice.id, price }
    }
    this.#happened('customer.subscription.updated', subscription)
    const isExpanded = Object.values((body['expand'] ?? {}) as Fields).includes('latest_invoice')
    const latest = this.#things.get(subscription['latest_invoice'] as string)
    return isExpanded ? { ...subscription, latest_invoice: latest } : subscription
  }
}

class Missing extends Error {}
class Invalid extends Error {}
class Declined extends Error {}

const MONTH = 30 * 86_400

const id = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
const list = (data: unknown[]) => ({ object: 'list', data, has_more: false })

function itemOf(subscription: Thing): { id: string; price: Thing; current_period_end: number } {
  return (subscription['items'] as { data: ReturnType<typeof itemOf>[] }).data[0]!
}

function problem(status: number, type: string, message: string, code?: string) {
  return { status, answer: { error: { type, message, ...(code ? { code } : {}) } } }
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** `a[b][0]=c` as the library writes it, as nested objects. */
function fieldsOf(form: URLSearchParams): Fields {
  const fields: Fields = {}
  for (const [name, value] of form) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== '')
    const last = keys.pop()!
    let at = fields
    for (const key of keys) at = (at[key] ??= {}) as Fields
    at[last] = value
  }
  return fields
}
