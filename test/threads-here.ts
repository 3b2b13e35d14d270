import type { Threads, Tools } from '#server/threads.ts'

/**
 * The server's threads without a thread: a task runs at once, in this process. To start a thread and
 * load its modules costs more than nearly all tasks. What goes in and out is copied, as between
 * threads. A test of limits, turns or signals takes `openThreads`.
 */
export function threadsHere({ db, clock }: Tools): Threads {
  return {
    async run(task, input, { admit, signal }) {
      signal?.throwIfAborted()
      admit?.()
      const tasks = (await import(task.module)) as Record<string, (...given: unknown[]) => unknown>
      const now = clock()
      const work = tasks[task.name]?.(structuredClone(input), { db, clock: () => now })
      return structuredClone(await work) as never
    },
    close: async () => {},
  }
}
