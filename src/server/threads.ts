/**
 * Threads for work whose cost grows with its input, so that the event loop stays free for everybody
 * else's requests. What this promises:
 *
 * - A task that takes too long, or too much memory, is ended with its thread; whoever asked is told
 *   so, and the next task gets a new thread.
 * - Owners are served in rotation, as semaphore.ts says: somebody who asks for a hundred files keeps
 *   nobody waiting for more than one of them, and nobody gets a second thread while somebody waits
 *   who has none.
 * - What waits is bounded, in a lane and in all; beyond it a task is refused at once, as `refuseFullLine`
 *   says: a few users who fill their lanes shut nobody out.
 * - One thread is always left to short tasks, so that a PDF of hours holds up no correction.
 * - A task that nobody waits for any more, as its signal says, leaves its lane or is ended.
 *
 * A task is an exported function of a module, `(input, tools) => output`, named by `tasksIn`. What
 * goes in and out is copied, so tasks hand large answers over as bytes.
 */
import { availableParallelism } from 'node:os'
import { workerData } from 'node:worker_threads'

import { Piscina, transferableSymbol, valueSymbol } from 'piscina'

import type { Clock } from '#shared/clock.ts'
import { Refusal, type RefusalCode } from '#shared/refusals.ts'

import type { Database, Db } from './db.ts'
import { codeOf } from './error-codes.ts'
import { type ErrorFacts, errorFrom, factsOf } from './error-facts.ts'
import { threadGivesWay } from './give-way.ts'
import { refuseFullLine, semaphore } from './semaphore.ts'

/** What a thread of the server has for its tasks. */
export interface Tools {
  db: Db
  clock: Clock
}

/** A function that runs in a thread: where it is, and what goes in and out. */
export interface Task<Input, Output> {
  module: string
  name: string
  /** Says nothing but the types. */
  like?: (input: Input) => Output
}

type TaskIn<Work> = Work extends (input: infer Input, ...tools: never[]) => infer Output
  ? Task<Input, Awaited<Output>>
  : never

/** The tasks of a module: `tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))('draw')`. */
export const tasksIn =
  <Module extends object>({ href: module }: URL) =>
  <Name extends keyof Module & string>(name: Name): TaskIn<Module[Name]> =>
    // What goes in and out is known to the compiler alone.
    ({ module, name }) as unknown as TaskIn<Module[Name]>

export interface RunOptions {
  /** Whose work it is. */
  owner: string
  /** Of which kind it is: `edit`. The tasks of one owner and kind are a lane. */
  kind: string
  /** How many tasks may wait in the lane. With `Infinity` none is refused because others wait. */
  most?: number
  limitMs?: number
  /** Called when the line is not too long for it: what it throws refuses the task. */
  admit?: () => void
  /** Takes seconds rather than milliseconds: leaves one thread to what does not. */
  isLong?: boolean
  /** Aborts when nobody waits for the answer any more. Without it the task is always finished. */
  signal?: AbortSignal
}

export interface Threads {
  /**
   * @throws Refusal `too_much_at_once`, `server_busy`, `too_much_work`, and what the task refuses; the
   * reason of the signal
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options: RunOptions): Promise<Output>
  close(): Promise<void>
}

/** Each keeps a core of this machine or of its database busy, and answering requests needs some too. */
const COUNT = Math.max(2, Math.min(4, availableParallelism()))
const MOST_WAITING = 500
const MOST_IN_LANE = 16
const LIMIT_MS = 20_000
/** A word is 300 bytes in memory while its transcript is written, and 12 hours have 100,000. */
const MEMORY_MB = 512
/** Below the thread that answers requests, and above the jobs of nobody who waits. */
const NICENESS = 8
const TOO_MUCH_SECONDS = 60

export function openThreads({
  databaseUrl,
  clock,
  count = COUNT,
  memoryMb = MEMORY_MB,
}: {
  databaseUrl: string
  clock: Clock
  count?: number
  memoryMb?: number
}): Threads {
  const places = semaphore(count, { mostLong: Math.max(1, count - 1) })
  const pool = startPool(
    { databaseUrl, niceness: NICENESS },
    { minThreads: 0, maxThreads: count, resourceLimits: { maxOldGenerationSizeMb: memoryMb } },
  )
  const closing = new AbortController()

  return {
    async run(
      task,
      input,
      { owner, kind, most = MOST_IN_LANE, limitMs = LIMIT_MS, admit, isLong = false, signal },
    ) {
      const unwanted = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      unwanted.throwIfAborted()
      const lane = `${kind}:${owner}`
      const ofAll = most < Infinity ? MOST_WAITING : Infinity
      refuseFullLine(places, lane, { ofLane: most, ofAll })
      admit?.()
      const work = async () => {
        await using _ = await places.take(unwanted, { owner, lane, isLong })
        unwanted.throwIfAborted()
        const limit = AbortSignal.timeout(limitMs)
        // A new thread takes tenths of a second to start. That is less than a long task has left to
        // do, and more than a short one: a short one is finished, and nobody hears its answer.
        const end = isLong && signal ? AbortSignal.any([limit, signal]) : limit
        try {
          return await ask(pool, task, { input, now: clock(), signal: end })
        } catch (error) {
          if (error === limit.reason)
            throw tooMuch(new Error(`${task.name} took more than ${limitMs} ms`))
          throw codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(error) : error
        }
      }
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        work().then(resolve, reject)
      })
    },
    async close() {
      closing.abort(new Error('the server stops'))
      await pool.destroy()
    },
  }
}

/** Runs one task of minutes in a thread of its own, which ends with it or with the signal. */
export async function runAlone<Input, Output>(
  task: Task<Input, Output>,
  input: Input,
  {
    signal,
    niceness = NICENESS,
    databaseUrl = null,
    memoryMb,
    youngMemoryMb,
  }: {
    signal: AbortSignal
    niceness?: number
    /** Where its database is; without it, it has none. */
    databaseUrl?: string | null
    memoryMb?: number
    youngMemoryMb?: number
  },
): Promise<Output> {
  signal.throwIfAborted()
  const resourceLimits = {
    maxOldGenerationSizeMb: memoryMb,
    maxYoungGenerationSizeMb: youngMemoryMb,
  }
  // The least is one, so that the task is given to a thread that starts: if it cannot, the task fails.
  const pool = startPool(
    { databaseUrl, niceness },
    { minThreads: 1, maxThreads: 1, resourceLimits },
  )
  try {
    return await ask(pool, task, { input, now: new Date(), signal })
  } finally {
    await pool.destroy()
  }
}

/** What a thread is started with. Without an address its tasks have no database. */
interface ThreadData {
  databaseUrl: string | null
  niceness: number
}

interface Request {
  module: string
  name: string
  input: unknown
  now: Date
}

type Answer =
  | { kind: 'done'; output: unknown }
  | { kind: 'refused'; code: RefusalCode; message: string; retryAfterSeconds?: number }
  /** The thread's own error would lose its class on the way, and with it what may be said of it. */
  | { kind: 'failed'; error: ErrorFacts }

type Pool = Piscina<Request, Answer>

function startPool(
  data: ThreadData,
  options: Pick<Piscina['options'], 'minThreads' | 'maxThreads' | 'resourceLimits'>,
): Pool {
  const pool: Pool = new Piscina({
    filename: import.meta.url,
    name: perform.name,
    idleTimeout: Infinity,
    // A thread that sleeps between tasks would not see that the database has closed a connection.
    atomics: 'disabled',
    workerData: data,
    ...options,
  })
  // An idle thread can die of what its last task left behind. The next task gets a new one.
  pool.on('error', () => undefined)
  return pool
}

async function ask<Input, Output>(
  pool: Pool,
  { module, name }: Task<Input, Output>,
  { signal, ...request }: { input: Input; now: Date; signal: AbortSignal },
): Promise<Output> {
  const transferList = bytesIn(request.input)
  const answer = await pool
    .run({ module, name, ...request }, { transferList, signal })
    .catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
  if (answer.kind === 'done') return answer.output as Output
  throw answer.kind === 'failed' ? errorFrom(answer.error) : new Refusal(answer.code, answer)
}

/** What a thread does with each request. */
export async function perform({ module, name, input, now }: Request) {
  const { databaseUrl, niceness }: ThreadData = workerData
  threadGivesWay(niceness)
  try {
    const tasks = (await import(module)) as Record<string, (...given: unknown[]) => unknown>
    const task = tasks[name]
    if (!task) throw new Error(`${module} has no task ${name}`)
    const tools = databaseUrl && { db: (await database(databaseUrl)).db, clock: () => now }
    const output = await task(input, tools)
    const answer: Answer = { kind: 'done', output }
    return Piscina.move({ [transferableSymbol]: bytesIn(output), [valueSymbol]: answer })
  } catch (error) {
    if (!(error instanceof Refusal))
      return { kind: 'failed', error: factsOf(error) } satisfies Answer
    const { code, message, retryAfterSeconds } = error
    return { kind: 'refused', code, message, retryAfterSeconds } satisfies Answer
  }
}

let opened: Promise<Database> | undefined

/** A thread opens it with its first task, so that threads without one do not load its driver. */
async function database(connectionString: string): Promise<Database> {
  const { openDatabase } = await import('./db.ts')
  opened ??= openDatabase({ connectionString, max: 2 })
  // A database that is away now may be there for the next task.
  return opened.catch((error: unknown) => {
    opened = undefined
    throw error
  })
}

/** What is handed over instead of copied: bytes that share their memory with nothing else. */
function bytesIn(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return []
  const parts = value instanceof Uint8Array ? [value] : Object.values(value)
  return parts.flatMap((part) =>
    part instanceof Uint8Array &&
    part.buffer instanceof ArrayBuffer &&
    part.byteLength === part.buffer.byteLength
      ? [part.buffer]
      : [],
  )
}

const tooMuch = (cause: unknown): Refusal =>
  new Refusal('too_much_work', { cause, retryAfterSeconds: TOO_MUCH_SECONDS })

/** What a thread answers with: bytes in memory of their own, so that they need not be copied on their way out. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
export const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value))
