/**
 * How long a job will still take. Said only when it is known from what was really done: two chunks
 * at least. It may shrink and never grows; past its upper end it gives up and says so.
 */
export interface Sight {
  /** Chunks finished of all, as the status says. */
  done: number
  of: number
  atMs: number
}

export interface Estimate {
  /** The latest moment at which the end was promised. */
  untilMs: number
  leftMs: number
}

const LEAST_DONE = 2
/** How much faster or slower the rest may be. */
const FASTER = 0.8
const SLOWER = 1.4
/** The summary and the telling apart of voices come after the last chunk. */
const AFTER_MS = 5_000

export function estimateFrom(
  first: Sight | undefined,
  now: Sight | undefined,
  before: Estimate | null,
): Estimate | null {
  if (!first || !now || now.done < LEAST_DONE || now.done === first.done) return before
  const each = (now.atMs - first.atMs) / (now.done - first.done)
  const leftMs = each * (now.of - now.done) + AFTER_MS
  const untilMs = now.atMs + leftMs * SLOWER
  return { leftMs, untilMs: before ? Math.min(before.untilMs, untilMs) : untilMs }
}

/** "About 1–2 min left.", "Taking longer than usual.", or nothing while nothing is known. */
export function estimateInWords(estimate: Estimate | null, nowMs: number): string | null {
  if (!estimate) return null
  const most = estimate.untilMs - nowMs
  if (most <= 0) return 'Taking longer than usual.'
  const high = Math.max(1, Math.ceil(most / 60_000))
  if (high === 1) return 'About a minute left.'
  const low = Math.max(1, Math.floor(((most / SLOWER) * FASTER) / 60_000))
  return low === high ? `About ${high} min left.` : `About ${low}–${high} min left.`
}

/** How far the chunks are, from 'processing chunk 2/5'. */
export function sightOf(status: string, atMs: number): Sight | undefined {
  const chunk = /processing chunk (\d+)\/(\d+)/.exec(status)
  if (!chunk) return undefined
  return { done: Number(chunk[1]), of: Number(chunk[2]), atMs }
}

/** What one job showed from the moment this page began to look at it. */
export interface Watched {
  status: string
  first: Sight | undefined
  last: Estimate | null
}

/**
 * The next look at a job. A page that is opened in the middle of a chunk does not know when that
 * began, so time is measured from the first change that was seen.
 */
export function watched(before: Watched | undefined, status: string, atMs: number): Watched {
  const sight = sightOf(status, atMs)
  const isChange = before !== undefined && before.status !== status
  const first = before?.first ?? (isChange ? sight : undefined)
  return { status, first, last: estimateFrom(first, sight, before?.last ?? null) }
}
