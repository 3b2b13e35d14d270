import { createHook } from 'node:async_hooks'

/** Counts the hashes that Node is asked for while the work runs, and how many of them at once. */
export async function hashesDuring(work: () => Promise<unknown>) {
  const running = new Set<number>()
  const counted = { all: 0, atOnce: 0 }
  const hook = createHook({
    init(id, type) {
      if (type !== 'ARGON2REQUEST') return
      running.add(id)
      counted.all += 1
      counted.atOnce = Math.max(counted.atOnce, running.size)
    },
    // The answer is about to be told.
    before: (id) => void running.delete(id),
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return counted
}
