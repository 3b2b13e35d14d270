import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

/**
 * The credits of a user that can be spent, and those held for running jobs. Written only together with
 * an entry.
 */
export const creditAccounts = pgTable(
  'credit_accounts',
  {
    // No foreign key: the ledger outlives a deleted user, under an id that names nobody any more.
    userId: uuid().primaryKey(),
    available: integer().notNull().default(0),
    held: integer().notNull().default(0),
    /** Hash of the newest entry: the next one is chained to it. */
    lastHash: text().notNull().default(''),
  },
  (t) => [check('credit_accounts_never_negative', sql`${t.available} >= 0 and ${t.held} >= 0`)],
)

/**
 * The ledger. Every entry moves credits between two of four accounts: `issued` and `spent` (the
 * house's), `available` and `held` (the user's), so that all accounts always sum to zero.
 * A trigger refuses UPDATE, DELETE and TRUNCATE.
 */
export const creditEntries = pgTable(
  'credit_entries',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid().notNull(),
    /**
     * grant issued→available · hold available→held · charge held→spent · release held→available ·
     * reversal available→issued · adjustment issued→available, or back where its credits are below zero
     */
    kind: text({
      enum: ['grant', 'hold', 'charge', 'release', 'reversal', 'adjustment'],
    }).notNull(),
    /**
     * The cause of the move, for instance `transcription:ID:1`; it has at most one entry of each kind.
     */
    cause: text().notNull(),
    credits: integer().notNull(),
    availableAfter: integer().notNull(),
    heldAfter: integer().notNull(),
    hash: text().notNull(),
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (t) => [
    unique('credit_entries_once_per_cause').on(t.cause, t.kind),
    check(
      'credit_entries_kind',
      sql`${t.kind} in ('grant', 'hold', 'charge', 'release', 'reversal', 'adjustment')`,
    ),
    check(
      'credit_entries_positive',
      sql`${t.credits} > 0 or (${t.kind} = 'adjustment' and ${t.credits} < 0)`,
    ),
    check('credit_entries_never_negative', sql`${t.availableAfter} >= 0 and ${t.heldAfter} >= 0`),
    index('credit_entries_by_user').on(t.userId, t.id),
  ],
)
