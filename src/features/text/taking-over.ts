/** The part of a job that runs in a thread of its own when a new text takes over. See carried.ts. */
import { runAlone, tasksIn } from '#server/threads.ts'

import type * as carried from './carried.ts'
import type * as tasks from './tasks.ts'

const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))
const MEMORY_MB = 1_024

interface Alone {
  databaseUrl: string | undefined
  signal: AbortSignal
}

/** Carries corrections and names over to a new text. A job may share its event loop with pages. */
export const carry = (asked: Parameters<typeof carried.carry>[1], alone: Alone) =>
  runAlone(task('carry'), asked, optionsOf(alone))

/** Gives the words that there are to other speakers: what is to be written then. */
export const regroup = (asked: Parameters<typeof carried.regroup>[1], alone: Alone) =>
  runAlone(task('regroup'), asked, optionsOf(alone))

function optionsOf({ databaseUrl, signal }: Alone) {
  if (databaseUrl === undefined) throw new Error('a thread was asked for without its database')
  return { databaseUrl, signal, memoryMb: MEMORY_MB }
}
