/** The end of everything that this room keeps about a user. */
import { desc, eq, isNull } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import * as documents from '#features/documents/documents.ts'
import { everyRow } from '#features/row/row.ts'
import type { Erase } from '#server/personal-data.ts'
import type { Storage } from '#server/storage.ts'

import { isFinished } from './status.ts'
import { causeOf } from './transcriptions.ts'

/**
 * Stops what is being worked on, gives its holds back, and removes rows, then recordings. A running
 * job finds its row gone at its next write or look, and takes its working files with it.
 */
export function eraseTranscriptions({ storage }: { storage: Storage }): Erase {
  return async (tx, userId) => {
    const rows = await tx
      .select({
        id: everyRow.id,
        status: everyRow.status,
        attempt: everyRow.attempt,
        againOf: everyRow.againOf,
        storageKey: everyRow.storageKey,
      })
      .from(everyRow)
      .where(eq(everyRow.userId, userId))
      // As everybody who locks both: what is worked on again before the work on it.
      .orderBy(desc(isNull(everyRow.againOf)), everyRow.id)
      .for('update')
    for (const row of rows)
      if (!isFinished(row.status) && row.attempt > 0)
        await credits.settle(tx, { userId, cause: causeOf(row), credits: 0 })
    await documents.removeOf(
      tx,
      rows.map(({ id }) => id),
    )
    await tx.delete(everyRow).where(eq(everyRow.userId, userId))

    const keys = rows.flatMap(({ storageKey }) => storageKey ?? [])
    return {
      counts: {
        transcriptions: rows.filter(({ againOf }) => againOf === null).length,
        recordings: keys.length,
      },
      afterwards: async () => {
        for (const key of keys) await storage.remove(key)
      },
    }
  }
}
