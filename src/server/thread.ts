/**
 * The code of a thread of the server: see threads.ts. A thread loads its modules at full priority, and
 * lowers its priority only then. Otherwise loading would take minutes on a busy machine.
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

/** The function that piscina calls for each request. It waits for this promise first. */
export const perform = load().then(() => answer)

/** Does nothing. It runs when the thread has loaded, so its answer says that the thread has. */
export const loaded = (): void => undefined

async function answer({ id, module, name, input, now, hasDatabase }: Request) {
  try {
    const tasks = (await import(module)) as Record<string, (...given: unknown[]) => unknown>
    const task = tasks[name]
    if (!task) throw new Error(`${module} has no task ${name}`)
    const tools = hasDatabase && { db: (await database(databaseUrl)).db, clock: () => now }
    // The time limit of the task begins here: loading does not count.
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

/** The thread's own connections, opened for the first task that needs the database. */
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
