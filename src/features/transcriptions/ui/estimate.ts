import { chunkOf } from '../status.ts'

/**
 * How long a job will still take. It is computed from finished chunks, so it is shown once two are
 * done. It may shrink and never grows. When the promised time is over, it says "Taking longer than
 * usual."
 */
export interface Sight {
  /** Chunks finished of all, as the status says. */
  done: number
  of: number
  atMs: number
}

export interface Estimate {
  /** The latest end that the user was shown. */
  untilMs: number
  leftMs: number
}

const LEAST_DONE = 2
/** The rest may be this much faster or slower than what was done: the two ends of the range. */
const FASTER = 0.8
const SLOWER = 1.4
/** After the last chunk, telling speakers apart and writing the summary take about this long. */
const AFTER_MS = 5_000

export function estimateFrom(
  first: Sight | undefined,
  now: Sight | undefined,
  before: Estimate | null,
): Estimate | null {
  if (!first || !now || now.done < LEAST_DONE || now.done === first.done) return before
  const each = (now.atMs - first.atMs) / (now.done - first.done)
  const next = estimateOf(each * (now.of - now.done) + AFTER_MS, now.atMs)
  return { ...next, untilMs: Math.min(next.untilMs, before?.untilMs ?? Infinity) }
}

/** What takes about so long from now on. */
export const estimateOf = (leftMs: number, nowMs: number): Estimate => ({
  leftMs,
  untilMs: nowMs + leftMs * SLOWER,
})

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

interface Part {
  /** Seconds of sound. */
  duration: number
  /** Chunks finished of all; nothing before the first is known, and for what waits. */
  sight: Sight | undefined
  estimate: Estimate | null
}

/**
 * How long several jobs will still take, of which some are worked on at once. Those that wait are taken
 * to be as fast as those that run. Null until the rest of one that runs is known.
 */
export function estimateOfAll(parts: readonly Part[], atMs: number): Estimate | null {
  const known = parts.flatMap(({ duration, sight, estimate }) => {
    if (!sight || !estimate) return []
    const restMs = Math.max(0, estimate.leftMs - AFTER_MS)
    const restSeconds = duration * (1 - sight.done / sight.of)
    return restSeconds > 0 ? [{ restMs, restSeconds }] : []
  })
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
  const seen = sumOf(known.map(({ restSeconds }) => restSeconds))
  if (seen === 0) return null
  const msPerSecond = sumOf(known.map(({ restMs }) => restMs)) / seen
  const left = sumOf(
    parts.map(({ duration, sight }) => duration * (1 - (sight ? sight.done / sight.of : 0))),
  )
  const atOnce = Math.max(1, parts.filter(({ sight }) => sight !== undefined).length)
  return estimateOf((left * msPerSecond + parts.length * AFTER_MS) / atOnce, atMs)
}

/** Reads how many chunks are done, from a status such as 'processing chunk 2/5'. */
export function sightOf(status: string, atMs: number): Sight | undefined {
  const chunk = chunkOf(status)
  return chunk ? { ...chunk, atMs } : undefined
}

/** The statuses of one job from the moment this page began to look at it. */
export interface Watched {
  status: string
  /** One for each number of finished chunks, in order. */
  sights: readonly Sight[]
  last: Estimate | null
}

/**
 * Adds a new status to what was seen of a job. A page that is opened in the middle of a chunk does
 * not know when that chunk began, so time is measured from the first change that is seen. It is
 * measured over the later half of what was done since: at its beginning a job loads its model and
 * hears the recording, and is slower.
 */
export function watched(before: Watched | undefined, status: string, atMs: number): Watched {
  const sight = sightOf(status, atMs)
  const isChange = before !== undefined && before.status !== status
  const seen = before?.sights ?? []
  const isNew = sight && isChange && seen.at(-1)?.done !== sight.done
  const sights = isNew ? [...seen, sight] : seen
  const [first] = sights
  const half = first && sight ? (first.done + sight.done) / 2 : 0
  const from = sights.findLast(({ done }) => done <= half) ?? first
  return { status, sights, last: estimateFrom(from, sight, before?.last ?? null) }
}
