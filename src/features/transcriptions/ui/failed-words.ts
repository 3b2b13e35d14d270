/** The words about a job that failed: what happened, what is safe, what another try is. */
import { formatCredits, formatDate, formatTime } from '#shared/format.ts'
import { paths } from '#web/paths.ts'

import { RETURNED, isNotUnderstood, isWorthATry } from '../status.ts'
import type { Job } from './queries.ts'

type Failed = Pick<
  Job,
  | 'status'
  | 'errorMessage'
  | 'errorCode'
  | 'creditsReturned'
  | 'recordingKeptUntil'
  | 'recordingDeletedAt'
>

/** A file in which there is nothing to hear: it is refused again, and saving it helps nobody. */
export const isFileRefused = (job: Pick<Failed, 'errorCode'>): boolean =>
  job.errorCode !== null && !isNotUnderstood(job)

/** Why it failed. The reason of a refusal stands word for word, also where it tells of the credits. */
export const reasonOf = (job: Failed): string =>
  job.errorMessage === null
    ? 'An error occurred while processing your file.'
    : isReturnSaid(job)
      ? job.errorMessage
      : job.errorMessage.replace(` ${RETURNED}`, '')

/** That recording and credits are safe, where the reason does not say so; empty where nothing is. */
export function safeOf(job: Failed): string {
  const { creditsReturned } = job
  // Of a file that could not be read that is not known.
  const isKept = job.recordingKeptUntil !== null && !isFileRefused(job)
  if (creditsReturned === null || isReturnSaid(job)) return isKept ? 'Your recording is safe.' : ''
  const were = creditsReturned === 1 ? 'was' : 'were'
  const returned = `the ${formatCredits(creditsReturned)} ${were} returned.`
  return isKept ? `Your recording is safe, and ${returned}` : `T${returned.slice(1)}`
}

const isReturnSaid = ({ errorMessage, errorCode }: Failed): boolean =>
  errorCode !== null && errorMessage?.includes(RETURNED) === true

/** What another try takes and where it begins; `readTo` in seconds, null where that is not known. */
export function anotherTry(creditsRequired: number, readTo: number | null): string {
  const takes = `Trying again takes ${formatCredits(creditsRequired)}`
  return readTo === null || readTo === 0
    ? `${takes}; what was already worked out is not done twice.`
    : `${takes} and begins at ${formatTime(readTo)}.`
}

/** Until when the recording is kept, or that it was deleted. */
export function keptOf(job: Failed): string {
  const { recordingKeptUntil, recordingDeletedAt } = job
  if (recordingKeptUntil !== null)
    return `The recording is kept until ${formatDate(recordingKeptUntil)}.`
  if (isWorthATry(job)) return 'The recording was deleted, so this cannot be tried again.'
  return recordingDeletedAt === null
    ? 'The recording was deleted.'
    : `The recording was deleted on ${formatDate(recordingDeletedAt)}.`
}

/** Where support is asked about a job. */
export const supportFor = (id: string): string =>
  `${paths.contact}?${new URLSearchParams({ type: 'technical', reference: id })}`
