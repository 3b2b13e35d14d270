/** Who speaks in a transcription, and what they are called. */
import { sql } from 'drizzle-orm'

import { speakerLabel } from '#features/speech/contract.ts'
import type { Queryable } from '#server/db.ts'

import type { Speaker } from './contract.ts'
import { type NamedSpeaker, type transcriptions, turns } from './tables.ts'

type Row = Pick<typeof transcriptions.$inferSelect, 'speakers' | 'speakerCount'>

/** The speakers of a transcription by number, with the names they were given. */
export function speakersOf({ speakers, speakerCount }: Row): NamedSpeaker[] {
  return (
    speakers ?? Array.from({ length: speakerCount ?? 0 }, (_, speaker) => ({ speaker, name: null }))
  )
}

export type Names = ReadonlyMap<number, string>

/** The names that were given, by number. */
export function namesOf(row: Row): Names {
  return new Map(
    speakersOf(row).flatMap(({ speaker, name }) => (name === null ? [] : [[speaker, name]])),
  )
}

/** What readers see: the given name, or else the letter. */
export const shownAs = ({ speaker, name }: NamedSpeaker): string => name ?? speakerLabel(speaker)

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
