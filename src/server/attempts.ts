/**
 * Jobs that somebody has ordered, and pays for when they are done. They are delivered three times. One
 * whose worker died each time is given up, and so is an order whose job is gone: nobody waits for ever.
 */
import { isDatabaseAway } from './database-away.ts'
import type { Db } from './db.ts'
import type { Log } from './log.ts'
import type { Job, JobFacts, Queue, QueueDeclaration } from './queue.ts'

const LOOK_EVERY_MS = 60_000

/** The queue of such jobs, and the one that a job comes to when each delivery of it died. */
export const attemptQueues = (name: string): QueueDeclaration[] => [
  { name: `${name}-dead`, retryLimit: 10, retryDelaySeconds: 5 },
  { name, retryLimit: 2, retryDelaySeconds: 2, deadLetter: `${name}-dead` },
]

/** Starts the work in this process; the answer stops what is not the queue's to stop. */
export async function workAttempts(
  { queue: jobs, log }: { queue: Queue; log: Log },
  {
    queue,
    run,
    giveUp,
    endForgotten,
  }: {
    queue: string
    run: (job: Job) => Promise<JobFacts | void>
    giveUp: (job: Job) => Promise<void>
    /** Ends orders that have no job any more. */
    endForgotten: () => Promise<void>
  },
): Promise<{ stop: () => void }> {
  await jobs.work(queue, { concurrency: 2 }, run)
  // A job comes here only when each delivery of it died. Others end themselves on their last try.
  await jobs.work(`${queue}-dead`, { concurrency: 1 }, giveUp)
  const look = () => {
    endForgotten().catch((error: unknown) => {
      if (isDatabaseAway(error)) log.warn({ err: error, queue }, 'looking for orders is put off')
      else log.error({ err: error, queue }, 'looking for orders failed')
    })
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}

/** Gives up orders that have no job any more, as after a backup was restored. */
export async function giveUpForgotten<Order extends { attempt: number }>(
  { db, queue, log }: { db: Db; queue: Queue; log: Log },
  {
    name,
    orders,
    idOf,
    giveUp,
  }: {
    /** Of their queue. */
    name: string
    orders: readonly Order[]
    idOf: (order: Order) => string
    giveUp: (order: Order) => Promise<void>
  },
): Promise<void> {
  if (orders.length === 0) return
  const jobs = await queue.unfinished(db, [name, `${name}-dead`])
  const keyOf = (order: Order) => `${idOf(order)}:${order.attempt}`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only their room adds to its queues
  const known = new Set(jobs.map((job) => keyOf(job as Order)))
  for (const order of orders.filter((one) => !known.has(keyOf(one)))) {
    log.error({ queue: name, id: idOf(order) }, 'an order is given up: its job is gone')
    await giveUp(order)
  }
}
