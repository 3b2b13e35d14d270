/** The speakers of a transcription and their names. */
import type { NamedSpeaker } from '#features/row/kept.ts'
import type { Row } from '#features/row/row.ts'
import { speakerName } from '#features/speech/contract.ts'

type Speakers = Pick<Row, 'speakers' | 'speakerCount'>

/** The speakers of a transcription by number, with the names they were given. */
export function speakersOf({ speakers, speakerCount }: Speakers): NamedSpeaker[] {
  return (
    speakers ?? Array.from({ length: speakerCount ?? 0 }, (_, speaker) => ({ speaker, name: null }))
  )
}

export type Names = ReadonlyMap<number, string>

/** The names that were given, by number. */
export function namesOf(row: Speakers): Names {
  return new Map(
    speakersOf(row).flatMap(({ speaker, name }) => (name === null ? [] : [[speaker, name]])),
  )
}

/** The name that readers see: the given one, or else the letter. */
export const shownAs = ({ speaker, name }: NamedSpeaker): string => speakerName(speaker, name)
