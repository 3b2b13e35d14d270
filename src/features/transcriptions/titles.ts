import { and, eq, inArray } from 'drizzle-orm'

import { creditsFor } from '#features/credits/contract.ts'
import { shownRows } from '#features/row/row.ts'
import type { Queryable } from '#server/db.ts'

/** The names and lengths of a user's jobs, for the lines of a bill. Deleted ones are not in the answer. */
export async function titles(
  db: Queryable,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<
  Map<string, { name: string; seconds: number; withDocument: boolean; problem: string | null }>
> {
  const rows = await db
    .select({
      id: shownRows.id,
      name: shownRows.originalName,
      durationMs: shownRows.durationMs,
      price: shownRows.creditsRequired,
      problem: shownRows.errorMessage,
    })
    .from(shownRows)
    .where(and(eq(shownRows.userId, userId), inArray(shownRows.id, [...ids])))
  return new Map(
    rows.map(({ id, name, durationMs, price, problem }) => {
      const seconds = durationMs / 1000
      return [id, { name, seconds, withDocument: price > creditsFor(seconds), problem }]
    }),
  )
}
