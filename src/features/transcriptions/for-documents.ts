import type { Recordings } from '#features/documents/documents.ts'
import type { Database } from '#server/db.ts'
import { runAlone } from '#server/threads.ts'

import { task } from './in-thread.ts'
import { recordings } from './said.ts'

const READ_MEMORY_MB = 512

/** For jobs, which may share their event loop with pages: what was said is read and hashed in a thread. */
export const recordingsInThread = ({ db, url }: Pick<Database, 'db' | 'url'>): Recordings => ({
  ...recordings(db),
  read: (owned, signal) =>
    runAlone(task('source'), owned, { signal, databaseUrl: url, memoryMb: READ_MEMORY_MB }),
})
