/** The names of speakers in text: the given one, else the letter. */
import { speakerName, type Turn } from '#features/speech/contract.ts'

/** Names that were given, by the number of the speaker. */
export type SpeakerNames = ReadonlyMap<number, string>

/** The given name on one line, or `Speaker A`; null where the speaker is unknown. */
export function nameOf(speaker: Turn['speaker'], names?: SpeakerNames): string | null {
  if (speaker === null) return null
  return speakerName(speaker, names?.get(speaker)?.replace(/[\s\p{Cc}]+/gu, ' '))
}

/**
 * As `nameOf`, but also null for the only speaker of a recording whom nobody has named: "Speaker A"
 * would tell a reader nothing.
 */
export function readersNames(
  turns: readonly Pick<Turn, 'speaker'>[],
  names?: SpeakerNames,
): (speaker: Turn['speaker']) => string | null {
  const isOnlyVoice = new Set(turns.map(({ speaker }) => speaker)).size < 2
  return (speaker) =>
    isOnlyVoice && !(speaker !== null && names?.get(speaker)?.trim())
      ? null
      : nameOf(speaker, names)
}

/**
 * One word of each name, where names must be short: the first that is no title, or the letter of a
 * speaker. Null where two people would be called the same.
 */
export function briefNames(
  turns: readonly Pick<Turn, 'speaker'>[],
  nameOf: (speaker: Turn['speaker']) => string | null,
): ((speaker: Turn['speaker']) => string | null) | null {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))]
  const brief = new Map(speakers.map((speaker) => [speaker, briefName(nameOf(speaker))]))
  const given = [...brief.values()].filter((name) => name !== null)
  return new Set(given).size === given.length ? (speaker) => brief.get(speaker) ?? null : null
}

const title =
  /^(?:\S+\.|speaker|the|her|his|sir|dame|lord|lady|mr|mrs|ms|miss|dr|prof|professor|right|honourable|excellency)$/i

const briefName = (name: string | null): string | null =>
  name?.split(' ').find((word) => word !== '' && !title.test(word)) ?? name
