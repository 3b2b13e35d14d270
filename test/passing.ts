/**
 * Lets time pass for rows that are deleted by time. The database's clock decides that, and no test
 * can move it: so everything that is there becomes older.
 */
import { sql } from 'drizzle-orm'

import type { Db } from '#server/db.ts'

const dated = {
  transcriptions: ['created_at', 'finished_at', 'deleted_at', 'kept_until'],
  uploads: ['created_at'],
  recordings_bin: ['created_at', 'binned_at', 'taken_back_at'],
}

export async function pass(db: Db, ms: number): Promise<void> {
  for (const [table, columns] of Object.entries(dated)) {
    const older = columns.map((name) => `"${name}" = "${name}" - interval '${ms} milliseconds'`)
    await db.execute(sql.raw(`update ${table} set ${older.join(', ')}`))
  }
}
