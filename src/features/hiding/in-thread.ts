import { tasksIn } from '#server/threads.ts'

import type * as tasks from './tasks.ts'

export const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))
