/**
 * What runs in a thread of the server: see threads.ts. A thread loads first and gives way then: on a busy
 * machine it would else take minutes to begin.
 */
import { parentPort, workerData } from 'node:worker_threads'

import { Piscina, transferableSymbol, valueSymbol } from 'piscina'

import { Refusal } from '#shared/refusals.ts'

import type { Database } from './db.ts'
import { factsOf } from './error-facts.ts'
import { threadGivesWay } from './give-way.ts'
import { type Answer, bytesIn, type Request, type ThreadData } from './thread-requests.ts'

const { databaseUrl, niceness, modules }: ThreadData = workerData

async function load(): Promise<void> {
  for (const module of modules) await import(module)
  if (databaseUrl !== null) await import('./db.ts')
  threadGivesWay(niceness)
}

/** What piscina gives each request to, once it is there. */
export const perform = load().then(() => answer)

/** A task that is done when the thread has loaded. */
export const loaded = (): void => undefined

async function answer({ id, module, name, input, now, hasDatabase }: Request) {
  try {
    const tasks = (await import(module)) as Record<string, (...given: unknown[]) => unknown>
    const task = tasks[name]
    if (!task) throw new Error(`${module} has no task ${name}`)
    const tools = hasDatabase && { db: (await database(databaseUrl)).db, clock: () => now }
    // What took time until here was not the task.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    parentPort?.postMessage(id)
    const output = await task(input, tools)
    const done: Answer = { kind: 'done', output }
    return Piscina.move({ [transferableSymbol]: bytesIn(output), [valueSymbol]: done })
  } catch (error) {
    if (!(error instanceof Refusal))
      return { kind: 'failed', error: factsOf(error) } satisfies Answer
    const { code, message, retryAfterSeconds } = error
    return { kind: 'refused', code, message, retryAfterSeconds } satisfies Answer
  }
}

let opened: Promise<Database> | undefined

/** A thread opens it with its first task that asks for it. */
async function database(connectionString: string | null): Promise<Database> {
  if (connectionString === null) throw new Error('this thread has no database')
  const { openDatabase } = await import('./db.ts')
  opened ??= openDatabase({ connectionString, max: 2 })
  // A database that is away now may be there for the next task.
  return opened.catch((error: unknown) => {
    opened = undefined
    throw error
  })
}
