/** A job as all parts of this room see it, and how its stages run side by side. */
import type { DecodeRefused } from '#features/sound/decode.ts'
import type { Side } from '#features/sound/sides.ts'

import type { Engine, SpeakerBounds } from './engines/engine.ts'

/** Where finished stages are kept between two tries of one job. Values are plain JSON. */
export interface StageStore {
  get<T>(name: string): Promise<T | null>
  put(name: string, value: unknown): Promise<void>
}

/** The step that runs right now. No step is announced before it starts, nor after the next one. */
export type Progress =
  | { kind: 'analyzing_format' }
  | { kind: 'converting_video' }
  | { kind: 'converting_opus' }
  | { kind: 'splitting' }
  | { kind: 'checking_size' }
  | { kind: 'sending' }
  | { kind: 'chunks' }
  /** `done` of `total` chunks are recognised. Not told before it is known how many there are. */
  | { kind: 'chunk'; done: number; total: number }

export interface TranscribeJob {
  path: string
  /** A folder of this job alone, made when missing; the caller removes it when the job is over. */
  workDir: string
  engine: Engine
  /** How long it is, where it was measured before: then it is known from the start how much is to do. */
  durationMs?: number
  /** ISO 639-1; absent or null where nobody said, and the engine finds out or takes its only one. */
  language?: string | null
  /** Names and terms that may come up, for engines that take them. */
  terms?: readonly string[]
  /** Absent where nobody knows how many people speak. */
  speakers?: SpeakerBounds
  /** The sides of the recording, where each is a person. Absent: it is heard as one. */
  sides?: readonly Side[] | null
  /** Told of what went wrong, and with what, where the job could go on all the same. */
  onProblem?: (error: unknown, stage: ProblemStage) => void
}

/** `times`: the words are there, and when they were said is an estimate. */
export type ProblemStage = 'words' | 'times' | 'speakers'

/** The recording is the reason, and another try would end no better: ends all parts of the job. */
export class Refused extends Error {
  readonly reason: RefusedReason
  constructor(reason: RefusedReason) {
    super(`the recording was refused: ${reason}`)
    this.name = 'Refused'
    this.reason = reason
  }
}
export type RefusedReason =
  | DecodeRefused['reason']
  | 'no_speech'
  | 'no_words'
  | 'unreadable_audio'
  | 'other_language'

export interface Run extends TranscribeJob {
  stages: StageStore
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** The steps of a job, from its beginning to its end. */
export const progressOrder: readonly Progress['kind'][] = [
  'analyzing_format',
  'converting_video',
  'converting_opus',
  'splitting',
  'checking_size',
  'sending',
  'chunks',
  'chunk',
]

/** Passes on what is further than all before it: the parts of a job run side by side. */
export function forwardOnly(onProgress: (progress: Progress) => void): typeof onProgress {
  let furthest = -1
  return (progress) => {
    const share = progress.kind === 'chunk' ? progress.done / progress.total : 0
    const now = progressOrder.indexOf(progress.kind) + share
    if (now <= furthest) return
    furthest = now
    onProgress(progress)
  }
}

/**
 * Promise.all that leaves nothing running behind: the first failure ends the others, and they are
 * waited for before it is thrown.
 */
export async function together<Results extends unknown[]>(
  signal: AbortSignal,
  begin: (signal: AbortSignal) => { [Index in keyof Results]: Promise<Results[Index]> },
): Promise<Results> {
  const failure = new AbortController()
  const running = begin(AbortSignal.any([signal, failure.signal]))
  for (const promise of running) promise.catch((error: unknown) => failure.abort(error))
  await Promise.allSettled(running)
  signal.throwIfAborted()
  // The first failure is the reason; the others failed because they were ended.
  failure.signal.throwIfAborted()
  return Promise.all(running)
}

/** Rejects with the signal's reason, for waiting on something that knows no signal. */
export function aborted(signal: AbortSignal): Promise<never> {
  const ending = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // It must not count as unhandled when nobody is waiting.
  ending.catch(() => undefined)
  return ending
}
