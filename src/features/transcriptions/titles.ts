import { and, eq, inArray, isNull } from 'drizzle-orm'

import { creditsFor } from '#features/credits/contract.ts'
import { transcriptions } from '#features/row/tables.ts'
import type { Queryable } from '#server/db.ts'

/** What a user's jobs were about, for the lines of a bill. What was deleted is not in the answer. */
export async function titles(
  db: Queryable,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<
  Map<string, { name: string; seconds: number; withDocument: boolean; problem: string | null }>
> {
  const rows = await db
    .select({
      id: transcriptions.id,
      name: transcriptions.originalName,
      durationMs: transcriptions.durationMs,
      price: transcriptions.creditsRequired,
      problem: transcriptions.errorMessage,
    })
    .from(transcriptions)
    .where(
      and(
        eq(transcriptions.userId, userId),
        isNull(transcriptions.deletedAt),
        inArray(transcriptions.id, [...ids]),
      ),
    )
  return new Map(
    rows.map(({ id, name, durationMs, price, problem }) => {
      const seconds = durationMs / 1000
      return [id, { name, seconds, withDocument: price > creditsFor(seconds), problem }]
    }),
  )
}
