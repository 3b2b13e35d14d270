import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import type { Clock } from '#shared/clock.ts'

import { isFileThere } from './sharing.ts'
import { shares } from './tables.ts'

/** Those of these transcriptions that have an open link. */
export async function sharedAmong(
  { db, clock }: { db: Db; clock: Clock },
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const { endsAt, endedAt, transcriptionId } = shares
  const rows = await db
    .selectDistinct({ id: transcriptionId })
    .from(shares)
    .where(
      and(
        eq(shares.userId, userId),
        inArray(transcriptionId, [...ids]),
        isNull(endedAt),
        or(isNull(endsAt), gt(endsAt, clock())),
        isFileThere,
      ),
    )
  return new Set(rows.map(({ id }) => id))
}
