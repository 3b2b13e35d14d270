/**
 * What is said in a clip, as it shows it: the words of its stretch without those that are cut, in its own
 * times, and the names of those who speak.
 */
import { createHash } from 'node:crypto'

import { and, gt, lt } from 'drizzle-orm'

import type { Row } from '#features/row/row.ts'
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
  row: Pick<Row, 'id' | 'speakers' | 'speakerCount'>,
  { clip, cuts }: { clip: Clip; cuts: readonly Range[] },
): Promise<InClip> {
  const within = and(lt(turns.startMs, clip.endMs), gt(turns.endMs, clip.startMs))
  const clock = clockWithout(cuts)
  const words = (await turnsOf(db, row.id, within)).flatMap((turn) =>
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
  const all = clip.hasNames ? [...namesIn(speakersOf(row))] : []
  const names = new Map(all.filter(([speaker]) => heard.has(speaker)))
  const seen = clip.captions === 'none' ? [] : words.map(({ text, speaker }) => [text, speaker])
  const mark = createHash('sha256')
    .update(JSON.stringify([seen, [...names]]))
    .digest('base64url')
  return { words, names, mark }
}
