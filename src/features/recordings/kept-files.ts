/** The files that belong to the rows of the database, for those who copy both. */
import { eq, inArray, isNotNull, sql } from 'drizzle-orm'

import { everyRow, hidings, renders, veils } from '#features/row/row.ts'
import type { Queryable } from '#server/db.ts'
import type { Storage } from '#server/storage.ts'

import { uploads } from './tables.ts'

/** Every file that a row names. A file is there before its row, and for as long as its row names it. */
export async function keptFiles(db: Queryable): Promise<{ key: string; sizeBytes: number }[]> {
  const recordings = await db
    .select({ key: everyRow.storageKey, sizeBytes: everyRow.sizeBytes })
    .from(everyRow)
    .where(isNotNull(everyRow.storageKey))
  const made = await db
    .select({ key: renders.storageKey, sizeBytes: renders.sizeBytes })
    .from(renders)
    .where(isNotNull(renders.storageKey))
  const hidden = await db
    .select({ key: hidings.sourceKey, sizeBytes: everyRow.sizeBytes })
    .from(hidings)
    .innerJoin(everyRow, eq(everyRow.id, hidings.transcriptionId))
    .where(isNotNull(hidings.sourceKey))
  const veiled = await db
    .select({ key: veils.storageKey, sizeBytes: veils.sizeBytes })
    .from(veils)
    .where(isNotNull(veils.storageKey))
  return [...recordings, ...made, ...hidden, ...veiled].flatMap(({ key, sizeBytes }) =>
    key === null ? [] : { key, sizeBytes: sizeBytes ?? 0 },
  )
}

/** Where rows name files. */
const namingColumns = [
  everyRow.storageKey,
  uploads.storageKey,
  renders.storageKey,
  hidings.sourceKey,
  veils.storageKey,
]

/** Which of these files a row names. The bin names some besides. */
export async function namedAmong(
  db: Queryable,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = new Set<string>()
  for (const column of namingColumns) {
    const rows = await db
      .select({ key: column })
      .from(column.table)
      .where(inArray(column, [...keys]))
    for (const { key } of rows) if (key !== null) named.add(key)
  }
  return named
}

/**
 * Removes a file that came to nothing. Only the database knows whether it did: a connection may have
 * ended after the row was stored. A file that stays because something cannot be reached is swept.
 */
export async function removeUnnamed(
  { db, storage }: { db: Queryable; storage: Pick<Storage, 'remove'> },
  key: string,
): Promise<void> {
  const remove = async () => {
    if (!(await db.$count(everyRow, eq(everyRow.storageKey, key)))) await storage.remove(key)
  }
  await remove().catch(() => undefined)
}

/** Until the caller's transaction ends, no row begins to name a file and none ceases to. */
export async function holdKeptFiles(db: Queryable): Promise<void> {
  await db.execute(sql`lock table ${everyRow}, ${renders}, ${hidings}, ${veils} in share mode`)
}

/** How many files rows name, how many of those are not in storage, and how many are there besides. */
export async function compareFiles(
  db: Queryable,
  storage: Pick<Storage, 'list'>,
): Promise<{ named: number; missing: number; unnamed: number }> {
  const named = new Set((await keptFiles(db)).map(({ key }) => key))
  const missing = new Set(named)
  // A file that comes in parts is listed more than once.
  const unnamed = new Set<string>()
  for await (const page of storage.list())
    for (const { key } of page) if (!missing.delete(key) && !named.has(key)) unnamed.add(key)
  return { named: named.size, missing: missing.size, unnamed: unnamed.size }
}
