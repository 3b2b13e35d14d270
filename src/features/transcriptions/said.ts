/** Reads what was said in a finished transcription, for rooms that make something of it. */

import { type Recordings, hashOf } from '#features/documents/documents.ts'
import { type Owned, type Row, isThere, shownRows, textRows } from '#features/row/row.ts'
import { veilOf } from '#features/row/veil.ts'
import type { Turn } from '#features/speech/contract.ts'
import { speakersWithout, turnsWithout } from '#features/text/hidden.ts'
import { namesOf } from '#features/text/named-speakers.ts'
import { turnsOf } from '#features/text/tables.ts'
import type { Db } from '#server/db.ts'
import type { Hiding } from '#shared/hidden-words.ts'
import { recordedDay } from '#shared/recorded.ts'
import { Refusal } from '#shared/refusals.ts'

import { withoutWords } from './hidden.ts'
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

/**
 * The same for others: without what its owner has hidden for them. `veil` says what that is, for what is
 * written about it elsewhere, and which turns had it.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function finishedForOthers(db: Db, owned: Owned): Promise<FinishedForOthers> {
  const whole = await finished(db, owned)
  const hiding = await veilOf(db, whole.row)
  const { speakers } = whole.row
  return { ...(hiding ? veiled(whole, hiding) : { ...whole, veil: null }), speakers }
}

type Whole = Awaited<ReturnType<typeof finished>>
export interface FinishedForOthers extends Whole {
  veil: { hiding: Hiding; turns: ReadonlySet<string> } | null
  /** With the names that are hidden too: for who takes out all that is left of names. */
  speakers: Row['speakers']
}

function veiled({ row, said }: Whole, hiding: Hiding): Omit<FinishedForOthers, 'speakers'> {
  const { turns: hidden } = turnsWithout(said, hiding)
  const left = said.map((turn) => hidden.get(turn.id) ?? turn)
  const texts = left.map(({ text }) => text).filter((text) => text !== '')
  return {
    row: {
      ...row,
      ...withoutWords(row, hiding, 'others').values,
      speakers: speakersWithout(row, hiding.hitsIn),
      transcriptionText: texts.join('\n\n'),
    },
    said: left,
    veil: { hiding, turns: new Set(hidden.keys()) },
  }
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

/** The owner of a transcription, and what was said, with all that is cut. */
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
    async veil(owned) {
      const [row] = await db.select().from(shownRows).where(isThere(owned))
      return row ? veilOf(db, row) : null
    },
    read: async (owned) => sourceOf(await finished(db, owned)),
  }
}

/** What something is written from. */
export function sourceOf({ row, said }: Awaited<ReturnType<typeof finished>>) {
  const names = namesOf(row)
  const turns = said
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
    turns,
    hash: hashOf({ turns }),
  }
}
