/** The words of a transcription as the player and the editor read them. */
import { and, eq, sql } from 'drizzle-orm'

import { type Owned, isThere, shownRows } from '#features/row/row.ts'
import { timingOf } from '#features/speech/contract.ts'
import type { Db } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { packedIn } from './places.ts'
import { speakersOf } from './named-speakers.ts'
import { type TurnRow, turnsOf, edits } from './tables.ts'
import { accuracyOf } from './accuracy.ts'
import type { WordTurn, Words } from './contract.ts'
import { talkTimes, withTalkTime } from './speakers.ts'
import { checkBelowOf, doubtIn, percentOf } from './words-in-doubt.ts'

export function toWordTurn(turn: TurnRow): WordTurn {
  const { id, position, revision, speaker, startMs, endMs, text, isEdited } = turn
  return {
    id,
    position,
    revision,
    speaker,
    start: startMs / 1000,
    end: endMs / 1000,
    text,
    isEdited,
    words: packedIn(turn, percentOf),
  }
}

/**
 * Every word of a finished transcription.
 *
 * @throws Refusal `not_found`, `not_finished`
 */
export async function words({ db }: { db: Db }, owned: Owned): Promise<Words> {
  const [row] = await db
    .select({
      status: shownRows.status,
      revision: shownRows.revision,
      textSince: shownRows.textSince,
      speakers: shownRows.speakers,
      speakerCount: shownRows.speakerCount,
      engine: shownRows.engine,
      isTelephone: shownRows.isTelephone,
      isNoisy: shownRows.isNoisy,
    })
    .from(shownRows)
    .where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  if (row.status !== 'completed') throw new Refusal('not_finished')

  const [said, talk, checked, fixed] = await Promise.all([
    turnsOf(db, owned.id),
    talkTimes(db, owned.id),
    accuracyOf(db, owned),
    fixedIn(db, { id: owned.id, textSince: row.textSince }),
  ])
  const checkBelow = checkBelowOf(row.engine)
  const isKnown = doubtIn(said, checkBelow) !== null
  return {
    revision: row.revision,
    checkBelow: isKnown ? checkBelow : null,
    // A text that no engine made is not a guess, so there is no doubt to speak of.
    ...(isKnown || row.engine === null ? {} : { isDoubtUnknown: true as const }),
    speakers: withTalkTime(speakersOf(row), talk),
    turns: said.map(toWordTurn),
    ...(row.engine === null ? {} : { timing: timingOf(said) }),
    ...soundOf(row),
    ...(checked ? { checked } : {}),
    ...(fixed ? { fixed } : {}),
  }
}

/** Noise explains more than a telephone line does, so of both it is named. */
function soundOf({ isNoisy, isTelephone }: { isNoisy: boolean; isTelephone: boolean }) {
  if (isNoisy) return { sound: 'noisy' as const }
  return isTelephone ? { sound: 'telephone' as const } : {}
}

/** Fixed replacements are the first change of a text. */
async function fixedIn(
  db: Db,
  { id, textSince }: { id: string; textSince: number },
): Promise<Words['fixed']> {
  const [found] = await db
    .select({ edit: edits.revision, replaced: sql<number>`(${edits.undo} -> 'fixed')::int` })
    .from(edits)
    .where(
      and(
        eq(edits.transcriptionId, id),
        eq(edits.revision, textSince + 1),
        sql`jsonb_exists(${edits.undo}, 'fixed')`,
      ),
    )
  return found
}
