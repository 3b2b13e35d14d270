/** The files that belong to the rows of the database, for those who copy both. */
import { countDistinct, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'

import type { Queryable } from '#server/db.ts'
import type { Storage } from '#server/storage.ts'

import { transcriptions } from './tables.ts'

/** Every file that a row names. A file is there before its row, and for as long as its row names it. */
export async function keptFiles(db: Queryable): Promise<{ key: string; sizeBytes: number }[]> {
  const rows = await db
    .select({ key: transcriptions.storageKey, sizeBytes: transcriptions.sizeBytes })
    .from(transcriptions)
    .where(isNotNull(transcriptions.storageKey))
  return rows.flatMap(({ key, sizeBytes }) => (key === null ? [] : { key, sizeBytes }))
}

/** Until the caller's transaction ends, no row begins to name a file and none ceases to. */
export async function holdKeptFiles(db: Queryable): Promise<void> {
  await db.execute(sql`lock table ${transcriptions} in share mode`)
}

/** How many files rows name, how many of those are not in storage, and how many are there besides. */
export async function compareFiles(
  db: Queryable,
  storage: Pick<Storage, 'list'>,
): Promise<{ named: number; missing: number; unnamed: number }> {
  const { storageKey } = transcriptions
  const rowsOf = async (which: SQL | undefined) => {
    const [row] = await db
      .select({ count: countDistinct(storageKey) })
      .from(transcriptions)
      .where(which)
    return row?.count ?? 0
  }
  const named = await rowsOf(isNotNull(storageKey))
  let listed = 0
  let found = 0
  for await (const page of storage.list()) {
    listed += page.length
    const keys = page.map(({ key }) => key)
    found += await rowsOf(inArray(storageKey, keys))
  }
  return { named, missing: named - found, unnamed: listed - found }
}
