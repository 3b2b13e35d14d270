/** A user's payments: a copy of them, and what happens to their plan when the account ends. */
import { asc, eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'

import * as billing from './billing.ts'
import type { Deps } from './state.ts'
import { payments } from './tables.ts'

export function billingExporter(db: Db): Exporter {
  const read = async (userId: string) => {
    const rows = await db
      .select()
      .from(payments)
      .where(eq(payments.userId, userId))
      .orderBy(asc(payments.paidAt))
    return { last: rows.at(-1), content: JSON.stringify(rows, null, 2) }
  }
  return {
    name: 'payments',
    async sizeFor(userId) {
      const { last, content } = await read(userId)
      return last ? { files: 1, sizeBytes: content.length } : { files: 0, sizeBytes: 0 }
    },
    async *exportFor(userId) {
      const { last, content } = await read(userId)
      if (last) yield { path: 'payments.json', content, modifiedAt: last.paidAt }
    },
  }
}

/**
 * Ends the running plan at the provider before the account is gone: nobody pays for nothing. Where
 * the provider does not answer, the account stays until it does.
 */
export function eraseBilling(deps: Deps): Erase {
  return async (tx, userId) => ({ counts: { plans: await billing.end(deps, tx, userId) } })
}
