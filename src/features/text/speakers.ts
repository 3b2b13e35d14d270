/** The names that users give to speakers, and how long each speaker talks. */
import { sql } from 'drizzle-orm'

import type { NamedSpeaker } from '#features/row/kept.ts'
import { speakerLabel } from '#features/speech/contract.ts'
import type { Queryable } from '#server/db.ts'

import { turns } from './tables.ts'
import type { Speaker } from './contract.ts'

/** One name for one person: compared without case, accents written apart, and spaces around. */
export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b)

const keyOf = (name: string) => name.trim().normalize('NFC').toLocaleLowerCase('en')

/** A name as it is stored: one line, and nothing that turns the direction of reading. */
export function tidyName(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim()
    .normalize('NFC')
}

/** How long each speaker's turns are in all. */
export async function talkTimes(db: Queryable, id: string): Promise<Map<number, number>> {
  const rows = await db
    .select({
      speaker: turns.speaker,
      talkMs: sql<number>`sum(${turns.endMs} - ${turns.startMs})::float8`,
    })
    .from(turns)
    .where(sql`${turns.transcriptionId} = ${id} and ${turns.speaker} is not null`)
    .groupBy(turns.speaker)
  return new Map(rows.map(({ speaker, talkMs }) => [speaker ?? 0, talkMs]))
}

export function withTalkTime(
  speakers: readonly NamedSpeaker[],
  talkMs: ReadonlyMap<number, number>,
): Speaker[] {
  return speakers.map(({ speaker, name }) => ({
    speaker,
    label: speakerLabel(speaker),
    name,
    talkTime: (talkMs.get(speaker) ?? 0) / 1000,
  }))
}
