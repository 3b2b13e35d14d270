/**
 * Threads for work whose cost grows with its input, so that the event loop stays free for everybody
 * else's requests. What this promises:
 *
 * - A task that takes too long, or too much memory, is ended with its thread; its caller is told so,
 *   and the next task gets a new thread.
 * - Owners are served in rotation, as semaphore.ts says: somebody who asks for a hundred files keeps
 *   nobody waiting for more than one of them, and nobody gets a second thread while somebody waits
 *   who has none.
 * - The number of waiting tasks is bounded, in a lane and in all; beyond it a task is refused at once,
 *   as `refuseFullLine` says: a few users who fill their lanes shut nobody out.
 * - One thread is always left to short tasks, so that a PDF of hours holds up no correction.
 * - A task that nobody waits for any more, as its signal says, leaves its lane or is ended.
 * - The first threads have loaded all their tasks before the server says that it is ready. How long
 *   another takes to load, at the priority of the server, is not taken from the time of its task.
 *
 * A task is an exported function of a module, `(input, tools) => output`, named by `tasksIn`. Input and
 * output are copied, so tasks hand large answers over as bytes.
 */
import { availableParallelism } from 'node:os'

import { Piscina } from 'piscina'

import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Db } from './db.ts'
import { codeOf } from './error-codes.ts'
import { errorFrom } from './error-facts.ts'
import { refuseFullLine, semaphore } from './semaphore.ts'
import { type Answer, bytesIn, type Request, type ThreadData } from './thread-requests.ts'

/** The tools of a thread of the server for its tasks. */
export interface Tools {
  db: Db
  clock: Clock
}

/** A function that runs in a thread: its place, its input and its output. */
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
  /** Called when the line is not too long for it: an error of it refuses the task. */
  admit?: () => void
  /** Takes seconds rather than milliseconds: leaves one thread to shorter tasks. */
  isLong?: boolean
  /** Aborts when nobody waits for the answer any more. Without it the task is always finished. */
  signal?: AbortSignal
}

export interface Threads {
  /**
   * @throws Refusal `too_much_at_once`, `server_busy`, `too_much_work`, and the refusals of the task;
   * the reason of the signal
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options: RunOptions): Promise<Output>
  close(): Promise<void>
}

interface Loading {
  /** Settles when no task need wait for a thread to load. */
  ready(): Promise<void>
  close(): Promise<void>
}

/** Each keeps a core of this machine or of its database busy, and answering requests needs some too. */
const COUNT = Math.max(2, Math.min(4, availableParallelism()))
const MOST_WAITING = 500
const MOST_IN_LANE = 16
const LIMIT_MS = 20_000
/** How long a thread may take to start, and to load the module of a task: longer than a living machine needs. */
const LOADING_MS = 120_000
/** A word is 300 bytes in memory while its transcript is written, and 12 hours have 100,000. */
const MEMORY_MB = 512
/** Below the thread that answers requests, and above the jobs of nobody who waits. */
const NICENESS = 8
/** For a kept thread: the most of what its tasks ask for. Each of them may take as much. */
const KEPT_MEMORY_MB = 2_048
const TOO_MUCH_SECONDS = 60

export function openThreads({
  databaseUrl,
  clock,
  modules = [],
  warm = 1,
  count = COUNT,
  memoryMb = MEMORY_MB,
}: {
  databaseUrl: string
  clock: Clock
  /** The modules of all tasks. Each thread loads them before it takes its first task. */
  modules?: readonly string[]
  /** How many threads wait for tasks from the beginning: each is 70 MB. The others start when needed. */
  warm?: number
  count?: number
  memoryMb?: number
}): Threads & Loading {
  const places = semaphore(count, { mostLong: Math.max(1, count - 1) })
  const pool = startPool(
    { databaseUrl, niceness: NICENESS, modules },
    {
      minThreads: warm,
      maxThreads: count,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    },
  )
  const closing = new AbortController()

  return {
    ready: () => pool.loaded(warm),
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
        using limit = limitOf(task.name, limitMs)
        // A new thread takes tenths of a second to start. That is less than a long task has left to
        // do, and more than a short one: a short one is finished, and nobody hears its answer.
        const end = isLong && signal ? AbortSignal.any([limit.signal, signal]) : limit.signal
        try {
          return await pool.ask(task, {
            input,
            now: clock(),
            signal: end,
            hasDatabase: true,
            onBegun: limit.begin,
          })
        } catch (error) {
          const isLate = error === limit.signal.reason
          throw isLate || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(error) : error
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

/** Threads that have loaded and wait for calls of `runAlone`. Each runs one task at a time. */
const kept = new Set<{ pool: Pool; modules: readonly string[]; isBusy: boolean }>()

/** Keeps a thread that has loaded these modules. Starting one takes longer than a short task does. */
export function keepThread({
  databaseUrl,
  modules,
}: {
  databaseUrl: string
  modules: readonly string[]
}): Loading {
  const resourceLimits = { maxOldGenerationSizeMb: KEPT_MEMORY_MB }
  const pool = startPool(
    { databaseUrl, niceness: NICENESS, modules },
    { minThreads: 1, maxThreads: 1, resourceLimits },
  )
  const thread = { pool, modules, isBusy: false }
  kept.add(thread)
  return {
    ready: () => pool.loaded(1),
    async close() {
      kept.delete(thread)
      await pool.destroy()
    },
  }
}

/**
 * Runs one task of minutes in a thread that has no other: one that is kept for it and is free, or its
 * own, which ends with it. A task that asks for another priority, or more memory, than a kept thread
 * has, gets its own. The signal ends task and thread.
 */
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
  const request = { input, now: new Date(), signal, hasDatabase: databaseUrl !== null }
  const isAsKept =
    niceness === NICENESS && youngMemoryMb === undefined && (memoryMb ?? 0) <= KEPT_MEMORY_MB
  const free = [...kept].find(
    ({ isBusy, modules }) => isAsKept && !isBusy && modules.includes(task.module),
  )
  if (free) {
    free.isBusy = true
    return free.pool.ask(task, request).finally(() => (free.isBusy = false))
  }
  const resourceLimits = {
    maxOldGenerationSizeMb: memoryMb,
    maxYoungGenerationSizeMb: youngMemoryMb,
  }
  // At least one thread: with none, a task whose thread cannot start would wait for ever.
  const pool = startPool(
    { databaseUrl, niceness, modules: [task.module] },
    { minThreads: 1, maxThreads: 1, resourceLimits },
  )
  try {
    return await pool.ask(task, request)
  } finally {
    await pool.destroy()
  }
}

type Pool = ReturnType<typeof startPool>

const THREAD = new URL('./thread.ts', import.meta.url)

function startPool(
  data: ThreadData,
  options: Pick<Piscina['options'], 'minThreads' | 'maxThreads' | 'resourceLimits'>,
) {
  const pool = new Piscina<Request, Answer>({
    filename: THREAD.href,
    name: 'perform',
    idleTimeout: Infinity,
    // A thread that sleeps between tasks would not see that the database has closed a connection.
    atomics: 'disabled',
    workerData: data,
    ...options,
  })
  // An idle thread can die of what its last task left behind. The next task gets a new one.
  pool.on('error', () => undefined)
  const waiting = new Map<number, () => void>()
  pool.on('message', (id: number) => waiting.get(id)?.())
  let id = 0

  async function ask<Input, Output>(
    { module, name }: Task<Input, Output>,
    {
      signal,
      onBegun = () => undefined,
      ...request
    }: {
      input: Input
      now: Date
      signal: AbortSignal
      hasDatabase: boolean
      /** Called when the task begins: a thread may have to load first. */
      onBegun?: () => void
    },
  ): Promise<Output> {
    const transferList = bytesIn(request.input)
    const asked = { id: ++id, module, name, ...request }
    waiting.set(asked.id, onBegun)
    const answer = await pool
      .run(asked, { transferList, signal })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        throw error
      })
      .finally(() => waiting.delete(asked.id))
    if (answer.kind === 'done') return answer.output as Output
    throw answer.kind === 'failed' ? errorFrom(answer.error) : new Refusal(answer.code, answer)
  }

  return {
    ask,
    /** Settles when so many threads have loaded. */
    async loaded(count: number): Promise<void> {
      const task: Task<null, void> = { module: THREAD.href, name: 'loaded' }
      const signal = AbortSignal.timeout(LOADING_MS)
      const request = { input: null, now: new Date(), signal, hasDatabase: false }
      await Promise.all(Array.from({ length: count }, () => ask(task, request)))
    },
    destroy: () => pool.destroy(),
  }
}

/** Ends a task that takes too long, from when it has begun. */
function limitOf(name: string, limitMs: number) {
  const late = new AbortController()
  const after = (ms: number, what: string) =>
    setTimeout(() => late.abort(new Error(`${name} took more than ${ms} ms to ${what}`)), ms)
  let timer = after(LOADING_MS, 'begin')
  return {
    signal: late.signal,
    begin() {
      clearTimeout(timer)
      timer = after(limitMs, 'end')
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

const tooMuch = (cause: unknown): Refusal =>
  new Refusal('too_much_work', { cause, retryAfterSeconds: TOO_MUCH_SECONDS })

/**
 * The answer of a thread: bytes in memory of their own, so that they need not be copied on their way
 * out.
 */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
export const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value))
