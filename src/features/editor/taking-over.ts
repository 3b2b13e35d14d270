/** What a worker does with corrections and names when a new text takes over. See again.ts. */
import type { TakeOver } from '#features/transcriptions/again.ts'
import type { Database } from '#server/db.ts'
import { runAlone, tasksIn } from '#server/threads.ts'
import type { Clock } from '#shared/clock.ts'

import { type Regrouped, move, writeCarried, writeRegrouped } from './again.ts'
import type * as tasks from './tasks.ts'

const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))
const MEMORY_MB = 1_024

/** For jobs, which may share their event loop with pages. */
export function takeOver({
  database: { url },
  clock,
}: {
  database: Pick<Database, 'url'>
  clock: Clock
}): TakeOver {
  const alone = (signal: AbortSignal) => ({ signal, databaseUrl: url, memoryMb: MEMORY_MB })
  return {
    carry: (asked, signal) => runAlone(task('carry'), asked, alone(signal)),
    regroup: (asked, signal) => runAlone(task('regroup'), asked, alone(signal)),
    move,
    writeCarried: (tx, { carried, ...owned }) =>
      writeCarried({ db: tx, clock }, tx, { ...owned, carried }),
    writeRegrouped: (tx, { regrouped: found, ...owned }) =>
      writeRegrouped({ db: tx, clock }, tx, { ...owned, found: found as Regrouped }),
  }
}
