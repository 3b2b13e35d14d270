/**
 * What documents are written from. Promise: what is cut is in no document that is written afterwards, and
 * the times and the length that a document names are those of what is left.
 */
import type { Recordings } from '#features/documents/documents.ts'
import { finished, recordings, sourceOf } from '#features/transcriptions/said.ts'
import type { Db } from '#server/db.ts'

import { rangesOf } from './cuts.ts'
import { lengthOf } from './ranges.ts'
import { cuttingOf, turnAsCut } from './without-cuts.ts'

export const recordingsAsCut = (db: Db): Recordings => ({
  ...recordings(db),
  async read(owned) {
    const whole = await finished(db, owned)
    const { row, said } = whole
    // An earlier text is one of the same recording.
    const cuts = await rangesOf(db, row.againOf ?? row.id)
    if (cuts.length === 0) return sourceOf(whole)
    const cutting = cuttingOf(cuts)
    return sourceOf({
      row: { ...row, durationMs: row.durationMs - lengthOf(cuts) },
      said: said.flatMap((turn) => turnAsCut(turn, cutting) ?? []),
    })
  },
})
