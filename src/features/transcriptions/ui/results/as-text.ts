/** Results as plain text, for the clipboard and for sharing. */
import type { Transcription } from '../../contract.ts'
import { formatTime } from '#shared/format.ts'

type Summarized = Pick<
  Transcription,
  'summary' | 'keyPoints' | 'keyPointTimes' | 'topics' | 'summaryNote'
>

/** The summary with its key points and topics; empty when nothing was summarized. */
export function summaryAsText(transcription: Summarized): string {
  const { summary, keyPoints, keyPointTimes, topics } = transcription
  const points = keyPoints.map((text, index) => {
    const at = keyPointTimes[index] ?? null
    return at === null ? `- ${text}` : `- ${text} (${formatTime(at)})`
  })
  return [
    summary?.trim(),
    points.length > 0 ? ['Key points', ...points].join('\n') : null,
    topics.length > 0
      ? ['Topics covered', ...topics.map((topic) => `- ${topic}`)].join('\n')
      : null,
  ]
    .filter(Boolean)
    .join('\n\n')
}

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
 * Where a key point stands in the turn it was taken from, as [start, end) of that text. Null when
 * it was put in other words.
 */
export function evidenceIn(turnText: string, keyPoint: string): [number, number] | null {
  const words = keyPoint.match(/[\p{L}\p{N}\p{M}]+/gu)
  if (!words) return null
  const between = String.raw`[^\p{L}\p{N}\p{M}]+`
  const found = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${words.join(between)}(?![\p{L}\p{N}])[.!?…。！？]*`,
    'iu',
  ).exec(turnText)
  return found ? [found.index, found.index + found[0].length] : null
}
