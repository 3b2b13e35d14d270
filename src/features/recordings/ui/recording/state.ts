/** Asked of the browser, which may take another rate. */
export const BITS_PER_SECOND = 64_000
/**
 * The states of a recording as one union, and the events that lead from one to another; it needs no
 * browser. The recorder is never said to record while it does not, and each stretch in which nothing
 * was heard is told afterwards.
 */

export interface KeptRecording {
  id: string
  /** Its owner, because two people may share a browser. */
  userId: string
  startedAt: Date
  type: string
  /** The transcriptions that its files have become, by the number of the file. */
  sentAs?: { parts: number; ids: Readonly<Record<number, string>> }
  /** Where nothing was heard, or nothing was recorded; absent while there is no such place. */
  gaps?: readonly Gap[]
}

/** Why there is nothing to record with. */
export type Lack = 'insecure' | 'not-supported' | 'denied' | 'no-device' | 'elsewhere' | 'failed'

/**
 * Why nothing is heard, the worse later: only zeros come; the microphone is muted, or another app has
 * it; the browser has put the sound to sleep; the microphone is gone; the browser has stopped recording.
 */
const deafnesses = ['quiet', 'muted', 'asleep', 'gone', 'stopped'] as const
export type Deafness = (typeof deafnesses)[number]
export const everyDeafness: readonly Deafness[] = deafnesses

/** In these nothing is recorded either, so that no silence is made that somebody would pay for. */
const halts: ReadonlySet<Deafness> = new Set(['asleep', 'gone', 'stopped'])

/** `left`: it was broken off and gone on with later; nobody knows after how long. */
export interface Gap {
  why: Deafness | 'left'
  /** Where in the recording. */
  placeMs: number
  /** How long nothing was heard; the recording is as much shorter where it halts. */
  lengthMs: number
}

export interface Running {
  kind: 'running'
  recording: KeptRecording
  /** The length that was recorded up to the last change, and since when it goes on. */
  recordedMs: number
  sinceMs: number | null
  isPaused: boolean
  deaf: { why: Deafness; since: Date; placeMs: number } | null
  /** Whether the microphone is asked for once more, and what came of it. */
  again: 'no' | 'asking' | Lack
  /** Nothing can be written to this browser's storage: a crash would lose what comes now. */
  unsaved: { since: Date; isFull: boolean } | null
  /** Recordings that are being made in other tabs. */
  others: readonly { id: string; since: Date }[]
  keepsScreenOn: boolean
}

export type Session =
  | { kind: 'idle' }
  | { kind: 'asking' }
  | { kind: 'refused'; lack: Lack }
  | Running
  /** It has been stopped, and its last seconds are being put away. */
  | { kind: 'closing'; recording: KeptRecording }
  | {
      kind: 'done'
      recording: KeptRecording
      /** One; several only where its stretches could not be joined. */
      files: readonly File[]
      seconds: number
      levels: readonly number[]
      /** Not where the storage failed up to the end: what is missing there is on this page alone. */
      isKept: boolean
    }

export type Event =
  | { kind: 'asked' }
  | { kind: 'refused'; lack: Lack }
  | { kind: 'began'; recording: KeptRecording; recordedMs: number }
  | { kind: 'paused' }
  | { kind: 'resumed' }
  /** `forMs`: for how long already. */
  | { kind: 'deaf'; why: Deafness; forMs?: number }
  /** The recorder hears again, if one of `over` was its trouble. */
  | { kind: 'hears'; over: readonly Deafness[] }
  | { kind: 'asked again' }
  | { kind: 'not given'; lack: Lack }
  | { kind: 'unsaved'; isFull: boolean }
  | { kind: 'saved' }
  | { kind: 'other began'; id: string }
  | { kind: 'other ended'; id: string }
  | { kind: 'screen'; keepsOn: boolean }
  | { kind: 'stopped' }
  | {
      kind: 'done'
      files: readonly File[]
      seconds: number
      levels: readonly number[]
      isKept: boolean
    }
  /** Nothing is shown of it any more: it was taken, or thrown away, or waits on the shelf. */
  | { kind: 'left' }

export interface Moment {
  /** A clock that always goes: that of a sound stands still where the sound does. */
  nowMs: number
  at: Date
}

/** It would be lost with the page, or with the next recording. */
export const isOnPageAlone = (session: Session): boolean =>
  session.kind === 'done' && !session.isKept

/** Shorter silences are not told: plugging something in makes one. */
const TOLD_MS = 1000

export function next(session: Session, event: Event, now: Moment): Session {
  switch (event.kind) {
    case 'asked':
      return { kind: 'asking' }
    case 'refused':
      return { kind: 'refused', lack: event.lack }
    case 'left':
      return { kind: 'idle' }
    case 'began':
      return {
        kind: 'running',
        recording: event.recording,
        recordedMs: event.recordedMs,
        sinceMs: now.nowMs,
        isPaused: false,
        deaf: null,
        again: 'no',
        unsaved: null,
        others: [],
        keepsScreenOn: true,
      }
    case 'done':
      if (session.kind !== 'closing') return session
      return { ...event, recording: session.recording }
    case 'paused':
    case 'resumed':
    case 'deaf':
    case 'hears':
    case 'asked again':
    case 'not given':
    case 'unsaved':
    case 'saved':
    case 'other began':
    case 'other ended':
    case 'screen':
    case 'stopped':
      return session.kind === 'running' ? whileRunning(session, event, now) : session
  }
}

function whileRunning(
  before: Running,
  event: Exclude<Event, { kind: 'asked' | 'refused' | 'left' | 'began' | 'done' }>,
  now: Moment,
): Session {
  const recordedMs = recordedBy(before, now.nowMs)
  const running = { ...before, recordedMs, sinceMs: before.sinceMs === null ? null : now.nowMs }
  switch (event.kind) {
    case 'paused':
      return { ...running, isPaused: true, sinceMs: null }
    case 'resumed':
      return going({ ...running, isPaused: false }, now)
    case 'deaf': {
      const { why, forMs = 0 } = event
      const { deaf } = running
      if (deaf && deafnesses.indexOf(why) <= deafnesses.indexOf(deaf.why)) return before
      const told = hearing(running, now)
      const placeMs = Math.max(0, recordedMs - forMs)
      return going(
        {
          ...told,
          recordedMs: halts.has(why) ? placeMs : recordedMs,
          deaf: { why, since: new Date(now.at.getTime() - forMs), placeMs },
        },
        now,
      )
    }
    case 'hears':
      if (running.deaf && !event.over.includes(running.deaf.why)) return before
      return going(hearing({ ...running, again: 'no' }, now), now)
    case 'asked again':
      return { ...running, again: 'asking' }
    case 'not given':
      return { ...running, again: event.lack }
    case 'unsaved':
      return {
        ...running,
        unsaved: { since: running.unsaved?.since ?? now.at, isFull: event.isFull },
      }
    case 'saved':
      return { ...running, unsaved: null }
    case 'other began':
      return running.others.some(({ id }) => id === event.id)
        ? running
        : { ...running, others: [...running.others, { id: event.id, since: now.at }] }
    case 'other ended':
      return { ...running, others: running.others.filter(({ id }) => id !== event.id) }
    case 'screen':
      return { ...running, keepsScreenOn: event.keepsOn }
    case 'stopped':
      return { kind: 'closing', recording: hearing(running, now).recording }
  }
}

/** The length that is recorded by then, without pauses and halts. */
export function recordedBy({ recordedMs, sinceMs }: Running, nowMs: number): number {
  return recordedMs + (sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs))
}

/** The same with a clock that goes where something is recorded, and only there. */
function going(running: Running, { nowMs }: Moment): Running {
  const isGoing = !running.isPaused && !(running.deaf && halts.has(running.deaf.why))
  return { ...running, sinceMs: isGoing ? nowMs : null }
}

/** The same without the trouble, which is told in the recording's gaps. */
function hearing(running: Running, now: Moment): Running {
  const { deaf, recording, recordedMs } = running
  if (!deaf) return running
  const { why, since, placeMs } = deaf
  const lengthMs = halts.has(why) ? now.at.getTime() - since.getTime() : recordedMs - placeMs
  if (lengthMs < TOLD_MS) return { ...running, deaf: null }
  const gaps = [...(recording.gaps ?? []), { why, placeMs, lengthMs }]
  return { ...running, deaf: null, recording: { ...recording, gaps } }
}
