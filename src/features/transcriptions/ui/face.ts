import type { Job } from './queries.ts'

/**
 * What the dashboard shows. One follows the other in the same place: the upload, the question for
 * the price, the job at work, its result. Which transcription is open lies in `?t=`.
 */
export type Face =
  | { kind: 'upload' }
  | { kind: 'loading' }
  | { kind: 'unloaded'; isGone: boolean; isAsking: boolean; askAgain: () => void }
  | { kind: 'confirm'; job: Job }
  | { kind: 'working'; job: Job; lost: { isAsking: boolean; askAgain: () => void } | null }
  | { kind: 'failed'; job: Job }
  | { kind: 'ready'; job: Job }

/** Where the focus goes when one face follows another. */
export type HeadingRef = (heading: HTMLHeadingElement | null) => void
