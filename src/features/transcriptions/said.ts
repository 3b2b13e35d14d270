/** Reads what was said in a finished transcription, for rooms that make something of it. */

import { type Recordings, hashOf } from '#features/documents/documents.ts'
import { type Owned, isThere, shownRows, textRows } from '#features/row/row.ts'
import type { Turn } from '#features/speech/contract.ts'
import { namesOf } from '#features/text/named-speakers.ts'
import { turnsOf } from '#features/text/tables.ts'
import type { Db } from '#server/db.ts'
import { recordedDay } from '#shared/recorded.ts'
import { Refusal } from '#shared/refusals.ts'

import { labelOf } from './results.ts'

/**
 * A finished transcription with its turns and their words; also an earlier text that is kept.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function finished(db: Db, owned: Owned) {
  const [row] = await db.select().from(textRows).where(isThere(owned, textRows))
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'completed') throw new Refusal('not_finished')
  return { row, said: await turnsOf(db, row.id) }
}

/** For a program that has sent a recording and waits for its words. */
export async function forProgram(db: Db, owned: Owned) {
  const { row, said } = await finished(db, owned)
  const turns: Turn[] = said.filter(({ text }) => text !== '')
  return {
    language: row.language,
    durationMs: row.durationMs,
    text: said.map(({ text }) => text).join(' '),
    turns,
    names: namesOf(row),
  }
}

export type Finished = Awaited<ReturnType<typeof forProgram>>

/** For the room `documents`: the owner of a transcription, and what was said. */
export function recordings(db: Db): Recordings {
  return {
    async check(owned) {
      const [row] = await db
        .select({ status: shownRows.status })
        .from(shownRows)
        .where(isThere(owned))
      if (!row) throw new Refusal('not_found')
      return { isFinished: row.status === 'completed' }
    },
    async read(owned) {
      const { row, said } = await finished(db, owned)
      const names = namesOf(row)
      const spoken = said
        .filter(({ text }) => text.trim() !== '')
        .map(({ speaker, startMs, endMs, text, words, isEdited }) => ({
          speaker: labelOf(speaker, names),
          startMs,
          endMs,
          text,
          // Words that somebody has corrected are not the engine's any more.
          ...(isEdited ? {} : { words }),
        }))
      return {
        name: row.originalName,
        language: row.language,
        requestedLanguage: row.summaryLanguage,
        recordedOn: recordedDay(row.recordedAt),
        durationMs: row.durationMs,
        turns: spoken,
        hash: hashOf({ turns: spoken }),
      }
    },
  }
}
