/** Results as plain text, for the clipboard and for sharing. */
import type { Transcription } from '#features/transcriptions/contract.ts'
import { type Summarized, summaryAsText } from '#features/transcriptions/summary-text.ts'

/** Everything there is to share: the text, then the summary. */
export function resultsAsText(
  transcription: Summarized & Pick<Transcription, 'originalName' | 'transcriptionText'>,
): string {
  return [
    transcription.originalName,
    transcription.transcriptionText?.trim(),
    summaryAsText(transcription),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/**
 * Where the quote of a key point stands in a passage, as [start, end) of its text. Null when it
 * does not stand there letter for letter.
 */
export function evidenceIn(passage: string, quote: string | null): [number, number] | null {
  const start = quote ? passage.indexOf(quote) : -1
  return quote && start >= 0 ? [start, start + quote.length] : null
}
