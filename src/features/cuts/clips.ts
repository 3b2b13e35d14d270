/**
 * What is said in a clip, as it shows it: the words of its stretch without those that are cut, in its own
 * times, and the names of those who speak; without what is hidden for others.
 */
import { createHash } from 'node:crypto'

import { type SQL, and, gt, lt, sql } from 'drizzle-orm'

import type { Row } from '#features/row/row.ts'
import { veilOf } from '#features/row/veil.ts'
import { speakersWithout, turnsWithout } from '#features/text/hidden.ts'
import { speakersOf } from '#features/text/named-speakers.ts'
import { turns, turnsOf } from '#features/text/tables.ts'
import type { Queryable } from '#server/db.ts'
import type { Clip } from '#shared/clips.ts'

import { type Said, namesIn } from './clip-captions.ts'
import { type Range, clockWithout, isInClip } from './ranges.ts'

export interface InClip {
  words: Said[]
  names: ReadonlyMap<number, string>
  /** The same words and names have the same one. */
  mark: string
}

export async function saidIn(
  db: Queryable,
  row: Pick<Row, 'id' | 'userId' | 'againOf' | 'language' | 'speakers' | 'speakerCount'>,
  { clip, cuts }: { clip: Clip; cuts: readonly Range[] },
): Promise<InClip> {
  const within = and(lt(turns.startMs, clip.endMs), gt(turns.endMs, clip.startMs))
  const clock = clockWithout(cuts)
  const veil = await veilOf(db, row)
  const said = await turnsOf(db, row.id, veil ? around(row.id, clip) : within)
  const hidden = veil && turnsWithout(said, veil).turns
  const words = said
    .map((turn) => hidden?.get(turn.id) ?? turn)
    .flatMap((turn) =>
      turn.words
        .filter((word) => isInClip(word, { clip, cuts }))
        .map(({ text, startMs, endMs }) => ({
          text,
          startMs: clock(startMs),
          endMs: clock(endMs),
          speaker: turn.speaker,
        })),
    )
  const heard = new Set(words.map(({ speaker }) => speaker))
  const speakers = veil ? speakersWithout(row, veil.hitsIn) : row.speakers
  const all = clip.hasNames ? [...namesIn(speakersOf({ ...row, speakers }))] : []
  const names = new Map(all.filter(([speaker]) => heard.has(speaker)))
  const seen = clip.captions === 'none' ? [] : words.map(({ text, speaker }) => [text, speaker])
  const mark = createHash('sha256')
    .update(JSON.stringify([seen, [...names]]))
    .digest('base64url')
  return { words, names, mark }
}

/** A name may begin in the turns before these and end in those after. */
const AROUND_TURNS = 5
const around = (id: string, { startMs, endMs }: Clip): SQL => sql`exists (
  select from ${turns} near where near.transcription_id = ${id}
    and near.start_ms < ${endMs} and near.end_ms > ${startMs}
    and ${turns.position} between near.position - ${AROUND_TURNS} and near.position + ${AROUND_TURNS})`
