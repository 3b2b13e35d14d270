import type { Limit } from './state.ts'

/** Lets so many run at once; the others wait for their turn in the order they came. */
export function atMost(count: number): Limit {
  let free = count
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
