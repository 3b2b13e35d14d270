import type { TranscriptionRow } from '#features/transcriptions/contract.ts'
import { counted } from '#shared/format.ts'

/** A voice that nobody has named: "Speaker A". */
const isUnnamed = (speaker: string) => /^Speaker [A-Z]+$/.test(speaker)

/** The speakers of a recording: two by name; of more, or of nameless ones, only how many. */
export function whoSpeaks({ speakers }: Pick<TranscriptionRow, 'speakers'>): string[] {
  if (speakers.length === 0) return ['No speakers']
  if (speakers.length <= 2 && !speakers.some(isUnnamed)) return speakers
  return [counted(speakers.length, 'speaker')]
}
