/**
 * The queue of jobs, kept in the same PostgreSQL by pg-boss.
 *
 * - `add` writes the job in the caller's transaction: it is there if and only if the rest is.
 * - A job is delivered at least once. Every effect of a handler needs its own guard.
 * - A worker that dies stops refreshing its jobs; they are delivered again within a minute. A worker
 *   that is only slow keeps them.
 * - A handler that throws is tried again later, until its tries are used up. A job that a graceful
 *   stop interrupts, or the database or storage by going away, goes back to the queue and keeps its
 *   tries.
 * - A job that may have killed its worker is never run beside another such job. So a second death
 *   names the guilty job, and no job loses its tries to another.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'drizzle-orm'
import { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import type { ConstructorOptions, JobWithMetadata } from 'pg-boss'
import { z } from 'zod'

import { type Claimed, type Delivered, openClaims } from './claims.ts'
import { connectionsOf } from './connections.ts'
import { isDatabaseAway, isStorageAway, isSurelyDatabase } from './database-away.ts'
import { type Database, type Queryable, type Tx, afterCommit, ask } from './db.ts'
import type { Log } from './log.ts'
import { inSpan } from './traces.ts'

/** Declared by a room beside its jobs. */
export interface QueueDeclaration {
  name: string
  /** Tries after the first one. Default 2. */
  retryLimit?: number
  /** Pause before the first retry; it doubles with every further one. Default 2. */
  retryDelaySeconds?: number
  /** The longest pause between two tries. Default 60. */
  retryDelayMaxSeconds?: number
  /**
   * After so long without a sign of life its worker counts as dead. Default 25: longer than a
   * loaded but living machine is ever silent.
   */
  heartbeatSeconds?: number
  /** A try that takes longer has failed. Default 12 hours, at most 24. */
  expireSeconds?: number
  /**
   * Declared before this one: receives a copy of every job that has used up its tries, also when
   * its worker died each time and no handler was left to say so.
   */
  deadLetter?: string
  /** Delivers a job by itself at these times (cron, UTC), once for all servers. */
  cron?: string
}

interface AddOptions {
  /** A given id makes adding the same job twice an error instead of two jobs. */
  id?: string
  startAfterSeconds?: number
  /** Jobs with a higher one go first; those with the same in the order they came. Default 0. */
  priority?: number
}

export interface Job {
  id: string
  /** What `add` was given, after a trip through JSON. */
  data: unknown
  /** 1 for the first try. */
  attempt: number
  /** Whether a throw ends the job for good. */
  isLastAttempt: boolean
  /** Fires when the server stops, the job was cancelled, or another worker has taken it over. */
  signal: AbortSignal
}

/** What the log says of a job that has ended, beside its ids and how long it took. Never words. */
export interface JobFacts {
  outcome: string
  engine: string
  /** How long the recording is, where it is one, and how long each stage of the work took. */
  audioMs?: number
  stages?: Readonly<Record<string, number>>
}

/** Does the work of one delivery, and counts it: see metrics.ts. */
export type Watch = (
  job: Pick<Job, 'signal'> & { queue: string },
  work: () => ReturnType<Handler>,
) => ReturnType<Handler>

type Handler = (job: Job) => Promise<JobFacts | void>

export interface Queue {
  /** Enqueues in the caller's transaction. Answers the id of the job. */
  add(tx: Tx, name: string, data: object, options?: AddOptions): Promise<string>
  /** What was added to these queues and has not ended: waiting, running, or to be tried again. */
  unfinished(q: Queryable, names: readonly string[]): Promise<unknown[]>
  /** Nobody starts the job any more; a worker that has it is told within two seconds. */
  cancel(q: Queryable, name: string, jobId: string): Promise<void>
  work(name: string, options: { concurrency: number }, handler: Handler): Promise<void>
  /** Begins to deliver. Adding works before. */
  start(): Promise<void>
  /** Hands on the jobs of dead workers and removes old ones, as the queue does by itself all the time. */
  supervise(): Promise<void>
  /**
   * Claims nothing more. What is running may end within `drainMs`; then it is aborted, given back to
   * the queue, and its handler waited for. Adding still works, for requests that are ending too.
   */
  stop(options?: { timeoutMs?: number; drainMs?: number }): Promise<void>
}

/** With a heartbeat of 25 seconds, the jobs of a dead worker are delivered again within a minute. */
const SUPERVISE_SECONDS = 20
/** How often this process asks which of its queues hold a job that is due: one statement for all. */
const LOOK_MS = 1_000
/** By so much of it, so that processes that were started together do not go on asking together. */
const LOOK_JITTER = 0.2
/** pg-boss hands a recurring job on to its queue with so much delay at most. */
const CRON_SECONDS = 45
const PULSE_MS = 10_000
/** The channel that tells of new jobs, by the names of their queues. */
const ADDED = 'quoth_job_added'
/** A process tells of one queue at most this often. */
const TELL_MS = 20
/** How often pg-boss looks for jobs that wait for other jobs. There are none here. */
const FLOW_SECONDS = 24 * 60 * 60
const RETRY_LIMIT = 2
const SCHEMA = 'pgboss'
const JOB = sql`${sql.identifier(SCHEMA)}.job`
const DUE = `
  select name from unnest($1::text[]) name
  where exists (
    select 1 from ${SCHEMA}.job
    where job.name = name.name and state < 'active' and not blocked and start_after <= now())`

/**
 * How often one try is given back for each before it counts: its errors could be its own doing. With
 * the pauses below, storage may be away for nine hours.
 */
const MOST_GIVEN_BACK = { storage: 500, database: 10 }
const STORAGE_FIRST_SECONDS = 2
const STORAGE_MOST_SECONDS = 64
/** A job that must not run now is claimed again after so long. */
const ASIDE_SECONDS = 3
const AWAY_CHECK_MS = 500
/** What pg-boss leaves with a job whose worker fell silent. */
const SILENT = 'job heartbeat timeout'

const STOPPING = Symbol('stopping')

/** Creates or updates pg-boss's own tables. */
export async function installQueue(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'quoth queue',
    max: 1,
    supervise: false,
    schedule: false,
  })
  let failure: Error | undefined
  boss.on('error', (error) => (failure = error))
  await boss.start()
  await boss.stop({ graceful: false })
  if (failure) throw failure
}

export async function openQueue(
  database: Database,
  { log, queues, isOnlyServer = false, connections = 4, watch = (_, work) => work() }: OpenOptions,
): Promise<Queue> {
  const pool = new Pool({
    connectionString: database.url,
    application_name: 'quoth queue',
    max: connections,
    // pg-boss sends several statements as one text, which PostgreSQL takes only where it has no name.
    ...connectionsOf({ prepares: false }),
  })
  pool.on('error', (error) => log.warn({ err: error }, 'queue error'))
  const boss = new PgBoss(bossOptions(pool, queues))
  // Without a listener an error here would end the process. pg-boss goes on by itself: its loops
  // try again, so a restart of the database is a pause and not an end.
  boss.on('error', (error) => log.warn({ err: error }, 'queue error'))
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'queue warning'))
  const claims = openClaims(boss, { log })
  await boss.start()
  for (const declaration of queues) await declare(boss, declaration)
  const stopListening = database.listen(ADDED, {
    pulseMs: PULSE_MS,
    heard: (name) => claims.wake(name),
    began: () => claims.wake(),
    lost() {},
  })
  const tellers = new Map(queues.map(({ name }) => [name, notOften(() => tell(name))]))
  // Whatever is active belongs to a server that is gone: its jobs need not wait for their heartbeat
  // to run out.
  if (isOnlyServer) await reclaim(boss, database)

  const stopping = new AbortController()
  let stopped: Promise<void> | undefined
  let lookTimer: NodeJS.Timeout | undefined
  let isLookFailing = false

  const recurring = new Set(queues.filter(({ cron }) => cron).map(({ name }) => name))
  let isSuspectRunning = false

  /** Tells every process that a queue has a new job. One that does not hear it looks within a second. */
  function tell(name: string): void {
    pool.query('select pg_notify($1, $2)', [ADDED, name]).catch(() => undefined)
  }

  async function deliver(job: Claimed, handler: Handler): Promise<Delivered> {
    const isSuspect = hasKilled(job)
    if (stopped || (isSuspect && isSuspectRunning)) {
      await giveBack(database, job, { afterSeconds: stopped ? 0 : ASIDE_SECONDS })
      return 'gave back'
    }
    if (isSuspect) isSuspectRunning = true
    try {
      return await attempt(job, handler)
    } finally {
      if (isSuspect) isSuspectRunning = false
    }
  }

  async function attempt(job: Claimed, handler: Handler): Promise<Delivered> {
    const ids = { queue: job.name, jobId: job.id, attempt: job.retryCount + 1, ...idsIn(job.data) }
    const startedAt = performance.now()
    const ms = () => Math.round(performance.now() - startedAt)
    const signal = AbortSignal.any([job.signal, stopping.signal])
    try {
      signal.throwIfAborted()
      const delivered: Job = {
        id: job.id,
        data: job.data,
        attempt: job.retryCount + 1,
        isLastAttempt: job.retryCount >= job.retryLimit,
        signal,
      }
      const facts = await inSpan(`job ${job.name}`, ids, () =>
        watch({ queue: job.name, signal }, () => handler(delivered)),
      )
      // What comes round by itself every few minutes is of interest only when it fails.
      const level = recurring.has(job.name) ? 'debug' : 'info'
      log[level]({ ...ids, outcome: 'done', ...facts, ms: ms() }, 'job finished')
      return 'done'
    } catch (error) {
      if (stopping.signal.aborted) {
        await giveBack(database, job)
        log.info(ids, 'job given back, the server stops')
        return 'gave back'
      }
      const away = isStorageAway(error) ? 'storage' : isSurelyDatabase(error) ? 'database' : null
      if (away && timesGivenBack(job)[away] < MOST_GIVEN_BACK[away]) {
        log.info({ ...ids, err: error }, `job is given back, the ${away} was away`)
        await giveBackOnceItAnswers(job, away)
        return away === 'storage' ? 'storage was away' : 'gave back'
      }
      if (job.signal.aborted) log.info({ ...ids, ms: ms(), err: error }, 'job was taken away')
      else log.warn({ ...ids, ms: ms(), err: error }, 'job failed')
      throw error
    }
  }

  async function giveBackOnceItAnswers(job: JobWithMetadata, away: Away): Promise<void> {
    for (;;) {
      try {
        return await giveBack(database, job, { away })
      } catch (error) {
        if (!isDatabaseAway(error) || stopping.signal.aborted) throw error
        await sleep(AWAY_CHECK_MS)
      }
    }
  }

  /**
   * Wakes those whose queue holds a job that is due. Whoever adds a job tells of it at once, unless it
   * dies just then; nobody tells of tries whose pause is over, and notifications may not arrive.
   */
  async function look(): Promise<void> {
    try {
      const names = claims.free()
      const { rows } = await pool.query<{ name: string }>(DUE, [names])
      for (const { name } of rows) claims.wake(name)
      isLookFailing = false
    } catch (error) {
      if (!isLookFailing && !stopped) log.warn({ err: error }, 'queue error')
      isLookFailing = true
    }
    const pauseMs = LOOK_MS * (1 + LOOK_JITTER * (2 * Math.random() - 1))
    if (!stopped) lookTimer = setTimeout(() => void look(), pauseMs)
  }

  async function stop(timeoutMs: number, drainMs: number): Promise<void> {
    clearTimeout(lookTimer)
    stopListening()
    await claims.close()
    if (drainMs > 0) await claims.ended(drainMs)
    stopping.abort(STOPPING)
    await claims.ended(timeoutMs)
    // Who did not end in time is left behind, and its job is another worker's from now on.
    for (const job of claims.held()) await giveBack(database, job)
    claims.forget()
    await boss.stop({ timeout: timeoutMs })
    if (!pool.ending) await pool.end()
  }

  return {
    async add(tx, name, data, { id, startAfterSeconds, priority } = {}) {
      const added = await boss.send(name, data, {
        db: within(tx),
        ...(id === undefined ? {} : { id }),
        ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
        ...(priority === undefined ? {} : { priority }),
      })
      if (added === null) throw new Error(`the queue ${name} did not take the job`)
      const teller = tellers.get(name)
      // A job for later is found by looking, once its time has come.
      if (teller && !startAfterSeconds) afterCommit(tx, teller)
      return added
    },

    async unfinished(q, names) {
      const { rows } = await q.execute<{ data: unknown }>(sql`
        select data from ${JOB}
        where name in ${[...names]} and state in ('created', 'retry', 'active')`)
      return rows.map(({ data }) => data)
    },

    async cancel(q, name, jobId) {
      await boss.cancel(name, jobId, { db: within(q) })
    },

    async work(name, { concurrency }, handler) {
      claims.open(name, { places: concurrency, work: (job) => deliver(job, handler) })
    },

    async start() {
      void look()
    },

    supervise: () => boss.supervise(),

    async stop({ timeoutMs = 8_000, drainMs = 0 } = {}) {
      stopped ??= stop(timeoutMs, drainMs)
      // A dead database never answers what is asked on the way.
      await Promise.race([stopped, sleep(drainMs + timeoutMs + 2_000, undefined, { ref: false })])
      claims.forget()
    },
  }
}

/** pg-boss asks in the caller's transaction. */
const within = (q: Queryable) => ({
  executeSql: (text: string, values: unknown[] = []) => ask(q, text, values),
})

export interface OpenOptions {
  log: Log
  queues: readonly QueueDeclaration[]
  /** Nobody else works on this database: true where the server runs its own PostgreSQL. */
  isOnlyServer?: boolean
  /** How many connections at most. */
  connections?: number
  watch?: Watch | undefined
}

/**
 * Calls `act` at once, and again after a pause if it was asked for meanwhile. Notifying of each of a
 * hundred jobs would cost PostgreSQL more than one notification does, and tell nobody more.
 */
function notOften(act: () => void): () => void {
  let isPause = false
  let isAsked = false
  return function actOrWait() {
    if (isPause) {
      isAsked = true
      return
    }
    isPause = true
    isAsked = false
    act()
    setTimeout(() => {
      isPause = false
      if (isAsked) actOrWait()
    }, TELL_MS).unref()
  }
}

function bossOptions(pool: Pool, queues: readonly QueueDeclaration[]): ConstructorOptions {
  return {
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: SCHEMA,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    cronWorkerIntervalSeconds: CRON_SECONDS,
    flowIntervalSeconds: FLOW_SECONDS,
    schedule: queues.some(({ cron }) => cron !== undefined),
  }
}

async function declare(
  boss: PgBoss,
  {
    name,
    retryLimit = RETRY_LIMIT,
    retryDelaySeconds = 2,
    retryDelayMaxSeconds = 60,
    heartbeatSeconds = 25,
    expireSeconds = 12 * 60 * 60,
    deadLetter,
    cron,
  }: QueueDeclaration,
): Promise<void> {
  const settings = {
    retryLimit,
    retryDelay: retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: retryDelayMaxSeconds,
    heartbeatSeconds,
    expireInSeconds: expireSeconds,
    // pg-boss would notify inside the transaction, and then commits wait for each other: see `tell`.
    notify: false,
    ...(deadLetter === undefined ? {} : { deadLetter }),
  }
  await boss.createQueue(name, settings)
  // Creating leaves an existing queue as an older version of this program declared it.
  await boss.updateQueue(name, settings)
  if (cron === undefined) await boss.unschedule(name)
  else await boss.schedule(name, cron, {}, { missed: 'once' })
}

const Id = z.uuid()

/** What a job is about, for the log: ids, and nothing else that it was given. */
function idsIn(data: object): Record<string, string> {
  const ids = Object.entries(data).filter(
    (field): field is [string, string] => Id.safeParse(field[1]).success,
  )
  return Object.fromEntries(ids)
}

export interface QueuedJob {
  id: string
  queue: string
  state: 'running' | 'waiting' | 'failed' | 'done'
  addedAt: Date
  /** Of the first one 1. */
  tries: number
  /** What `add` was given. */
  data: unknown
}

const queuedStates = sql`case state when 'active' then 'running' when 'failed' then 'failed'
  when 'completed' then 'done' else 'waiting' end`

/** The newest jobs of each state in these queues, as long as the queue keeps them. */
export async function newest(
  q: Queryable,
  { names, limit }: { names: readonly string[]; limit: number },
): Promise<QueuedJob[]> {
  const { rows } = await q.execute<Omit<QueuedJob, 'addedAt'> & Record<'addedAt', string>>(sql`
    select id, name as queue, state, created_on as "addedAt", retry_count + 1 as tries, data from (
      select id, name, ${queuedStates} as state, created_on, retry_count, data,
        row_number() over (partition by ${queuedStates} order by created_on desc) as place
      from ${JOB} where name in ${[...names]} and state <> 'cancelled'
    ) ranked where place <= ${limit} order by created_on desc`)
  return rows.map((row) => ({ ...row, addedAt: new Date(row.addedAt) }))
}

/** How many jobs in these queues wait, run and have failed. */
export async function countStates(
  q: Queryable,
  names: readonly string[],
): Promise<Partial<Record<QueuedJob['state'], number>>> {
  const { rows } = await q.execute<{ state: QueuedJob['state']; count: number }>(sql`
    select ${queuedStates} as state, count(*)::int as count from ${JOB}
    where name in ${[...names]} and state not in ('cancelled', 'completed') group by 1`)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

export interface QueueDepth {
  queue: string
  /** Jobs that could run now, and jobs whose time has not come: tries after a pause. */
  due: number
  later: number
  /** How long the oldest of those that are due has waited. */
  oldestSeconds: number
  /** How long the recordings are that wait, due or not. */
  audioSeconds: number
}

/** What waits in each queue, also where nothing does. What is running is known to the workers. */
export async function depths(q: Queryable): Promise<QueueDepth[]> {
  const { rows } = await q.execute<QueueDepth & Record<string, unknown>>(sql`
    select queue.name as queue, waits.*
    from ${sql.identifier(SCHEMA)}.queue, lateral (
      select count(*) filter (where start_after <= now())::int as due,
        count(*) filter (where start_after > now())::int as later,
        coalesce(extract(epoch from now() - min(greatest(created_on, start_after))
          filter (where start_after <= now())), 0)::float8 as "oldestSeconds",
        coalesce(sum((data ->> 'durationMs')::float8) / 1000, 0) as "audioSeconds"
      from ${JOB} where job.name = queue.name and state < 'active' and not blocked) waits
    where queue.name not like '\\_\\_%' order by 1`)
  return rows
}

/** Whether the job's worker died or fell silent, with the job as its possible reason. */
function hasKilled({ output }: JobWithMetadata): boolean {
  return JSON.stringify(output ?? null).includes(SILENT)
}

type Away = keyof typeof MOST_GIVEN_BACK

/** Kept with a job until a try fails: then it is overwritten, and the next try begins at 0. */
const GivenBack = z.object({
  givenBack: z.object({ storage: z.int().default(0), database: z.int().default(0) }),
})

function timesGivenBack({ output }: JobWithMetadata): Record<Away, number> {
  const { success, data } = GivenBack.safeParse(output)
  return success ? data.givenBack : { storage: 0, database: 0 }
}

/**
 * Puts an active job back into its queue. Claiming it again counts as a try, so one more try is
 * allowed. For what was `away` that is counted, and while it is storage the pauses grow. Where another
 * worker has claimed the job meanwhile, nothing changes.
 */
async function giveBack(
  database: Database,
  job: JobWithMetadata,
  { afterSeconds = 0, away }: { afterSeconds?: number; away?: Away } = {},
): Promise<void> {
  const times = timesGivenBack(job)
  const pauseSeconds =
    away === 'storage'
      ? Math.min(STORAGE_FIRST_SECONDS * 2 ** times.storage, STORAGE_MOST_SECONDS)
      : afterSeconds
  const counted = away ? { givenBack: { ...times, [away]: times[away] + 1 } } : {}
  await database.db.execute(sql`
    update ${JOB}
    set state = 'retry', retry_limit = retry_limit + 1, heartbeat_on = null,
      output = coalesce(output, '{}') || ${JSON.stringify(counted)}::jsonb,
      start_after = now() + ${pauseSeconds} * interval '1 second'
    where name = ${job.name} and id = ${job.id} and state = 'active'
      and retry_count = ${job.retryCount}`)
}

/**
 * Delivers again, at once, the jobs that a server was working on when it died. Each has used up a
 * try. A job whose last try it was has failed, and pg-boss treats it as any failed job.
 */
async function reclaim(boss: PgBoss, { db }: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ name: string; id: string }>(sql`
      select name, id from ${JOB}
      where state = 'active' and heartbeat_seconds is not null and retry_count >= retry_limit
      for update`)
    for (const { name, id } of rows)
      await boss.fail(name, id, { message: SILENT }, { db: within(tx) })
    await tx.execute(sql`
      update ${JOB} set state = 'retry', start_after = now(), heartbeat_on = null,
        output = ${JSON.stringify({ value: { message: SILENT } })}::jsonb
      where state = 'active' and heartbeat_seconds is not null`)
  })
}
