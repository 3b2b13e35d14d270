import { afterAll } from 'vitest'

import type * as extraction from '#features/writing/extractive.ts'
import { keepThread, tasksIn } from '#server/threads.ts'

const { module } = tasksIn<typeof extraction>(
  new URL('../src/features/writing/extractive.ts', import.meta.url),
)('extract')

/**
 * Keeps a thread that writes, until the end of the test file, as a worker of the product does. To start
 * one for each summary takes much longer than to write it.
 */
export function keepWritingThread(): void {
  // What it does needs no database.
  const thread = keepThread({ databaseUrl: 'postgres://127.0.0.1:1/none', modules: [module] })
  afterAll(() => thread.close())
}
