import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'
import { instant } from '#server/columns.ts'
import { CURRENCY } from '#shared/business.ts'

import type { Reason } from './status.ts'

const planId = () => text({ enum: ['starter', 'professional', 'enterprise'] })
const provider = () => text({ enum: ['stripe', 'test'] }).notNull()

/** The customer that a user is at the payment provider. */
export const customers = pgTable(
  'billing_customers',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: provider(),
    /** The provider's id. */
    id: text().notNull(),
  },
  (t) => [
    primaryKey({ name: 'billing_customers_one_per_user', columns: [t.userId, t.provider] }),
    uniqueIndex('billing_customers_by_id').on(t.id),
    check('billing_customers_provider', sql`${t.provider} in ('stripe', 'test')`),
  ],
)

/** Checkout pages that were opened, so that a buyer who comes back without a session id is found. */
export const checkouts = pgTable(
  'billing_checkouts',
  {
    id: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: provider(),
    planId: planId().notNull(),
    /** Whether it can still be paid, as far as we know. */
    isOpen: boolean().notNull().default(true),
    createdAt: instant().notNull(),
  },
  (t) => [index('billing_checkouts_by_user').on(t.userId, t.createdAt)],
)

/** The provider's subscriptions as they were when we last looked. */
export const subscriptions = pgTable(
  'billing_subscriptions',
  {
    id: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: provider(),
    /** The plan of the next payment; that of the last one is in the payments. */
    nextPlanId: planId(),
    /** The provider's word: active, past_due, canceled … */
    status: text().notNull(),
    periodEndsAt: instant().notNull(),
    endsWithPeriod: boolean().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [index('billing_subscriptions_by_user').on(t.userId)],
)

/** Every month that was paid for: one row per invoice, and one grant of credits per row. */
export const payments = pgTable(
  'billing_payments',
  {
    /** The provider's invoice. */
    id: text().primaryKey(),
    // No foreign key: books are kept when the account is gone, under an id that names nobody.
    userId: uuid().notNull(),
    provider: provider(),
    subscriptionId: text().notNull(),
    checkoutId: text(),
    planId: planId().notNull(),
    /** The number on the provider's own invoice; null where it has none. */
    number: text(),
    /** Tax included, in the smallest unit of the currency. */
    amountCents: integer().notNull(),
    taxCents: integer().notNull().default(0),
    currency: text().notNull().default(CURRENCY),
    credits: integer().notNull(),
    paidAt: instant().notNull(),
    receiptUrl: text(),
    /** Given back by us, and taken back by the bank in a dispute that is open or lost. */
    refundedCents: integer().notNull().default(0),
    disputedCents: integer().notNull().default(0),
    /** Credits that should be gone because of it, and those that could be taken. */
    reversedCredits: integer().notNull().default(0),
    takenCredits: integer().notNull().default(0),
    /** Counts the ledger entries that followed from it, to name the next one. */
    reversals: integer().notNull().default(0),
  },
  (t) => [
    index('billing_payments_by_user').on(t.userId, t.paidAt),
    index('billing_payments_by_subscription').on(t.subscriptionId),
    uniqueIndex('billing_payments_one_per_checkout').on(t.checkoutId),
    check(
      'billing_payments_amounts',
      sql`${t.amountCents} >= 0 and ${t.taxCents} between 0 and ${t.amountCents} and ${t.credits} > 0 and ${t.refundedCents} >= 0 and ${t.disputedCents} >= 0`,
    ),
    check(
      'billing_payments_reversed',
      sql`${t.reversedCredits} between 0 and ${t.credits} and ${t.takenCredits} between 0 and ${t.reversedCredits}`,
    ),
  ],
)

/** Payments that granted nothing: the owner and the operators are told why. */
export const unmatched = pgTable(
  'billing_unmatched',
  {
    /** The provider's invoice, or its checkout where there is no invoice. */
    id: text().primaryKey(),
    // No foreign key, as with payments. Null: the provider's customer is nobody's here.
    userId: uuid(),
    reason: text().$type<Reason>().notNull(),
    amountCents: integer().notNull(),
    currency: text().notNull(),
    paidAt: instant().notNull(),
  },
  (t) => [index('billing_unmatched_by_day').on(t.paidAt)],
)

/** Every event of the provider that was acted on, written in one transaction with its effects. */
export const events = pgTable('billing_events', {
  id: text().primaryKey(),
  type: text().notNull(),
  /** The object that it is about, whose state is always asked for. */
  about: text(),
  receivedAt: instant().notNull(),
})

/** The users who want a mail when their balance falls below a number. */
export const creditAlerts = pgTable(
  'billing_credit_alerts',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    below: integer().notNull(),
    /** When it was sent; null again once the balance has risen. */
    sentAt: instant(),
  },
  (t) => [check('billing_credit_alerts_below', sql`${t.below} between 1 and 10000`)],
)

/** The objects of the built-in test checkout, which would lie with a real provider. */
export const testObjects = pgTable(
  'billing_test_objects',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['checkout', 'subscription', 'invoice'] }).notNull(),
    data: jsonb().notNull(),
  },
  (t) => [
    check('billing_test_objects_kind', sql`${t.kind} in ('checkout', 'subscription', 'invoice')`),
  ],
)
