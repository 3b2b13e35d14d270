/** What a user has hidden, for the copy of everything that an account keeps: when and where, and no words. */
import { asc, eq } from 'drizzle-orm'

import { listOf } from '#features/cuts/cuts.ts'
import { inSeconds } from '#features/cuts/ranges.ts'
import { hidings, shownRows } from '#features/row/row.ts'
import type { Db } from '#server/db.ts'
import { type Exporter, jsonExporter } from '#server/personal-data.ts'

export const hidingsExporter = (db: Db): Exporter =>
  jsonExporter('hidden', async (userId) => {
    const { id, originalName: name } = shownRows
    const found = await db
      .select({ id, name, places: hidings.places, times: hidings.times, at: hidings.createdAt })
      .from(shownRows)
      .innerJoin(hidings, eq(hidings.transcriptionId, id))
      .where(eq(shownRows.userId, userId))
      .orderBy(asc(hidings.createdAt), asc(hidings.id))
    const rows = found.map(({ id: recording, times, ...hidden }) => ({
      recording,
      ...hidden,
      sound: inSeconds(listOf(times)),
    }))
    return [{ path: 'hidden.json', rows }]
  })
