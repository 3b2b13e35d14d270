/**
 * The figures of a process for Prometheus, at /metrics, on OPS_PORT or with METRICS_TOKEN.
 *
 * - Labels are words of ours: patterns of routes, names of queues, engines and codes. No words of a
 *   user are among them, and no id.
 * - Figures that all processes share (waiting jobs, credits) are read from the tables when they are
 *   asked for. Each process tells the same figure: take the `max` over processes, not the `sum`.
 * - While the database is away, everything else is still told.
 * - Without either setting nothing is counted, and the library is not loaded: it is 20 MB in memory.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

import type { RefusalCode } from '#shared/refusals.ts'

import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { type Health, type Look, problems } from './health.ts'
import { type QueueDepth, type Watch, depths } from './queue.ts'

export interface Metrics {
  requestEnded(request: {
    method: string
    route: string
    status: number
    /** Of the refusal or the error that was answered. */
    code: string | undefined
    ms: number
  }): void
  watch: Watch
  /** Everything in Prometheus's text format, with the findings about this process's health. */
  read(look: Look): Promise<{ type: string; text: string }>
}

interface MetricsParts {
  role: Config['role']
  decoder: 'sandboxed' | 'unsandboxed'
  database: Pick<Database, 'db' | 'pool'>
  /** Credits moved since the process started, by kind, whichever process moved them. */
  creditsMoved: () => Promise<ReadonlyMap<string, number>>
  /** The present figures of the tables that all processes share. */
  standing: () => Promise<{
    available: number
    held: number
    recordingBytes: number
    unmatchedPayments: number
  }>
  /** The names of all queues. */
  queues: readonly string[]
  /** When the last back-up was made, where the server knows of one. */
  lastBackupAt: () => Promise<Date | null>
}

/**
 * Alerts ask by how much these have grown (deploy/monitoring). What is told for the first time has grown
 * by nothing, so it is told before it happens, as 0.
 */
const alertedRefusals = [
  'not_set_up',
  'too_much_work',
  'server_busy',
] as const satisfies RefusalCode[]
const GIVEN_UP = 'given up'

/** A database that does not answer must not make Prometheus give up on the rest, after 10 seconds. */
const TABLES_MS = 4_000

const seconds = {
  request: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  stage: [1, 5, 15, 60, 300, 900, 3_600, 14_400],
}

export async function openMetrics(parts: MetricsParts): Promise<Metrics> {
  const { database } = parts
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const gauge = <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
    new Gauge({ name: `quoth_${name}`, help, labelNames: labels, registers })
  const counter = <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
    new Counter({ name: `quoth_${name}`, help, labelNames: labels, registers })

  gauge('process', '1 for each process, by ROLE and by its sandbox.', 'role', 'decoder').set(
    { role: parts.role, decoder: parts.decoder },
    1,
  )
  const requests = new Histogram({
    name: 'quoth_http_request_duration_seconds',
    help: 'Requests, by the pattern of their route and the class of their status (2xx).',
    labelNames: ['method', 'route', 'status'],
    buckets: seconds.request,
    registers,
  })
  const refusals = counter('refusals_total', 'Requests refused or broken, by code.', 'code')
  const running = gauge('jobs_running', 'Jobs that this process works on.', 'queue')
  const jobs = counter('jobs_total', 'Jobs that ended here.', 'queue', 'engine', 'outcome')
  const unended = counter('job_tries_unended_total', 'Tries that did not end.', 'queue', 'why')
  const work = counter('work_seconds_total', 'Time spent on jobs that ended here.', 'queue')
  const audio = counter('audio_seconds_total', 'Sound of transcriptions that ended here.', 'engine')
  const stages = new Histogram({
    name: 'quoth_stage_duration_seconds',
    help: 'Stages of transcriptions. They overlap; those of parallel chunks are added up.',
    labelNames: ['stage', 'engine'],
    buckets: seconds.stage,
    registers,
  })
  const waiting = gauge('queue_jobs', 'Jobs that wait, in the table.', 'queue', 'state')
  const oldest = gauge('queue_oldest_seconds', 'How long the oldest due job has waited.', 'queue')
  const waitingAudio = gauge('queue_audio_seconds', 'Sound of the recordings that wait.')
  const credits = counter('credits_total', 'Credits moved in the ledger, by any process.', 'kind')
  const balances = gauge('credits', 'Credits of all users: to spend, or held by jobs.', 'state')
  const recordings = gauge('recording_bytes', 'Size of the recordings that are stored.')
  const connections = gauge('database_connections', 'Connections of the pool.', 'state')
  const waitingForOne = gauge('database_waiting', 'What waits for a connection of the pool.')
  const hasProblem = gauge('problem', '1 where this process has it: see /readyz.', 'problem')
  const unmatched = gauge('unmatched_payments', 'Payments of the last month that granted nothing.')
  const backupAge = gauge('backup_age_seconds', 'How long ago the last back-up was made.')
  const space = gauge('storage_bytes', 'Room in storage, where it has an end.', 'state')

  for (const code of alertedRefusals) refusals.inc({ code }, 0)
  for (const queue of parts.queues) {
    jobs.inc({ queue, engine: 'none', outcome: GIVEN_UP }, 0)
    unended.inc({ queue, why: 'broken' }, 0)
  }

  function showDepths(found: readonly QueueDepth[]): void {
    for (const { queue, due, later, oldestSeconds } of found) {
      waiting.set({ queue, state: 'due' }, due)
      waiting.set({ queue, state: 'later' }, later)
      oldest.set({ queue }, oldestSeconds)
    }
    waitingAudio.set(found.reduce((sum, { audioSeconds }) => sum + audioSeconds, 0))
  }
  /** One without labels is told as 0 after a reset. */
  const forgetTables = () => {
    for (const each of [waiting, oldest, balances]) each.reset()
    for (const each of [waitingAudio, recordings, unmatched]) each.remove()
  }
  /** Away: nothing is told of them, because an old number would be taken for today's. */
  async function readTables(): Promise<void> {
    const [found, moved, { available, held, recordingBytes, unmatchedPayments }] =
      await Promise.all([depths(database.db), parts.creditsMoved(), parts.standing()])
    forgetTables()
    balances.set({ state: 'available' }, available)
    balances.set({ state: 'held' }, held)
    recordings.set(recordingBytes)
    unmatched.set(unmatchedPayments)
    showDepths(found)
    credits.reset()
    for (const [kind, amount] of moved) credits.inc({ kind }, amount)
  }
  function readProcess({ problems: found, space: disk }: Look): void {
    const { totalCount, idleCount, waitingCount } = database.pool
    connections.set({ state: 'idle' }, idleCount)
    connections.set({ state: 'busy' }, totalCount - idleCount)
    waitingForOne.set(waitingCount)
    for (const problem of problems) hasProblem.set({ problem }, found.includes(problem) ? 1 : 0)
    space.reset()
    if (disk && Number.isFinite(disk.totalBytes)) {
      space.set({ state: 'free' }, disk.freeBytes)
      space.set({ state: 'total' }, disk.totalBytes)
    }
  }
  async function readBackup(): Promise<void> {
    const at = await parts.lastBackupAt()
    // One without labels would be told as 0 by `reset`.
    backupAge.remove()
    if (at) backupAge.set(Math.max(0, Date.now() - at.getTime()) / 1000)
  }
  let reading: Promise<void> | null = null

  return {
    requestEnded({ method, route, status, code, ms }) {
      const labels = { method, route, status: `${Math.floor(status / 100)}xx` }
      requests.observe(labels, ms / 1000)
      if (code !== undefined) refusals.inc({ code })
    },
    async watch({ queue, signal }, job) {
      const startedAt = performance.now()
      running.inc({ queue })
      try {
        const facts = await job()
        const { engine = 'none', outcome = 'done', audioMs = 0, stages: took = {} } = facts ?? {}
        // Whichever engine it was given up with: see the alerts.
        jobs.inc({ queue, engine: outcome === GIVEN_UP ? 'none' : engine, outcome })
        work.inc({ queue }, (performance.now() - startedAt) / 1000)
        if (audioMs > 0) audio.inc({ engine }, audioMs / 1000)
        for (const [stage, ms] of Object.entries(took)) stages.observe({ stage, engine }, ms / 1000)
        return facts
      } catch (error) {
        unended.inc({ queue, why: signal.aborted ? 'given back' : 'broken' })
        throw error
      } finally {
        running.dec({ queue })
      }
    },
    async read(look) {
      readProcess(look)
      await readBackup()
      // Two that ask at once get the same answer. One that is slow is left to end by itself.
      reading ??= readTables().finally(() => (reading = null))
      const late = sleep(TABLES_MS, undefined, { ref: false }).then(() => {
        throw new Error('the tables took too long')
      })
      await Promise.race([reading, late]).catch(forgetTables)
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** Without a token everybody who reaches this server is answered. */
export function addMetrics(
  app: FastifyInstance,
  {
    metrics,
    health,
    token,
  }: {
    /** Null while the process starts. */
    metrics: () => Metrics | null
    health: Health
    token: string | null
  },
): void {
  app.get('/metrics', { config: { isProbe: true } }, async ({ headers }, reply) => {
    if (token !== null && !showsToken(token, headers.authorization))
      return reply.code(401).header('WWW-Authenticate', 'Bearer').send()
    const now = metrics()
    if (!now) return reply.code(503).send()
    const { type, text } = await now.read(await health.look())
    return reply.header('Content-Type', type).send(text)
  })
}

/** Whether a request shows the token. Compared in a time that tells nothing of it. */
function showsToken(token: string, authorization: string | undefined): boolean {
  const [ours, theirs] = [`Bearer ${token}`, authorization ?? ''].map((text) =>
    createHash('sha256').update(text).digest(),
  )
  return ours !== undefined && theirs !== undefined && timingSafeEqual(ours, theirs)
}
