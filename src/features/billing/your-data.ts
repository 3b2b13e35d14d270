/** A user's payments: a copy of them, and what happens to their plan when the account ends. */
import { asc, eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'

import * as billing from './billing.ts'
import type { Deps } from './state.ts'
import { payments, unmatched as withoutCredits } from './tables.ts'

export function billingExporter(db: Db): Exporter {
  const filesFor = async (userId: string) => {
    const [paid, unmatched] = await Promise.all([
      db.select().from(payments).where(eq(payments.userId, userId)).orderBy(asc(payments.paidAt)),
      db
        .select()
        .from(withoutCredits)
        .where(eq(withoutCredits.userId, userId))
        .orderBy(asc(withoutCredits.paidAt)),
    ])
    return [
      { path: 'payments.json', rows: paid },
      { path: 'payments-without-credits.json', rows: unmatched },
    ].flatMap(({ path, rows }) => {
      const last = rows.at(-1)
      const content = JSON.stringify(rows, null, 2)
      return last ? { path, content, modifiedAt: last.paidAt } : []
    })
  }
  return {
    name: 'payments',
    async sizeFor(userId) {
      const files = await filesFor(userId)
      const sizeBytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
      return { files: files.length, sizeBytes }
    },
    async *exportFor(userId) {
      yield* await filesFor(userId)
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
