import type { Job } from './queries.ts'
import type { Read } from './so-far.ts'

/** Asking the server once more, where it could not be reached. */
export interface Again {
  isAsking: boolean
  askAgain: () => void
}

/**
 * The text of a job that runs or broke: as much as may be read, or that it is held back; null before the first word.
 * `failed` when it could not be loaded.
 */
export interface Reading {
  read: Read | null
  failed: Again | null
}

/**
 * The states of the one place of the dashboard: the upload, then the price, then the running job, then
 * its result. The address names the open transcription in `?t=`.
 */
export type Face =
  | { kind: 'upload' }
  | { kind: 'loading' }
  | ({ kind: 'unloaded'; isGone: boolean } & Again)
  | { kind: 'confirm'; job: Job }
  | { kind: 'working'; job: Job; lost: Again | null; reading: Reading }
  | { kind: 'failed'; job: Job; reading: Reading }
  | { kind: 'ready'; job: Job }

/** Where the focus goes when one face follows another. */
export type HeadingRef = (heading: HTMLHeadingElement | null) => void
