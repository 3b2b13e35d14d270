/** What speakers are called in text: by the name somebody gave them, else by their letter. */
import { speakerLabel, type Turn } from '../contract.ts'

/** Names that were given, by the number of the speaker. */
export type SpeakerNames = ReadonlyMap<number, string>

/** `Speaker A` or the given name on one line; null for words that nobody could be given. */
export function nameOf(speaker: Turn['speaker'], names?: SpeakerNames): string | null {
  if (speaker === null) return null
  const given = names?.get(speaker)?.replace(/[\s\p{Cc}]+/gu, ' ')
  return given?.trim() || speakerLabel(speaker)
}

/**
 * As `nameOf`, but null as well for the only voice of a recording, unless somebody named it: that
 * one speaker is "Speaker A" tells a reader nothing.
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
