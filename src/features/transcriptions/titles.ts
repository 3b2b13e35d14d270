import { and, eq, inArray, sql } from 'drizzle-orm'

import { creditsFor } from '#features/credits/contract.ts'
import { shownRows, veils } from '#features/row/row.ts'
import { veilOf } from '#features/row/veil.ts'
import type { Queryable } from '#server/db.ts'
import { hideInName } from '#shared/hidden-words.ts'

interface Job {
  name: string
  seconds: number
  withDocument: boolean
  problem: string | null
}

/**
 * The names and lengths of a user's jobs, for the lines of a bill; `isForOthers`: without what is hidden
 * for others. Deleted ones are not in the answer.
 */
export async function titles(
  db: Queryable,
  { userId, ids, isForOthers }: { userId: string; ids: readonly string[]; isForOthers: boolean },
): Promise<Map<string, Job>> {
  const rows = await db
    .select({
      id: shownRows.id,
      userId: shownRows.userId,
      language: shownRows.language,
      againOf: shownRows.againOf,
      isVeiled: sql<boolean>`${veils.transcriptionId} is not null`,
      name: shownRows.originalName,
      durationMs: shownRows.durationMs,
      price: shownRows.creditsRequired,
      problem: shownRows.errorMessage,
    })
    .from(shownRows)
    .leftJoin(veils, eq(veils.transcriptionId, shownRows.id))
    .where(and(eq(shownRows.userId, userId), inArray(shownRows.id, [...ids])))
  const jobs = new Map<string, Job>()
  for (const { isVeiled, durationMs, price, ...row } of rows) {
    const veil = isForOthers && isVeiled ? await veilOf(db, row) : null
    const name = veil ? hideInName(row.name, veil) : row.name
    const problem = row.problem !== null && veil ? veil.hide(row.problem) : row.problem
    const seconds = durationMs / 1000
    jobs.set(row.id, { name, problem, seconds, withDocument: price > creditsFor(seconds) })
  }
  return jobs
}
