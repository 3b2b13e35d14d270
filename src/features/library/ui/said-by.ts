import type { TranscriptionRow } from '#features/transcriptions/contract.ts'

/** A voice that nobody has named: "Speaker A". */
const isUnnamed = (speaker: string) => /^Speaker [A-Z]+$/.test(speaker)

/** Who speaks: two by name, more than that or without names only how many. */
export function whoSpeaks({ speakers }: Pick<TranscriptionRow, 'speakers'>): string[] {
  if (speakers.length === 0) return ['No speakers']
  if (speakers.length <= 2 && !speakers.some(isUnnamed)) return speakers
  return [speakers.length === 1 ? '1 speaker' : `${speakers.length} speakers`]
}
