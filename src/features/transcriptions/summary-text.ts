/** A summary as plain text: the same for downloads, copies and shared texts. */
import { formatTime } from '#shared/format.ts'

import { actionsHeading, openFirst, taskLine } from '#features/action-items/action-text.ts'
import type { Transcription } from './contract.ts'

export type Summarized = Pick<
  Transcription,
  | 'summary'
  | 'keyPoints'
  | 'keyPointTimes'
  | 'actionItems'
  | 'topics'
  | 'summaryNote'
  | 'summaryChanged'
>

/** The heading of a summary, wherever it is read. One without a text begins with its key points. */
export const summaryHeading = ({
  summary,
  summaryKind,
}: Pick<Transcription, 'summary'> & {
  summaryKind?: Transcription['summaryKind'] | null
}): string =>
  !summary?.trim() ? 'Key points' : summaryKind === 'sentences' ? 'Key sentences' : 'Summary'

/**
 * How a summary was made, for whoever reads it elsewhere: whether its owner has changed it, and not what
 * the server lacks, which is for its own users only.
 */
export function noteForReaders(
  note: string | null,
  { isChanged }: { isChanged: boolean },
): string | null {
  const made = note?.replace(
    /\s*(?:No language model is set up on|The language model of) this server[^.]*\./u,
    '',
  )
  return [made, isChanged ? 'Changed since.' : null].filter(Boolean).join(' ') || null
}

/** The same for its users, once it has a language model: that there was none is why, and not so now. */
export const noteWithModel = (note: string): string =>
  note.replace(
    /No language model is set up on this server[^.]*\./u,
    'Written without a language model.',
  )

/** The summary, key points with their place, action items, topics, and how it was made; empty when there is none. */
export function summaryAsText(transcription: Summarized): string {
  const { keyPoints, keyPointTimes, actionItems, topics } = transcription
  const summary = transcription.summary?.trim() ?? ''
  const isEmpty = [keyPoints, actionItems, topics].every(({ length }) => length === 0)
  if (summary === '' && isEmpty) return ''
  const points = keyPoints.map((text, index) => {
    const at = keyPointTimes[index] ?? null
    return at === null ? `- ${text}` : `- ${text} (${formatTime(at)})`
  })
  return [
    summary,
    points.length > 0 ? ['Key points', ...points].join('\n') : null,
    actionItems.length > 0
      ? [actionsHeading(actionItems), ...openFirst(actionItems).map(taskLine)].join('\n')
      : null,
    topics.length > 0
      ? ['Topics covered', ...topics.map((topic) => `- ${topic}`)].join('\n')
      : null,
    noteForReaders(transcription.summaryNote, {
      isChanged: (transcription.summaryChanged ?? []).length > 0,
    }),
  ]
    .filter(Boolean)
    .join('\n\n')
}
