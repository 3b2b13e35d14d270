/** A copy of what operators wrote about a user, and its deletion. The log keeps ids and figures. */
import { asc, eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import { type Erase, type Exporter, jsonExporter } from '#server/personal-data.ts'

import { operatorActs, operatorReasons } from './tables.ts'

export const operatorsExporter = (db: Db): Exporter =>
  jsonExporter("operators' acts", async (userId) => {
    const { at, kind, credits, limits } = operatorActs
    const rows = await db
      .select({ at, what: kind, credits, limits, reason: operatorReasons.reason })
      .from(operatorActs)
      .leftJoin(operatorReasons, eq(operatorReasons.actId, operatorActs.id))
      .where(eq(operatorActs.userId, userId))
      .orderBy(asc(operatorActs.seq))
    return [{ path: 'operators.json', rows, modifiedAt: rows.at(-1)?.at }]
  })

export const eraseReasons: Erase = async (tx, userId) => {
  await tx.delete(operatorReasons).where(eq(operatorReasons.userId, userId))
  return { counts: {} }
}
