import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { owner } from '#features/account/tables.ts'
import { instant } from '#server/columns.ts'

/** Long-lived keys of programs. Revoking one removes its row; only a hash of the key is kept. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: owner(),
    name: text().notNull(),
    /** How the key begins: enough to know it again, too little to use it. */
    prefix: text().notNull(),
    keyHash: text().notNull(),
    scopes: text().array().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant(),
    expiresAt: instant(),
  },
  (t) => [
    uniqueIndex('api_keys_one_per_hash').on(t.keyHash),
    index('api_keys_by_user').on(t.userId, t.createdAt),
    check(
      'api_keys_scopes',
      sql`cardinality(${t.scopes}) > 0 and ${t.scopes} <@ array['read', 'write']`,
    ),
  ],
)

/** The requests that came with an Idempotency-Key, and their answers. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: owner(),
    key: text().notNull(),
    /** Hash of the request; null while it is still coming in. */
    fingerprint: text(),
    /** The request that works on it, until its time is up or it has ended. */
    lease: uuid(),
    leaseUntil: instant(),
    /** The answer: `status` is null until it is known. */
    status: integer(),
    body: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [t.userId, t.key] }),
    index('idempotency_keys_by_age').on(t.createdAt),
    check('idempotency_keys_answered', sql`(${t.status} is null) = (${t.body} is null)`),
  ],
)

/** The addresses at which a user's programs are told of events. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: owner(),
    url: text().notNull(),
    description: text().notNull().default(''),
    /** Which events; empty for all. */
    types: text().array().notNull(),
    /** `whsec_…`. It signs, so it is kept as it is. */
    secret: text().notNull(),
    /** The secret before this one. Until it expires, messages are signed with both. */
    oldSecret: text(),
    oldSecretUntil: instant(),
    /** Why nothing is sent: its owner stopped it, it is dead, it said that it is gone, or the password is new. */
    paused: text({ enum: ['by_owner', 'dead', 'gone', 'new_password'] }),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('webhook_endpoints_by_user').on(t.userId, t.createdAt),
    check(
      'webhook_endpoints_paused',
      sql`${t.paused} in ('by_owner', 'dead', 'gone', 'new_password')`,
    ),
  ],
)

/** One message to one endpoint. Its id is sent along, so that a repeat is known as one. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey().defaultRandom(),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    /** `msg_…`: the same at every endpoint and on every try. */
    messageId: text().notNull(),
    type: text().notNull(),
    /** Signed and sent letter for letter. */
    body: text().notNull(),
    status: text({ enum: ['waiting', 'delivered', 'failed'] })
      .notNull()
      .default('waiting'),
    /** Tries in all, and of the schedule that is running: sending again begins a new one. */
    tries: integer().notNull().default(0),
    step: integer().notNull().default(0),
    /**
     * Goes up each time the message is asked for again. A job that carries an earlier number does
     * nothing.
     */
    round: integer().notNull().default(1),
    lastTriedAt: instant(),
    lastStatus: integer(),
    lastProblem: text(),
    lastDurationMs: integer(),
    nextTryAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('webhook_deliveries_by_endpoint').on(t.endpointId, t.createdAt, t.id),
    index('webhook_deliveries_by_age').on(t.createdAt),
    check('webhook_deliveries_status', sql`${t.status} in ('waiting', 'delivered', 'failed')`),
  ],
)
