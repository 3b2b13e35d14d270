/**
 * Claims the jobs of one process, hands them out, keeps them alive and reports how they ended. pg-boss
 * knows how each of that is said to the database; this decides when it is said, for many at once:
 *
 * - A queue has so many places. One statement claims a job for each that is free, one refreshes all
 *   that are running, one completes all that have ended meanwhile.
 * - Every process hears of a new job, and one gets it. Whoever comes too late waits longer the next
 *   time, up to a second and each time by another share of it; whoever gets a job waits less. So a
 *   worker that is alone claims at once, and a hundred idle ones do not ask all together.
 * - While storage is away, each job of a queue would be claimed in vain. So the queue rests, longer each
 *   time, and then one job is tried.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import type { JobWithMetadata, PgBoss } from 'pg-boss'

import { isDatabaseAway } from './database-away.ts'
import { type ErrorFacts, factsOf } from './error-facts.ts'
import type { Log } from './log.ts'

/** `signal` fires when the job was cancelled, or belongs to another worker. */
export interface Claimed extends JobWithMetadata {
  signal: AbortSignal
}

/** How one delivery ended, if it did not fail. But for `done` the job waits in its queue again. */
export type Delivered = 'done' | 'gave back' | 'storage was away'

/** Does one job. It has failed when this throws. */
type Work = (job: Claimed) => Promise<Delivered>

export interface Claims {
  /** From now on so many jobs of a queue are worked on at once. */
  open(name: string, options: { places: number; work: Work }): void
  /** A queue may hold a job that is due; without a name, any of them. */
  wake(name?: string): void
  /** The queues that could take one more job now. */
  free(): string[]
  /** What is claimed, and has not been reported as ended. */
  held(): Claimed[]
  /** No job is claimed any more. What is running goes on. */
  close(): Promise<void>
  /** Waits for what is held to end, at most so long. */
  ended(timeoutMs: number): Promise<void>
  /** Stops to refresh what is held. */
  forget(): void
}

interface Lane {
  name: string
  places: number
  work: Work
  running: number
  /** Done, and not yet reported. */
  done: Claimed[]
  isAsking: boolean
  isWoken: boolean
  isReporting: boolean
  timer: NodeJS.Timeout | undefined
  pauseMs: number
  /** How long it rested last because storage was away; 0 once a job has found it. */
  restMs: number
  restsUntil: number
}

/** Jobs that end within this time are reported by one statement, and new ones are fetched by one. */
const GATHER_MS = 4
const REFRESH_MS = 2_000
const LEAST_PAUSE_MS = 10
const MOST_PAUSE_MS = 1_000
const AWAY_CHECK_MS = 500
const LEAST_REST_MS = 2_000
const MOST_REST_MS = 16_000

export function openClaims(boss: PgBoss, { log }: { log: Log }): Claims {
  const lanes = new Map<string, Lane>()
  const held = new Map<string, { job: Claimed; taken: AbortController }>()
  const keyOf = ({ id, retryCount }: { id: string; retryCount: number }) => `${id}:${retryCount}`
  const asking = new Set<Promise<void>>()
  let isClosed = false
  let isForgotten = false
  let whenEmpty: (() => void) | undefined
  let isFailing = false

  const complain = (error: unknown) => {
    if (!isFailing && !isForgotten) log.warn({ err: error }, 'queue error')
    isFailing = true
  }

  const isFree = ({ running, places, restsUntil }: Lane) =>
    running < places && performance.now() >= restsUntil

  /** Others of the queue that end meanwhile were claimed before: they do not make it longer. */
  function rest(lane: Lane): void {
    if (performance.now() < lane.restsUntil) return
    lane.restMs = Math.min(Math.max(2 * lane.restMs, LEAST_REST_MS), MOST_REST_MS)
    lane.restsUntil = performance.now() + lane.restMs
  }

  function wake(lane: Lane): void {
    if (isClosed || lane.timer || !isFree(lane)) return
    if (lane.isAsking) lane.isWoken = true
    else if (lane.pauseMs === 0) ask(lane, { isWoken: true })
    else lane.timer = setTimeout(() => ask(lane, { isWoken: true }), lane.pauseMs * Math.random())
  }

  function ask(lane: Lane, { isWoken }: { isWoken: boolean }): void {
    clearTimeout(lane.timer)
    lane.timer = undefined
    if (isClosed || lane.isAsking || !isFree(lane)) return
    lane.isAsking = true
    const asked = claim(lane, { isWoken }).finally(() => {
      lane.isAsking = false
      asking.delete(asked)
      if (lane.isWoken) wake(lane)
      lane.isWoken = false
    })
    asking.add(asked)
  }

  async function claim(lane: Lane, { isWoken }: { isWoken: boolean }): Promise<void> {
    try {
      const batchSize = lane.restMs > 0 ? 1 : lane.places - lane.running
      const jobs = await boss.fetch<object>(lane.name, { batchSize, includeMetadata: true })
      isFailing = false
      if (jobs.length > 0) lane.pauseMs = lane.pauseMs < LEAST_PAUSE_MS ? 0 : lane.pauseMs / 4
      else if (isWoken)
        lane.pauseMs = Math.min(Math.max(lane.pauseMs * 1.5, LEAST_PAUSE_MS), MOST_PAUSE_MS)
      for (const job of jobs) void begin(lane, job)
    } catch (error) {
      complain(error)
    }
  }

  async function begin(lane: Lane, fetched: JobWithMetadata): Promise<void> {
    const taken = new AbortController()
    const job = Object.assign(fetched, { signal: taken.signal })
    held.set(keyOf(job), { job, taken })
    lane.running += 1
    try {
      const outcome = await lane.work(job)
      if (outcome === 'storage was away') rest(lane)
      else lane.restMs = 0
      if (outcome === 'done') report(lane, job)
      else release(job)
    } catch (error) {
      lane.restMs = 0
      await boss.fail(lane.name, [job], traceOf(error)).catch(complain)
      release(job)
    }
    lane.running -= 1
    // A place that had a job looks for the next one, together with those that become free meanwhile.
    setTimeout(() => {
      if (lane.isAsking) lane.isWoken = true
      else ask(lane, { isWoken: false })
    }, GATHER_MS)
  }

  function release(job: Claimed): void {
    held.delete(keyOf(job))
    if (held.size === 0) whenEmpty?.()
  }

  /** What ends while the database is told of others is told next, together. */
  function report(lane: Lane, job: Claimed): void {
    lane.done.push(job)
    if (lane.isReporting) return
    lane.isReporting = true
    void complete(lane)
  }

  async function complete(lane: Lane): Promise<void> {
    for (;;) {
      await sleep(GATHER_MS)
      const jobs = lane.done.splice(0)
      if (jobs.length === 0) {
        // In the same turn as the look: a job that ends after it starts a report of its own.
        lane.isReporting = false
        return
      }
      try {
        await boss.complete(lane.name, jobs)
      } catch (error) {
        complain(error)
        if (isDatabaseAway(error) && !isForgotten) {
          lane.done.push(...jobs)
          await sleep(AWAY_CHECK_MS)
          continue
        }
      }
      for (const job of jobs) release(job)
    }
  }

  /** A job that this did not find is not ours any more: it was cancelled, or is another worker's. */
  async function refresh(): Promise<void> {
    for (const name of lanes.keys()) {
      const ours = [...held.values()].filter(({ job }) => job.name === name)
      if (ours.length === 0) continue
      const { settled } = (await boss.touch(
        name,
        ours.map(({ job }) => job),
      )) as { settled?: string[] }
      if (!settled) continue
      const still = new Set(settled)
      for (const { job, taken } of ours)
        if (!still.has(job.id)) taken.abort(new Error(`job ${job.id} is another worker's, or gone`))
    }
  }
  let isRefreshing = false
  const refreshing = setInterval(() => {
    if (isRefreshing) return
    isRefreshing = true
    void refresh()
      .catch(complain)
      .finally(() => (isRefreshing = false))
  }, REFRESH_MS)

  return {
    open(name, { places, work }) {
      lanes.set(name, {
        name,
        places,
        work,
        running: 0,
        done: [],
        isAsking: false,
        isWoken: false,
        isReporting: false,
        timer: undefined,
        pauseMs: 0,
        restMs: 0,
        restsUntil: 0,
      })
    },
    wake(name) {
      for (const lane of lanes.values()) if (name === undefined || lane.name === name) wake(lane)
    },
    free: () => [...lanes.values()].filter(isFree).map(({ name }) => name),
    held: () => [...held.values()].map(({ job }) => job),
    async close() {
      isClosed = true
      for (const { timer } of lanes.values()) clearTimeout(timer)
      await Promise.all(asking)
    },
    async ended(timeoutMs) {
      if (held.size === 0) return
      const empty = new Promise<void>((resolve) => (whenEmpty = resolve))
      await Promise.race([empty, sleep(timeoutMs, undefined, { ref: false })])
    },
    forget() {
      isForgotten = true
      clearInterval(refreshing)
    },
  }
}

/**
 * What stays with a job that failed, and with its copy in the dead letters: kept for days, also after
 * its owner is gone. So no message: a query that failed quotes what was to be written, as what was said.
 */
function traceOf(error: unknown): object {
  const facts = factsOf(error)
  let code: unknown
  for (let at: ErrorFacts | undefined = facts; at && !code; at = at.cause) code = at.fields['code']
  return { name: facts.type, ...(code ? { code } : {}) }
}
