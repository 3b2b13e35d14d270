import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import type { Limits } from '#features/account/contract.ts'
import { users } from '#features/account/tables.ts'
import { instant } from '#server/columns.ts'

import { actKinds } from './contract.ts'

/**
 * The log of operators: one line for each act, also of the command line's. A trigger refuses UPDATE,
 * DELETE and TRUNCATE. It holds ids and figures; words about somebody stand apart, because they end
 * with their account.
 */
export const operatorActs = pgTable(
  'operator_acts',
  {
    /** Chosen by the caller: an act that is asked for again is not done again. */
    id: uuid().primaryKey(),
    /** The order of the log. */
    seq: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: instant().notNull(),
    /** The operator's address, or `command line` with the system's user. */
    operator: text().notNull(),
    /** The name that the user reads. */
    operatorName: text().notNull(),
    kind: text({ enum: actKinds }).notNull(),
    /** Whom it was about. No foreign key: the log outlives a deleted user, under an id that names nobody. */
    userId: uuid(),
    /** The job, letter or invitation it was about. */
    subject: uuid(),
    /** Given, or taken where below zero. */
    credits: integer(),
    /** The limits that were set for one account. */
    limits: jsonb().$type<Limits>(),
    /** Of a job that was run again: which attempt that was, and why the one before it had failed. */
    attempt: integer(),
    before: text(),
  },
  (t) => [
    index('operator_acts_in_order').on(t.seq),
    index('operator_acts_by_user').on(t.userId, t.seq),
    index('operator_acts_by_subject').on(t.subject),
    check(
      'operator_acts_kind',
      sql`${t.kind} in ('adjust', 'block', 'unblock', 'stop', 'run_again', 'answer', 'invite', 'withdraw', 'limits')`,
    ),
  ],
)

/** Why an operator did something to a user, in words that the user may read. Ends with the account. */
export const operatorReasons = pgTable(
  'operator_reasons',
  {
    actId: uuid()
      .primaryKey()
      .references(() => operatorActs.id),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    reason: text().notNull(),
  },
  (t) => [index('operator_reasons_by_user').on(t.userId)],
)
