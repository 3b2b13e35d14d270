/**
 * Knows a file again that its owner has already, so that nobody pays for it twice unasked. What this
 * promises:
 *
 * - The same bytes are the same file, whatever its name. Of rows that are older than the hash, name, size
 *   and length are compared.
 * - Recordings of other accounts are never looked at.
 */
import {
  type AnyColumn,
  and,
  desc,
  eq,
  inArray,
  isNull,
  ne,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'

import { everyRow, shownRows } from '#features/row/row.ts'
import type { Queryable } from '#server/db.ts'

import type { Same } from './contract.ts'

const { contentHash, originalName, sizeBytes, durationMs, userId, status, isSample } = shownRows

/** It has a text, or is on the way to it. */
const isUsed = and(notInArray(status, ['uploading', 'error']), eq(isSample, false))

const shown = ({ createdAt, ...row }: Omit<Same, 'createdAt'> & { createdAt: Date }): Same => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

const isHash = (hash: AnyColumn | string | undefined) =>
  sql<boolean>`coalesce(${contentHash} = ${hash ?? null}, false)`

/** What each of these rows is the same as. */
export async function sameOf(db: Queryable, ids: readonly string[]): Promise<Map<string, Same>> {
  if (ids.length === 0) return new Map()
  const isNamedAlike = and(
    or(isNull(contentHash), isNull(everyRow.contentHash)),
    // By the index of names.
    eq(sql`lower(${originalName})`, sql`lower(${everyRow.originalName})`),
    eq(originalName, everyRow.originalName),
    eq(sizeBytes, everyRow.sizeBytes),
    eq(durationMs, everyRow.durationMs),
  )
  const rows = await db
    .selectDistinctOn([everyRow.id], {
      of: everyRow.id,
      id: shownRows.id,
      createdAt: shownRows.createdAt,
      hasSameBytes: isHash(everyRow.contentHash),
    })
    .from(everyRow)
    .innerJoin(
      shownRows,
      and(
        eq(userId, everyRow.userId),
        ne(shownRows.id, everyRow.id),
        isUsed,
        or(eq(contentHash, everyRow.contentHash), isNamedAlike),
      ),
    )
    .where(inArray(everyRow.id, [...ids]))
    .orderBy(everyRow.id, desc(shownRows.createdAt))
  return new Map(rows.map(({ of, ...row }) => [of, shown(row)]))
}

/** The same rows; those that wait for their confirmation say what they are the same as. */
export async function withSame<Row extends { id: string; status: string }>(
  db: Queryable,
  rows: readonly Row[],
): Promise<(Row & { sameAs: Same | null })[]> {
  const waiting = rows.filter((row) => row.status === 'uploading').map(({ id }) => id)
  const same = await sameOf(db, waiting)
  return rows.map((row) => ({ ...row, sameAs: same.get(row.id) ?? null }))
}

/** What a file is the same as that is not sent yet; its hash only where it was cheap. */
export async function sameAs(
  db: Queryable,
  file: { userId: string; name: string; sizeBytes: number; hash?: string | undefined },
): Promise<Same | null> {
  const isNamedAlike = and(
    file.hash === undefined ? undefined : isNull(contentHash),
    eq(sql`lower(${originalName})`, file.name.toLowerCase()),
    eq(originalName, file.name),
    eq(sizeBytes, file.sizeBytes),
  )
  const [row] = await db
    .select({
      id: shownRows.id,
      createdAt: shownRows.createdAt,
      hasSameBytes: isHash(file.hash),
    })
    .from(shownRows)
    .where(
      and(
        eq(userId, file.userId),
        isUsed,
        or(file.hash === undefined ? undefined : eq(contentHash, file.hash), isNamedAlike),
      ),
    )
    .orderBy(desc(shownRows.createdAt))
    .limit(1)
  return row ? shown(row) : null
}
