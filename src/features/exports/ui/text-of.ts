/** The texts of a result that can be copied and shared. */
import type { Words } from '#features/text/contract.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { summaryAsText } from '#features/transcriptions/summary-text.ts'
import type { Part } from '#features/transcriptions/ui/downloads.ts'

/** The bare text, by which it is known whether there is anything to give away. */
export function textOf(part: Part, transcription: Transcription): string {
  return part === 'summary'
    ? summaryAsText(transcription)
    : (transcription.transcriptionText?.trim() ?? '')
}

export const failedCopy: Record<Part, string> = {
  transcription: 'Failed to copy transcription to clipboard',
  summary: 'Failed to copy summary to clipboard',
}

/** A result as it is open on the page: `words` with what was corrected since it was loaded. */
export interface Open {
  transcription: Transcription
  words: Pick<Words, 'turns' | 'speakers'>
}
