/**
 * A job is one object: its name, the data of each one, the rules for its tries, and its handler. The
 * root lists them all (`src/root/worker.ts`). From that list come the queues, which every process
 * declares and may add to, and the work, which only workers begin: so no queue is without a handler.
 */
import { z } from 'zod'

import { whatIsAway } from './database-away.ts'
import type { Db } from './db.ts'
import type { Log } from './log.ts'
import {
  type Delivery,
  type JobFacts,
  type JobKind,
  type Limits,
  type Queue,
  type QueueDeclaration,
  deadOf,
} from './queue.ts'

/** The parts that every job works with. Each kind adds those of its own work. */
export interface Working {
  queue: Pick<Queue, 'work'>
  log: Log
}

export interface Job<in Deps, Data extends z.ZodObject = z.ZodObject> extends JobKind<Data> {
  readonly queues: readonly QueueDeclaration[]
  /** Starts the work in this process; the answer stops the parts that the queue does not stop. */
  readonly start: (deps: Deps) => Promise<() => void>
}

type Run<Deps, Data extends z.ZodObject> = (
  deps: Deps,
  data: z.output<Data>,
  delivery: Delivery,
) => Promise<JobFacts | void>

interface Described<Deps, Data extends z.ZodObject> extends JobKind<Data>, Limits {
  /** How many at once in one process. */
  concurrency: number | ((deps: Deps) => number)
  run: Run<Deps, Data>
  /** Ends a job whose worker died each time. Others end themselves on their last try. */
  giveUp?: Run<Deps, Data>
  /**
   * Done at the start and each minute by every worker, for instance to end work that has no job any
   * more.
   */
  everyMinute?: (deps: Deps) => Promise<void>
  /**
   * A part that is not there yet and that the work needs; null where nothing is missing. Jobs wait
   * meanwhile.
   */
  lacks?: (deps: Deps) => Promise<unknown> | null
}

/** How often it is written down how far a job is. */
const TOLD_EVERY_MS = 2_000

/**
 * Tells how far a job is, in percent and never 100: at most every two seconds, and less often where
 * that fails, because the database is away.
 */
export function tellingSeldom(
  tell: (percent: number) => PromiseLike<unknown>,
): (share: number) => void {
  let toldAt = 0
  return (share) => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return
    toldAt = performance.now()
    tell(Math.min(99, Math.floor(share * 100))).then(undefined, () => undefined)
  }
}

const EVERY_MS = 60_000

export function job<Deps, Data extends z.ZodObject>({
  name,
  data,
  concurrency,
  run,
  giveUp,
  everyMinute,
  lacks,
  ...limits
}: Described<Deps, Data>): Job<Deps & Working, Data> {
  const dead = { name: deadOf(name), data }

  async function start(deps: Deps & Working): Promise<() => void> {
    const { queue, log } = deps
    const places = typeof concurrency === 'number' ? concurrency : concurrency(deps)
    const begin = () =>
      queue.work({ name, data }, { concurrency: places }, (each) => run(deps, each.data, each))
    const isThere = lacks?.(deps)
    if (isThere) void isThere.then(begin)
    else await begin()
    if (giveUp) await queue.work(dead, { concurrency: 1 }, (each) => giveUp(deps, each.data, each))
    if (!everyMinute) return () => {}
    const look = () => {
      everyMinute(deps).catch((error: unknown) => {
        if (whatIsAway(error))
          log.warn({ err: error, queue: name }, 'what is done each minute is put off')
        else log.error({ err: error, queue: name }, 'what is done each minute failed')
      })
    }
    look()
    const timer = setInterval(look, EVERY_MS)
    return () => clearInterval(timer)
  }

  return {
    name,
    data,
    queues: giveUp
      ? [
          { name: dead.name, retryLimit: 10, retryDelaySeconds: 5 },
          { name, ...limits, deadLetter: dead.name },
        ]
      : [{ name, ...limits }],
    start,
  }
}

const Nothing = z.object({})

/** A job that nobody adds: delivered at these times (cron, UTC), once for all servers. */
export function scheduled<Deps>({
  name,
  cron,
  run,
}: {
  name: string
  cron: string
  run: (deps: Deps) => Promise<void>
}): Job<Deps & Working, typeof Nothing> {
  const made = job({ name, data: Nothing, concurrency: 1, run })
  return { ...made, queues: made.queues.map((queue) => ({ ...queue, cron })) }
}

/** The queues of these jobs, each with one job. */
export function queuesOf(jobs: readonly Job<never>[]): QueueDeclaration[] {
  const queues = jobs.flatMap((each) => each.queues)
  const names = queues.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two jobs are named ${twice}`)
  return queues
}

/** Starts them in their order; the answer stops the parts that the queue does not stop. */
export async function startJobs<Deps>(
  jobs: readonly Job<Deps>[],
  deps: Deps,
): Promise<{ stop: () => void }> {
  const stops: (() => void)[] = []
  for (const each of jobs) stops.push(await each.start(deps))
  return { stop: () => stops.forEach((stop) => stop()) }
}

/**
 * Gives up ordered work whose job is gone, as after a backup was restored: nobody waits for ever. It is
 * paid for only when it is done.
 */
export async function giveUpWithoutJob<Data extends z.ZodObject>(
  { db, queue, log }: { db: Db; queue: Pick<Queue, 'unfinished'>; log: Log },
  {
    kind,
    orders,
    keyOf,
    giveUp,
  }: {
    kind: JobKind<Data>
    orders: readonly z.output<Data>[]
    /** Tells one order from another. */
    keyOf: (order: z.output<Data>) => string
    giveUp: (order: z.output<Data>) => Promise<void>
  },
): Promise<void> {
  if (orders.length === 0) return
  const known = new Set((await queue.unfinished(db, kind)).map(keyOf))
  for (const order of orders.filter((one) => !known.has(keyOf(one)))) {
    log.error({ queue: kind.name, id: keyOf(order) }, 'an order is given up: its job is gone')
    await giveUp(order)
  }
}
