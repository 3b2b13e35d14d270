/**
 * The payment provider as billing sees it. Two stand behind it: Stripe, and the built-in test
 * checkout. An answer is true at its moment. An event only names the object to ask about.
 */
import type { PlanId } from '#shared/business.ts'

export interface Provider {
  name: 'stripe' | 'test'
  createCustomer(who: { userId: string; email: string; name: string }): Promise<string>
  /** Whether the provider knows this customer: another key may belong to another account. */
  hasCustomer(id: string): Promise<boolean>
  /** Opens a page where the plan's first month can be paid. */
  openCheckout(order: Order): Promise<{ sessionId: string; url: string }>
  /** Null when there is no such session, or it is not one of ours. */
  checkout(id: string): Promise<Checkout | null>
  /** Closes a page that was not paid. One that was meanwhile stays paid. */
  expireCheckout(id: string): Promise<void>
  invoice(id: string): Promise<Invoice | null>
  subscription(id: string): Promise<Subscription | null>
  charge(id: string): Promise<Charge | null>
  /** The amount that a change to a dearer plan takes from the card at once. */
  quoteChange(subscription: Subscription, planId: PlanId): Promise<{ amountCents: number }>
  /** Pays the dearer plan and begins a new month; the old plan stays unless it is paid. */
  changeNow(subscription: Subscription, planId: PlanId): Promise<ChangeResult>
  /** Sets the plan of the next month. Nothing is paid now. */
  changeNext(subscription: Subscription, planId: PlanId): Promise<void>
  /** Sets whether the subscription ends with the month that is paid for. */
  endWithPeriod(subscription: Subscription, ends: boolean): Promise<void>
  /** Ends it now, for an account that is deleted. */
  endNow(subscriptionId: string): Promise<void>
  /** The provider's own page for cards and invoices; null where it has none. */
  portal(customerId: string): Promise<{ url: string } | null>
}

export interface Order {
  customerId: string
  userId: string
  planId: PlanId
  description: string
  /** `{SESSION}` in it becomes the session's id. */
  successUrl: string
  leaveUrl: string
}

export interface Checkout {
  id: string
  userId: string
  planId: PlanId
  amountCents: number
  currency: string
  /** `unpaid`: completed, but the money has not arrived. */
  state: 'open' | 'paid' | 'unpaid' | 'expired'
  /** Once it is completed. */
  invoiceId: string | null
  subscriptionId: string | null
}

export interface Invoice {
  id: string
  /** Null where its subscription was not begun here. */
  userId: string | null
  customerId: string
  subscriptionId: string
  /** The plan whose month it is for: null where it is for none of our plans, or for several. */
  planId: PlanId | null
  /** Whether that month is given away, as the provider's trials are. */
  isTrial: boolean
  /** The number on the provider's own invoice. */
  number: string | null
  /** All of it, tax included, whatever was paid by card, balance or voucher. */
  amountCents: number
  taxCents: number
  currency: string
  /** Whether it is for another plan in a month that had begun already. */
  isChange: boolean
  isPaid: boolean
  paidAt: Date
  receiptUrl: string | null
}

export interface Subscription {
  id: string
  userId: string
  /** The plan of the next month; null when it is nothing that we sell. */
  nextPlanId: PlanId | null
  status: string
  periodEndsAt: Date
  endsWithPeriod: boolean
  /** When it was last said that it ends; null when it goes on, or the provider does not tell. */
  endAskedAt: Date | null
  createdAt: Date
  /** The item that carries the price. */
  itemId: string
  latestInvoiceId: string | null
}

export interface Charge {
  /** Null when it paid for something else. */
  invoiceId: string | null
  refundedCents: number
  /** In disputes that are open or lost. */
  disputedCents: number
}

export type ChangeResult =
  | { kind: 'paid'; invoiceId: string }
  | { kind: 'declined' }
  /** The bank wants to hear from the card's owner, on this page. */
  | { kind: 'needs_owner'; url: string }

/** The object that an event is about. Its state is asked for. */
export type About = { kind: 'checkout' | 'invoice' | 'subscription' | 'charge'; id: string }

export interface ProviderEvent {
  id: string
  type: string
  /** Null for events that change nothing here. */
  about: About | null
}
