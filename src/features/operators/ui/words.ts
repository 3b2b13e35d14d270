import type { Limits } from '#features/account/contract.ts'
import { formatClock, formatDate } from '#shared/format.ts'

import type { Job, LogLine } from '../contract.ts'

const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** "8:51" of today, "Nov 20" of this year, the whole date before it. */
export function when(at: string, now: Date = new Date()): string {
  const then = new Date(at)
  if (then.toDateString() === now.toDateString()) return formatClock(at)
  return then.getFullYear() === now.getFullYear() ? short.format(then) : formatDate(at)
}

/** "Today 8:51", "Nov 20" */
export function day(at: string, now: Date = new Date()): string {
  const isToday = new Date(at).toDateString() === now.toDateString()
  return isToday ? `Today ${formatClock(at)}` : when(at, now)
}

const HOUR_MS = 3_600_000

/** Uses are noted once an hour, so within one it is now. */
export function seen(at: string | null, now: Date = new Date()): string {
  if (at === null) return 'Not of late'
  return now.getTime() - new Date(at).getTime() < HOUR_MS ? 'Now' : day(at, now)
}

const failures: Record<string, string> = {
  no_speech: 'No speech found',
  no_words: 'Speech without a word understood',
  other_language: 'Another language than the recogniser knows',
  unreadable_audio: 'The sound could not be read',
}

/** Why a job failed, in words about the form of the recording and never about its content. */
export function failure({
  kind,
  errorCode,
  tries,
}: Pick<Job, 'kind' | 'errorCode' | 'tries'>): string {
  if (kind !== 'Transcription') return tries === 1 ? 'Given up' : `Given up after ${tries} tries`
  if (errorCode !== null) return failures[errorCode] ?? 'The recording was refused'
  return tries === 1 ? 'Broke on our side' : `Broke on our side, try ${tries}`
}

export const acts: Record<LogLine['kind'], string> = {
  adjust: 'Changed credits',
  block: 'Blocked',
  unblock: 'Unblocked',
  stop: 'Stopped a job',
  run_again: 'Ran a job again',
  answer: 'Answered a letter',
  invite: 'Invited',
  withdraw: 'Withdrew an invitation',
  limits: 'Set limits',
}

/** "600 calls an hour, waiting uploads by the plan" */
export function limitsSaid({ callsPerHour: calls, unconfirmedUploads: uploads }: Limits): string {
  const said = (of: number | null, what: string) =>
    of === null ? `${what} by the plan` : `${of.toLocaleString('en-US')} ${what}`
  return [said(calls, 'calls an hour'), said(uploads, 'waiting uploads')].join(', ')
}
