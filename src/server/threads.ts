/**
 * Threads for work whose cost grows with its input, so that the event loop stays free for everybody
 * else's requests. What this promises:
 *
 * - A task that takes too long, or too much memory, is ended with its thread; whoever asked is told
 *   so, and the next task gets a new thread.
 * - Owners take turns as turns.ts says: somebody who asks for a hundred files keeps nobody waiting for
 *   more than one of them, and nobody gets a second thread while somebody waits who has none.
 * - What waits is bounded, in a lane and in all; beyond it a task is refused at once, as `refuseFull`
 *   says: a few users who fill their lanes shut nobody out.
 * - One thread is always left to short tasks, so that a PDF of hours holds up no correction.
 * - A task that nobody waits for any more, as its signal says, leaves its lane or is ended.
 *
 * A task is an exported function of a module, `(input, tools) => output`, named by `tasksIn`. What
 * goes in and out is copied, so tasks hand large answers over as bytes.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Db } from './db.ts'
import {
  type ThreadAnswer,
  type ThreadData,
  type ThreadRequest,
  bytesIn,
  errorOf,
} from './thread-messages.ts'
import { refuseFull, turns } from './turns.ts'

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
  /** So many tasks may wait in the lane. With `Infinity` none is refused for what waits, here or in all. */
  room?: number
  limitMs?: number
  /** Called when there is room for it: what it throws refuses the task. */
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
const LANE_ROOM = 16
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
  const places = turns(count, { mostLong: Math.max(1, count - 1) })
  const threads = new Set<Thread>()
  const idle: Thread[] = []
  const closing = new AbortController()

  /** One that has nothing to do, or a new one: an idle thread dies of what its last task left behind. */
  function takeThread(): Thread {
    for (let thread = idle.pop(); thread; thread = idle.pop()) {
      if (!thread.isOver()) return thread
      void remove(thread)
    }
    const thread = startThread({ databaseUrl }, { name: 'tasks', memoryMb })
    threads.add(thread)
    return thread
  }

  async function remove(thread: Thread): Promise<void> {
    await thread.end()
    threads.delete(thread)
  }

  return {
    run(
      task,
      input,
      { owner, kind, room = LANE_ROOM, limitMs = LIMIT_MS, admit, isLong = false, signal },
    ) {
      const unwanted = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      return new Promise((resolve, reject) => {
        unwanted.throwIfAborted()
        const lane = `${kind}:${owner}`
        const ofAll = room < Infinity ? MOST_WAITING : Infinity
        refuseFull(places, lane, { ofLane: room, ofAll })
        admit?.()
        signal?.addEventListener('abort', () => reject(signal.reason))
        // A new thread takes tenths of a second to start. That is less than a long task has left to
        // do, and more than a short one: a short one is finished, and nobody hears its answer.
        const endsWith = isLong ? signal : undefined
        const work = async () => {
          await using _ = await places.take(unwanted, { owner, lane, isLong })
          unwanted.throwIfAborted()
          const thread = takeThread()
          await thread
            .ask(task, { input, now: clock(), limitMs, signal: endsWith })
            .then(resolve, (error: unknown) =>
              reject(isOutOfMemory(error) ? tooMuch(error) : error),
            )
          // One that is over holds its place until it has ended: no more run than there are places.
          if (thread.isOver()) await remove(thread)
          else idle.push(thread)
        }
        work().catch(reject)
      })
    },
    async close() {
      closing.abort(new Error('the server stops'))
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}

/**
 * Runs one task of minutes in a thread of its own, which ends with it. Aborting the signal ends the
 * thread before this rejects.
 */
export async function runAlone<Input, Output>(
  task: Task<Input, Output>,
  input: Input,
  {
    signal,
    niceness = NICENESS,
    databaseUrl = null,
    ...memory
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
  const thread = startThread({ databaseUrl, niceness }, { name: task.name, ...memory })
  try {
    return await thread.ask(task, { input, now: new Date(), signal })
  } finally {
    await thread.end()
  }
}

interface Thread {
  ask<Input, Output>(task: Task<Input, Output>, request: AskOptions<Input>): Promise<Output>
  end(): Promise<void>
  isOver(): boolean
}

interface AskOptions<Input> {
  input: Input
  now: Date
  limitMs?: number
  signal?: AbortSignal | undefined
}

function startThread(
  data: Pick<ThreadData, 'databaseUrl'> & { niceness?: number },
  { name, memoryMb, youngMemoryMb }: { name: string; memoryMb?: number; youngMemoryMb?: number },
): Thread {
  const workerData: ThreadData = { niceness: NICENESS, ...data }
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    name,
    workerData,
    resourceLimits: {
      ...(memoryMb === undefined ? {} : { maxOldGenerationSizeMb: memoryMb }),
      ...(youngMemoryMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMemoryMb }),
    },
  })
  let isOver = false
  let asked: { resolve: (output: unknown) => void; reject: (reason: unknown) => void } | null = null
  // Whoever waits is told at once: of a thread that has ended already, no event will tell.
  const fail = (reason: unknown) => {
    isOver = true
    asked?.reject(reason)
  }
  worker.on('message', (answer: ThreadAnswer) => {
    if (answer.kind === 'done') asked?.resolve(answer.output)
    else asked?.reject(errorOf(answer))
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`a thread ended with code ${code} and no answer`)))
  const end = async () => {
    isOver = true
    await worker.terminate()
  }
  return {
    async ask(task, { input, now, limitMs, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      asked = { resolve, reject }
      const stop = (reason: unknown) => {
        fail(reason)
        void end()
      }
      const abort = () => stop(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      const tooLong = () => stop(tooMuch(new Error(`${task.name} took more than ${limitMs} ms`)))
      const timer = limitMs === undefined ? undefined : setTimeout(tooLong, limitMs)
      try {
        const { module, name: work } = task
        worker.postMessage(
          { module, name: work, input, now } satisfies ThreadRequest,
          bytesIn(input),
        )
        return (await promise) as never
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        asked = null
      }
    },
    end,
    isOver: () => isOver,
  }
}

const tooMuch = (cause: unknown): Refusal =>
  new Refusal('too_much_work', { cause, retryAfterSeconds: TOO_MUCH_SECONDS })

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** What a thread answers with: bytes in memory of their own, so that they need not be copied on their way out. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
export const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value))
