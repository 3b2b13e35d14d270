/** A copy of what operators wrote about a user, and its deletion. The log keeps ids and figures. */
import { asc, eq } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'

import { operatorActs, operatorReasons } from './tables.ts'

export function operatorsExporter(db: Db): Exporter {
  const read = async (userId: string) => {
    const { at, kind, credits, limits } = operatorActs
    const rows = await db
      .select({ at, what: kind, credits, limits, reason: operatorReasons.reason })
      .from(operatorActs)
      .leftJoin(operatorReasons, eq(operatorReasons.actId, operatorActs.id))
      .where(eq(operatorActs.userId, userId))
      .orderBy(asc(operatorActs.seq))
    return { last: rows.at(-1), content: JSON.stringify(rows, null, 2) }
  }
  return {
    name: "operators' acts",
    async sizeFor(userId) {
      const { last, content } = await read(userId)
      return last ? { files: 1, sizeBytes: Buffer.byteLength(content) } : { files: 0, sizeBytes: 0 }
    },
    async *exportFor(userId) {
      const { last, content } = await read(userId)
      if (last) yield { path: 'operators.json', content, modifiedAt: last.at }
    },
  }
}

export const eraseReasons: Erase = async (tx, userId) => {
  await tx.delete(operatorReasons).where(eq(operatorReasons.userId, userId))
  return { counts: {} }
}
