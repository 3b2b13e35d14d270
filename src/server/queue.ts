/**
 * The queue of jobs, kept in the same PostgreSQL by pg-boss. What it promises:
 *
 * - `add` writes the job in the caller's transaction: it is there if and only if the rest is.
 * - A job is delivered at least once. Every effect of a handler needs its own guard.
 * - The database tells waiting workers of a new job. Nobody tells them of a try whose pause is
 *   over, or of a job whose worker died: those they find by themselves within two seconds.
 * - A worker that dies stops refreshing its jobs; they are delivered again within a minute. A worker
 *   that is only slow keeps them.
 * - A handler that throws is tried again later, until its tries are used up. A job that a graceful
 *   stop interrupts, or the database or storage by going away, or a full disk, goes back to the queue
 *   and keeps its tries.
 * - A worker that met storage away or a disk full begins nothing more for a while, and not before there
 *   is room: the next job would find the same, and a healthy worker can have it.
 * - A job that may have killed its worker is never run beside another such job. So a second death
 *   names the guilty job, and no job loses its tries to another.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'drizzle-orm'
import { PgBoss, fromDrizzle, type JobWithMetadata } from 'pg-boss'
import { z } from 'zod'

import { isDatabaseAway, isStorageAway, isSurelyDatabase } from './database-away.ts'
import type { Database, Queryable, Tx } from './db.ts'
import { type ErrorFacts, factsOf } from './error-facts.ts'
import type { Log } from './log.ts'
import { isDiskFull } from './own-disk.ts'
import { inSpan } from './traces.ts'

/** A job as the room that adds it knows it: the name of its queue, and the data of each one. */
export interface JobKind<Data extends z.ZodObject = z.ZodObject> {
  name: string
  data: Data
}

/** How often and how long a job is tried. */
export interface Limits {
  /** Tries after the first one. Default 2. */
  retryLimit?: number
  /** Pause before the first retry; it doubles with every further one. Default 2. */
  retryDelaySeconds?: number
  /** The longest pause between two tries. Default 60. */
  retryDelayMaxSeconds?: number
  /** A try that takes longer has failed. Default 12 hours, at most 24. */
  expireSeconds?: number
}

/** A queue of the database; made of a job by jobs.ts. */
export interface QueueDeclaration extends Limits {
  name: string
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

/** One try of a job, in the hands of a worker. */
export interface Delivery<Data = unknown> {
  id: string
  /** The data that `add` got, after a trip through JSON and the schema. */
  data: Data
  /** 1 for the first try. */
  attempt: number
  /** Whether a throw ends the job for good. */
  isLastAttempt: boolean
  /** Fires when the server stops, the job was cancelled, or another worker has taken it over. */
  signal: AbortSignal
}

/**
 * The facts in the log of a job that has ended, beside its ids and its duration. Never words of a
 * recording.
 */
export interface JobFacts {
  outcome: string
  engine: string
  /** How long the recording is, where it is one, and how long each stage of the work took. */
  audioMs?: number
  stages?: Readonly<Record<string, number>>
}

/** Does the work of one delivery, and counts it: see metrics.ts. */
export type Watch = (
  job: Pick<Delivery, 'signal'> & { queue: string },
  work: () => ReturnType<Handler>,
) => ReturnType<Handler>

type Handler<Data = unknown> = (delivery: Delivery<Data>) => Promise<JobFacts | void>

export interface Queue {
  /** Enqueues in the caller's transaction. Answers the id of the job. */
  add<Data extends z.ZodObject>(
    tx: Tx,
    kind: JobKind<Data>,
    data: z.input<Data>,
    options?: AddOptions,
  ): Promise<string>
  /** The jobs that have not ended: waiting, running, to be tried again, or to be given up. */
  unfinished<Data extends z.ZodObject>(q: Queryable, kind: JobKind<Data>): Promise<z.output<Data>[]>
  /** Nobody starts the job any more; a worker that has it is told within a few seconds. */
  cancel(q: Queryable, kind: JobKind, jobId: string): Promise<void>
  /** Delivers jobs to this handler from now on. Adding works before. */
  work<Data extends z.ZodObject>(
    kind: JobKind<Data>,
    options: { concurrency: number },
    handler: Handler<z.output<Data>>,
  ): Promise<void>
  /** Hands on the jobs of dead workers and removes old ones, as the queue does by itself all the time. */
  supervise(): Promise<void>
  /**
   * Claims nothing more. Running jobs may end within `drainMs`; then they are aborted and given back to
   * the queue, and their handlers waited for. Adding still works, for requests that are ending too.
   */
  stop(options?: { timeoutMs?: number; drainMs?: number }): Promise<void>
}

/**
 * How long a worker may be silent before it counts as dead: longer than a loaded but living machine is
 * ever silent. Its jobs are delivered again within a minute.
 */
const HEARTBEAT_SECONDS = 25
const SUPERVISE_SECONDS = 20
/** How often a worker that is told of new jobs looks all the same. */
const LOOK_SECONDS = 2
/** How often a worker says that it lives, and learns whether its job is still its own. */
const REFRESH_SECONDS = 2
const RETRY_LIMIT = 2
const SCHEMA = 'pgboss'

/** The queue that a job comes to when each of its tries died. */
export const deadOf = (name: string): string => `${name}-dead`

const JOB = sql`${sql.identifier(SCHEMA)}.job`

/**
 * How often one try is given back for each before it counts: its errors could be its own doing. With
 * the pauses below, storage may be away, or a disk be full, for nine hours.
 */
const MOST_GIVEN_BACK = { storage: 500, disk: 500, database: 10 }
const FIRST_PAUSE_SECONDS = 2
const LONGEST_PAUSE_SECONDS = 64
/** How long a place begins no job after one found storage away or a disk full, and asks again for room. */
const REST_MS = 4_000
/** How long a job that must not run now is put aside before it is claimed again. */
const ASIDE_SECONDS = 3
const AWAY_CHECK_MS = 500
/** After so long without an answer the system asks whether the database is there, as the listener's does. */
const KEEP_ALIVE_MS = 10_000
/** While the database is away each place says so every two seconds: one line of all is enough. */
const QUIET_MS = 10_000
/** The message that pg-boss leaves with a job whose worker fell silent. */
const SILENT = 'job heartbeat timeout'

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

interface OpenOptions {
  log: Log
  queues: readonly QueueDeclaration[]
  /**
   * Queues of earlier releases, which nobody works any more. A process of such a release declares its own
   * again when it starts. They are named, because what this release does not know can be a later one's.
   */
  retired?: readonly string[]
  /** Nobody else works on this database: true where the server runs its own PostgreSQL. */
  isOnlyServer?: boolean
  /** How many connections at most, beside the one that listens. */
  connections?: number
  watch?: Watch | undefined
  /** Whether there is room on this process's disk to begin a job. */
  hasRoom?: () => Promise<boolean>
}

export async function openQueue(database: Database, options: OpenOptions): Promise<Queue> {
  const boss = openBoss(database, options)
  await boss.start()
  for (const declaration of options.queues) await declare(boss, declaration)
  for (const name of options.retired ?? []) await retire(boss, database, name)
  // Whatever is active belongs to a server that is gone: its jobs need not wait for their heartbeat
  // to run out.
  if (options.isOnlyServer) await reclaim(boss, database)
  const workers = openWorkers(boss, database, options)

  return {
    async add(tx, { name }, data, { id, startAfterSeconds, priority } = {}) {
      const added = await boss.send(name, data, {
        db: fromDrizzle(tx, sql),
        ...(id === undefined ? {} : { id }),
        ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
        ...(priority === undefined ? {} : { priority }),
      })
      if (added === null) throw new Error(`the queue ${name} did not take the job`)
      return added
    },

    async unfinished(q, { name, data: Data }) {
      const { rows } = await q.execute<{ data: unknown }>(sql`
        select data from ${JOB}
        where name in ${[name, deadOf(name)]} and state in ('created', 'retry', 'active')`)
      return rows.map(({ data }) => Data.parse(data))
    },

    async cancel(q, { name }, jobId) {
      await boss.cancel(name, jobId, { db: fromDrizzle(q, sql) })
    },

    ...workers,
    supervise: () => boss.supervise(),
  }
}

function openBoss(database: Database, { log, queues, connections = 4 }: OpenOptions): PgBoss {
  const pool = {
    connectionString: database.url,
    application_name: 'quoth queue',
    max: connections,
    // pg-boss hands this on. Without it a place waits for ever for a database that went without a word.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
  const boss = new PgBoss({
    ...pool,
    schema: SCHEMA,
    // A pooler hands on no notifications. Many workers find a new job soon by looking: some of them
    // looks at any moment.
    useListenNotify: database.url === database.directUrl,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    schedule: queues.some(({ cron }) => cron !== undefined),
  })
  // Without a listener an error here would end the process. pg-boss goes on by itself: its loops
  // try again, so a restart of the database is a pause and not an end.
  let quietUntil = 0
  boss.on('error', (error) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + QUIET_MS
    // Of a worker it comes without its class.
    const err = error instanceof Error ? error : Object.assign(new Error(), error)
    log.warn({ err }, 'queue error')
  })
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'queue warning'))
  return boss
}

/** The workers of this process: each place of a queue is a worker of pg-boss with one job at a time. */
function openWorkers(
  boss: PgBoss,
  database: Database,
  options: OpenOptions,
): Pick<Queue, 'work' | 'stop'> {
  /** Nothing is begun any more. */
  const closing = new AbortController()
  /** Running jobs must end. */
  const stopping = new AbortController()
  const deliveries = openDeliveries(boss, database, {
    ...options,
    closing: closing.signal,
    stopping: stopping.signal,
  })
  const names = new Set<string>()
  let stopped: Promise<void> | undefined

  async function begin(name: string, handler: Handler): Promise<void> {
    const id: string = await boss.work(
      name,
      {
        includeMetadata: true,
        heartbeatRefreshSeconds: REFRESH_SECONDS,
        notifyPollingIntervalSeconds: LOOK_SECONDS,
      },
      async ([job]: JobWithMetadata[]) => {
        if (job) await deliveries.deliver(job, handler)
        // Who had a job asks for the next at once. pg-boss would wait until it looks again.
        boss.notifyWorker(id)
      },
    )
  }

  async function stop(timeoutMs: number, drainMs: number): Promise<void> {
    closing.abort()
    const ended = Promise.all([...names].map((name) => boss.offWork(name)))
    if (drainMs > 0) await Promise.race([ended, sleep(drainMs, undefined, { ref: false })])
    stopping.abort(new Error('the server stops'))
    await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })])
    // Who did not end in time is left behind, and its job is another worker's from now on.
    for (const job of deliveries.held) await giveBack(database, job)
    await boss.stop({ graceful: false })
  }

  return {
    async work({ name, data: Data }, { concurrency }, handler) {
      names.add(name)
      const checked: Handler = async (delivery) =>
        handler({ ...delivery, data: Data.parse(delivery.data) })
      for (let place = 0; place < concurrency && !closing.signal.aborted; place++)
        await begin(name, checked)
    },

    async stop({ timeoutMs = 8_000, drainMs = 0 } = {}) {
      stopped ??= stop(timeoutMs, drainMs)
      // A dead database never answers a query that is under way.
      await Promise.race([stopped, sleep(drainMs + timeoutMs + 2_000, undefined, { ref: false })])
    },
  }
}

/** Hands a job to its handler, and gives it back or reports it where it did not end well. */
function openDeliveries(
  boss: PgBoss,
  database: Database,
  {
    log,
    queues,
    watch = (_, work) => work(),
    hasRoom = async () => true,
    closing,
    stopping,
  }: OpenOptions & { closing: AbortSignal; stopping: AbortSignal },
) {
  const held = new Set<JobWithMetadata>()
  let isSuspectRunning = false

  /**
   * pg-boss completes the jobs that are still active when this ends, and fails them when this throws.
   */
  async function deliver(job: JobWithMetadata, handler: Handler): Promise<void> {
    const isSuspect = hasKilled(job)
    if (closing.aborted) return giveBack(database, job)
    if (isSuspect && isSuspectRunning)
      return giveBack(database, job, { afterSeconds: ASIDE_SECONDS })
    isSuspectRunning ||= isSuspect
    held.add(job)
    const startedAt = performance.now()
    let mustRest = false
    try {
      await attempt(job, handler)
    } catch (error) {
      mustRest = isStorageAway(error) || isDiskFull(error)
      await afterFailure(error, Math.round(performance.now() - startedAt), job)
    } finally {
      held.delete(job)
      if (isSuspect) isSuspectRunning = false
    }
    if (mustRest) await rest()
  }

  async function rest(): Promise<void> {
    do await sleep(REST_MS, undefined, { signal: closing }).catch(() => undefined)
    while (!closing.aborted && !(await hasRoom()))
  }

  async function attempt(job: JobWithMetadata, handler: Handler): Promise<void> {
    const startedAt = performance.now()
    const ids = idsOf(job)
    const signal = AbortSignal.any([job.signal, stopping])
    signal.throwIfAborted()
    const delivery: Delivery = {
      id: job.id,
      data: job.data,
      attempt: job.retryCount + 1,
      isLastAttempt: job.retryCount >= job.retryLimit,
      signal,
    }
    const facts = await inSpan(`job ${job.name}`, ids, () =>
      watch({ queue: job.name, signal }, () => handler(delivery)),
    )
    // What comes round by itself every few minutes is of interest only when it fails.
    const isRecurring = queues.some(({ name, cron }) => name === job.name && cron !== undefined)
    const ms = Math.round(performance.now() - startedAt)
    log[isRecurring ? 'debug' : 'info']({ ...ids, outcome: 'done', ...facts, ms }, 'job finished')
  }

  /** Gives the job back where it is not to blame, and else reports that it failed. */
  async function afterFailure(error: unknown, ms: number, job: JobWithMetadata): Promise<void> {
    const ids = idsOf(job)
    if (stopping.aborted) {
      await giveBack(database, job)
      return log.info(ids, 'job given back, the server stops')
    }
    const lacking = lackingIn(error)
    if (lacking && timesGivenBack(job)[lacking] < MOST_GIVEN_BACK[lacking]) {
      const why = lacking === 'disk' ? 'the disk is full' : `the ${lacking} was away`
      log[lacking === 'disk' ? 'warn' : 'info']({ ...ids, err: error }, `job is given back, ${why}`)
      return giveBackOnceItAnswers(database, job, { lacking, stopping })
    }
    if (job.signal.aborted) log.info({ ...ids, ms, err: error }, 'job was taken away')
    else log.warn({ ...ids, ms, err: error }, 'job failed')
    // By itself pg-boss would keep all of the error: see `traceOf`.
    await boss.fail(job.name, [job], traceOf(error))
  }

  return { held, deliver }
}

const Id = z.uuid()

/** The facts of a job in the log: ids, and nothing else of its data. */
function idsOf({ name, id, retryCount, data }: JobWithMetadata) {
  const given = Object.entries(data).filter(
    (field): field is [string, string] => Id.safeParse(field[1]).success,
  )
  return { queue: name, jobId: id, attempt: retryCount + 1, ...Object.fromEntries(given) }
}

/**
 * The facts that stay with a job that failed, and with its copy in the dead letters: kept for days,
 * also after its owner is gone. So no message: a query that failed quotes its values, such as words of
 * a recording.
 */
function traceOf(error: unknown): object {
  const facts = factsOf(error)
  let code: unknown
  for (let at: ErrorFacts | undefined = facts; at && !code; at = at.cause) code = at.fields['code']
  return { name: facts.type, ...(code ? { code } : {}) }
}

async function declare(
  boss: PgBoss,
  {
    name,
    retryLimit = RETRY_LIMIT,
    retryDelaySeconds = 2,
    retryDelayMaxSeconds = 60,
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
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: expireSeconds,
    notify: true,
    ...(deadLetter === undefined ? {} : { deadLetter }),
  }
  await boss.createQueue(name, settings)
  // Creating leaves an existing queue as an older version of this program declared it.
  await boss.updateQueue(name, settings)
  if (cron === undefined) await boss.unschedule(name)
  else await boss.schedule(name, cron, {}, { missed: 'once' })
}

/** Nothing is delivered there any more, and nothing waits. Running jobs may end. */
async function retire(boss: PgBoss, { db }: Database, name: string): Promise<void> {
  await boss.unschedule(name)
  await db.execute(sql`delete from ${JOB} where name = ${name} and state < 'active'`)
}

interface QueuedJob {
  id: string
  queue: string
  state: 'running' | 'waiting' | 'failed' | 'done'
  addedAt: Date
  /** Of the first one 1. */
  tries: number
  /** The data that `add` got. */
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

/** What waits in a queue, in the order in which workers begin it. */
export async function firstWaiting<Data extends z.ZodObject>(
  q: Queryable,
  { name, data: Data }: JobKind<Data>,
  limit: number,
): Promise<z.output<Data>[]> {
  const { rows } = await q.execute<{ data: unknown }>(sql`
    select data from ${JOB} where name = ${name} and state < 'active' and not blocked
    order by priority desc, created_on limit ${limit}`)
  return rows.map(({ data }) => Data.parse(data))
}

/** A job that has waited for less stays in its place. */
const WAITS_LONG = '5 minutes'

/**
 * Moves each job that has waited for long one place on. So the last jobs of a large batch begin some day,
 * however many new ones come. All that have waited for long move together and keep their order.
 */
export async function moveOn(q: Queryable, { name }: Pick<JobKind, 'name'>): Promise<void> {
  await q.execute(sql`
    update ${JOB} set priority = priority + 1
    where name = ${name} and state < 'active' and priority < 0
      and created_on < now() - ${WAITS_LONG}::interval`)
}

const LATELY = 20

/**
 * The jobs that were done last, of those of the last day, and those that are worked on, with when each
 * began and ended: in milliseconds, as the database's clock counts them; so far, where it has not ended.
 */
export async function lately<Data extends z.ZodObject>(
  q: Queryable,
  { name, data: Data }: JobKind<Data>,
): Promise<{ data: z.output<Data>; fromMs: number; toMs: number; isDone: boolean }[]> {
  const { rows } = await q.execute<{
    data: unknown
    fromMs: number
    toMs: number
    isDone: boolean
  }>(sql`
    select data, state = 'completed' as "isDone",
      extract(epoch from started_on)::float8 * 1000 as "fromMs",
      extract(epoch from coalesce(completed_on, now()))::float8 * 1000 as "toMs"
    from (
      (select * from ${JOB} where name = ${name} and state = 'completed'
        and completed_on > now() - interval '1 day' order by completed_on desc limit ${LATELY})
      union all (select * from ${JOB} where name = ${name} and state = 'active' limit ${LATELY})
    ) job`)
  return rows.map(({ data, ...row }) => ({ ...row, data: Data.parse(data) }))
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

/** The number of waiting jobs in each queue, also 0. Workers know the running ones. */
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

/** Parts of the server that a job can lack without any fault of its own. */
type Lacking = keyof typeof MOST_GIVEN_BACK

function lackingIn(error: unknown): Lacking | null {
  if (isStorageAway(error)) return 'storage'
  if (isDiskFull(error)) return 'disk'
  return isSurelyDatabase(error) ? 'database' : null
}

/** Kept with a job until a try fails: then it is overwritten, and the next try begins at 0. */
const GivenBack = z.object({
  givenBack: z.object({
    storage: z.int().default(0),
    disk: z.int().default(0),
    database: z.int().default(0),
  }),
})

function timesGivenBack({ output }: JobWithMetadata): Record<Lacking, number> {
  const { success, data } = GivenBack.safeParse(output)
  return success ? data.givenBack : { storage: 0, disk: 0, database: 0 }
}

/**
 * Puts an active job back into its queue. Claiming it again counts as a try, so one more try is
 * allowed. Where something was `lacking`, that is counted, and the pauses grow. The database is an
 * exception: as the job is put back, it is there again. Where another worker has claimed the job
 * meanwhile, nothing changes.
 */
async function giveBack(
  database: Database,
  job: JobWithMetadata,
  { afterSeconds = 0, lacking }: { afterSeconds?: number; lacking?: Lacking } = {},
): Promise<void> {
  const times = timesGivenBack(job)
  const pauseSeconds =
    lacking && lacking !== 'database'
      ? Math.min(FIRST_PAUSE_SECONDS * 2 ** times[lacking], LONGEST_PAUSE_SECONDS)
      : afterSeconds
  const counted = lacking ? { givenBack: { ...times, [lacking]: times[lacking] + 1 } } : {}
  await database.db.execute(sql`
    update ${JOB}
    set state = 'retry', retry_limit = retry_limit + 1, heartbeat_on = null,
      output = coalesce(output, '{}') || ${JSON.stringify(counted)}::jsonb,
      start_after = now() + ${pauseSeconds} * interval '1 second'
    where name = ${job.name} and id = ${job.id} and state = 'active'
      and retry_count = ${job.retryCount}`)
}

async function giveBackOnceItAnswers(
  database: Database,
  job: JobWithMetadata,
  { lacking, stopping }: { lacking: Lacking; stopping: AbortSignal },
): Promise<void> {
  for (;;) {
    try {
      return await giveBack(database, job, { lacking })
    } catch (error) {
      // A disk that is full can be the database's own.
      const canPass = isDatabaseAway(error) || isDiskFull(error)
      if (!canPass || stopping.aborted) throw error
      await sleep(AWAY_CHECK_MS)
    }
  }
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
      await boss.fail(name, id, { message: SILENT }, { db: fromDrizzle(tx, sql) })
    await tx.execute(sql`
      update ${JOB} set state = 'retry', start_after = now(), heartbeat_on = null,
        output = ${JSON.stringify({ value: { message: SILENT } })}::jsonb
      where state = 'active' and heartbeat_seconds is not null`)
  })
}
