import type { Database } from '#server/db.ts'
import { runAlone, tasksIn } from '#server/threads.ts'

import type * as tasks from './tasks.ts'
import type { WorkDeps } from './translations.ts'

export const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))

const READ_MEMORY_MB = 512

/** For jobs, which may share their event loop with pages: what was said is read and hashed in a thread. */
export const translationsInThread =
  ({ url }: Pick<Database, 'url'>): WorkDeps['read'] =>
  (asked, signal) =>
    runAlone(task('source'), asked, { signal, databaseUrl: url, memoryMb: READ_MEMORY_MB })
