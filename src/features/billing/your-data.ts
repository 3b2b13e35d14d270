/** Copies a user's payments for them, and ends their plan before the account is deleted. */
import { asc, eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import { type Erase, type Exporter, jsonExporter } from '#server/personal-data.ts'

import * as billing from './billing.ts'
import type { Deps } from './state.ts'
import { payments, unmatched as withoutCredits } from './tables.ts'

export const billingExporter = (db: Db): Exporter =>
  jsonExporter('payments', async (userId) => {
    const [paid, unmatched] = await Promise.all([
      db.select().from(payments).where(eq(payments.userId, userId)).orderBy(asc(payments.paidAt)),
      db
        .select()
        .from(withoutCredits)
        .where(eq(withoutCredits.userId, userId))
        .orderBy(asc(withoutCredits.paidAt)),
    ])
    return [
      { path: 'payments.json', rows: paid, modifiedAt: paid.at(-1)?.paidAt },
      {
        path: 'payments-without-credits.json',
        rows: unmatched,
        modifiedAt: unmatched.at(-1)?.paidAt,
      },
    ]
  })

/**
 * Ends the running plan at the provider before the account is gone: nobody pays for nothing. Where
 * the provider does not answer, the account stays until it does.
 */
export function eraseBilling(deps: Deps): Erase {
  return async (tx, userId) => ({ counts: { plans: await billing.end(deps, tx, userId) } })
}
