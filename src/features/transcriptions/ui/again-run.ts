import type { AgainRun, Transcription, TranscriptionRow } from '../contract.ts'
import { isWorking } from '../status.ts'

/** The work on a recording that has a text already; null while there is none. */
export const runOf = ({ again }: Pick<Transcription, 'again'>): AgainRun | null =>
  again && isWorking(again.status) ? again : null

/**
 * Whether a recording can be transcribed again, or its speakers told apart again: it is still
 * there, it is the user's own, and nothing is under way.
 */
export const canTranscribeAgain = (
  row: Pick<TranscriptionRow, 'status' | 'recordingKeptUntil' | 'isSample'> &
    Pick<Transcription, 'again'>,
): boolean =>
  row.status === 'completed' &&
  row.recordingKeptUntil !== null &&
  !row.isSample &&
  runOf(row) === null
