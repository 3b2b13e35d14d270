/** Turns the status of a job into percent, steps and words. */
import { chunkOf, isFinished, progressFor, stageOf } from '../status.ts'

export interface Seen {
  status: string
  percent: number
}

/**
 * The percent to show: the highest that was seen for this job, so that the bar never goes back. A
 * failed job that is started again begins at zero, and so does one that waits: none is shown of it.
 */
export function highestPercent(seen: Seen | undefined, status: string): number {
  const now = status === 'processing' ? 0 : progressFor(status)
  if (!seen || isFinished(seen.status) || status === 'error') return now
  return Math.max(seen.percent, now)
}

export interface Step {
  label: string
  state: 'done' | 'active' | 'pending'
  /** What is happening inside the active step; null where there is nothing to add. */
  detail: string | null
}

const stepLabels = ['File uploaded successfully', 'Generating transcription', 'Creating AI summary']

/** The three steps of the processing card. The upload is over once a job runs. */
export function stepsFor(status: string): Step[] {
  const active = activeStep(status)
  return stepLabels.map((label, index) => {
    const state = index < active ? 'done' : index === active ? 'active' : 'pending'
    return { label, state, detail: state === 'active' ? detailOf(status) : null }
  })
}

function activeStep(status: string): number {
  switch (stageOf(status)) {
    case 'uploading':
      return 0
    case 'processing':
    case 'transcribing':
      return 1
    case 'summarizing':
      return 2
    case 'completed':
    case 'error':
      return stepLabels.length
  }
}

/** Details that are shown. Others ('splitting large file', 'chunks') are not true of every file. */
const tellingDetails = ['analyzing file format', 'converting video', 'converting OPUS']

function detailOf(status: string): string | null {
  const chunk = chunkOf(status)
  if (chunk) return chunkInWords(chunk)
  return tellingDetails.find((detail) => status.endsWith(detail)) ?? null
}

/** "Chunk 2 of 5" in words. `done` are finished; at 0 the first is being worked on. */
function chunkInWords({ done, of }: { done: number; of: number }): string {
  if (done > 0) return `chunk ${done} of ${of}`
  return of === 1 ? 'one chunk' : `first of ${of} chunks`
}

/** One word for a job that a worker has, beside its percent in the library. */
export function activityOf(status: string): string {
  const stage = stageOf(status)
  if (stage === 'summarizing') return 'Summarizing'
  return stage === 'transcribing' || chunkOf(status) ? 'Transcribing' : 'Preparing'
}
