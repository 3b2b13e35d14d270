/** The cuts of all recordings of a user, for the copy of everything that an account keeps. */
import { asc, desc, eq } from 'drizzle-orm'

import { shownRows } from '#features/row/row.ts'
import type { Db } from '#server/db.ts'
import { type Exporter, jsonExporter } from '#server/personal-data.ts'

import { listOf } from './cuts.ts'
import { inSeconds } from './ranges.ts'
import { cutLists } from './tables.ts'

export const cutsExporter = (db: Db): Exporter =>
  jsonExporter('cuts', async (userId) => {
    const { id, originalName: name } = shownRows
    const found = await db
      .selectDistinctOn([shownRows.createdAt, id], { id, name, times: cutLists.times })
      .from(shownRows)
      .innerJoin(cutLists, eq(cutLists.transcriptionId, id))
      .where(eq(shownRows.userId, userId))
      .orderBy(asc(shownRows.createdAt), asc(id), desc(cutLists.act))
    const rows = found
      .filter(({ times }) => times.length > 0)
      .map(({ times, ...recording }) => ({ recording, cuts: inSeconds(listOf(times)) }))
    return [{ path: 'cuts.json', rows }]
  })
