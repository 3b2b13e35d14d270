/** The thread behind threads.ts: one task after the other, each one request in and one answer out. */
import { parentPort, workerData } from 'node:worker_threads'

import { Refusal } from '#shared/refusals.ts'

import type { Database } from './db.ts'
import { factsOf } from './error-facts.ts'
import { threadGivesWay } from './give-way.ts'
import {
  type ThreadAnswer,
  type ThreadData,
  type ThreadRequest,
  bytesIn,
} from './thread-messages.ts'

const { databaseUrl, niceness }: ThreadData = workerData
threadGivesWay(niceness)

let opened: Promise<Database> | undefined

/** Opened by the first task, so that threads without a database do not load its driver. */
async function database(connectionString: string): Promise<Database> {
  const { openDatabase } = await import('./db.ts')
  opened ??= openDatabase({ connectionString, max: 2 })
  // A database that is away now may be there for the next task.
  return opened.catch((error: unknown) => {
    opened = undefined
    throw error
  })
}

async function answer({ module, name, input, now }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const tasks = (await import(module)) as Record<string, (...given: unknown[]) => unknown>
    const task = tasks[name]
    if (!task) throw new Error(`${module} has no task ${name}`)
    const tools = databaseUrl && { db: (await database(databaseUrl)).db, clock: () => now }
    return { kind: 'done', output: await task(input, tools) }
  } catch (error) {
    if (!(error instanceof Refusal)) return { kind: 'failed', error: factsOf(error) }
    const { code, message, retryAfterSeconds } = error
    return { kind: 'refused', code, message, retryAfterSeconds }
  }
}

const send = (given: ThreadAnswer) =>
  parentPort?.postMessage(given, given.kind === 'done' ? bytesIn(given.output) : [])

parentPort?.on('message', (request: ThreadRequest) => {
  void answer(request).then(send)
})
