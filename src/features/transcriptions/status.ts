/**
 * The meaning of a status string, for server and browser. Apart from contract.ts so that the dashboard
 * does not load the schema library to read a word.
 */
export const isFinished = (status: string): boolean => status === 'completed' || status === 'error'
export const isUnconfirmed = (status: string): boolean => status === 'uploading'
export const isWorking = (status: string): boolean => !isFinished(status) && !isUnconfirmed(status)

/** Whether a file failed on our side. Then it can be tried again, which needs its recording. */
export const isWorthATry = (row: { status: string; errorCode: string | null }): boolean =>
  row.status === 'error' && row.errorCode === null

/** The recogniser found no words, at least not in the language that it listened for. */
export const isNotUnderstood = ({ errorCode }: { errorCode: string | null }): boolean =>
  ['no_speech', 'no_words', 'other_language'].includes(errorCode ?? '')

/** Stands in why a job failed, where nobody says how many. */
export const RETURNED = 'Your credits were returned.'

/** The recording is still there, and is of a kind that browsers play. */
export const canPlay = ({
  mediaType,
  recordingKeptUntil,
}: {
  mediaType?: string | null | undefined
  recordingKeptUntil: string | null
}): boolean => recordingKeptUntil !== null && mediaType !== null

/** The three steps of the processing card, and the failure that replaces them. */
export type Stage =
  | 'uploading'
  | 'processing'
  | 'transcribing'
  | 'summarizing'
  | 'completed'
  | 'error'

const stageStarts: readonly [match: string, stage: Stage][] = [
  ['generating summary', 'summarizing'],
  ['summarizing', 'summarizing'],
  ['preprocessing', 'processing'],
  ['analyzing', 'processing'],
  ['processing chunk', 'processing'],
  ['transcribing', 'transcribing'],
  ['uploading', 'uploading'],
  ['completed', 'completed'],
  ['error', 'error'],
]

/** Folds a status into its stage, by substring as the spec says. */
export function stageOf(status: string): Stage {
  return stageStarts.find(([match]) => status.includes(match))?.[1] ?? 'processing'
}

/** How many chunks are done, of how many: 'processing chunk 2/5'. */
export function chunkOf(status: string): { done: number; of: number } | null {
  const [, done, of] = /processing chunk (\d+)\/(\d+)/.exec(status) ?? []
  return done === undefined ? null : { done: Number(done), of: Number(of) }
}

/** Percent shown for a status, as the spec's two tables give it. */
export function progressFor(status: string): number {
  const chunk = chunkOf(status)
  if (chunk) return Math.round(40 + (chunk.done / Math.max(1, chunk.of)) * 35)
  if (status.includes('analyzing file format')) return 15
  if (status.includes('converting video')) return 20
  if (status.includes('converting OPUS')) return 18
  if (status.includes('splitting large file')) return 25
  if (status.includes('preprocessing')) return 20
  if (status.includes('checking file size')) return 30
  if (status.includes('generating summary')) return 80
  if (status.includes('sending to AI')) return 35
  if (status.includes('chunks')) return 40
  switch (status) {
    case 'uploading':
      return 5
    case 'processing':
      return 30
    case 'transcribing':
      return 50
    case 'summarizing':
      return 85
    case 'completed':
      return 100
    default:
      return 0
  }
}
