import type { Job } from './queries.ts'

/**
 * What the dashboard shows in its one place: the upload, then the price, then the running job, then
 * its result. The address names the open transcription in `?t=`.
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
