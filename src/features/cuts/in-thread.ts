import type { Recordings } from '#features/documents/documents.ts'
import { recordings } from '#features/transcriptions/said.ts'
import type { Database } from '#server/db.ts'
import { runAlone, tasksIn } from '#server/threads.ts'

import type * as tasks from './tasks.ts'

const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))

const READ_MEMORY_MB = 512

/** For jobs, which may share their event loop with pages: the text of a document is read in a thread. */
export const recordingsAsCutInThread = ({ db, url }: Pick<Database, 'db' | 'url'>): Recordings => ({
  ...recordings(db),
  read: (owned, signal) =>
    runAlone(task('source'), owned, { signal, databaseUrl: url, memoryMb: READ_MEMORY_MB }),
})
