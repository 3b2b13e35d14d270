/**
 * What a user has hidden, for the copy of everything that an account keeps: for good, when and where, and
 * no words; for others, the words as well.
 */
import { asc, eq, sql } from 'drizzle-orm'

import { listOf } from '#features/cuts/cuts.ts'
import { inSeconds } from '#features/cuts/ranges.ts'
import { hidings, shownRows } from '#features/row/row.ts'
import { isForOthers } from '#features/row/veil.ts'
import type { Db } from '#server/db.ts'
import { type Exporter, jsonExporter } from '#server/personal-data.ts'

export const hidingsExporter = (db: Db): Exporter =>
  jsonExporter('hidden', async (userId) => {
    const { id, originalName: name } = shownRows
    const found = await db
      .select({
        id,
        name,
        for: hidings.scope,
        words: sql<string[] | null>`case when ${isForOthers} then ${hidings.words} end`,
        places: hidings.places,
        times: hidings.times,
        at: hidings.createdAt,
      })
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
