import type { Cover } from '#features/cuts/veiled-sound.ts'
import { runAlone, tasksIn } from '#server/threads.ts'

import type * as tasks from './tasks.ts'

export const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))

const MEMORY_MB = 1_024

/** For jobs. */
export const coverInThread =
  ({ url: databaseUrl }: { url: string }): Cover =>
  ({ id }) =>
    runAlone(
      task('cover'),
      { id },
      { signal: new AbortController().signal, databaseUrl, memoryMb: MEMORY_MB },
    )
