import { Refusal } from '#shared/refusals.ts'

const MOST_WAITING = 500
const COME_BACK_SECONDS = 5

interface Line {
  atWork: number
  waiting: (() => void)[]
}
/** How many are at work under each key, and who waits. */
const lines = new Map<string, Line>()

/**
 * Runs at most `atOnce` works under each key of this process. The others wait. It is for work that
 * needs what there is little of: a connection to the database while it waits for a lock, or the
 * event loop. A few hundred calls of one user would leave none of it to others. Here they wait
 * without it.
 *
 * @throws Refusal `too_much_at_once`, and what the work throws
 */
export async function atMost<T>(atOnce: number, key: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(key) ?? { atWork: 0, waiting: [] }
  lines.set(key, line)
  if (line.waiting.length >= MOST_WAITING)
    throw new Refusal('too_much_at_once', { retryAfterSeconds: COME_BACK_SECONDS })
  if (line.atWork < atOnce) line.atWork += 1
  else await new Promise<void>((begin) => line.waiting.push(begin))
  try {
    return await work()
  } finally {
    // Whoever is next gets this place.
    const next = line.waiting.shift()
    if (next) next()
    else line.atWork -= 1
    if (line.atWork === 0) lines.delete(key)
  }
}

/** Runs one work after the other under each key. A lock in the database stays, for other processes. */
export const oneByOne = <T>(key: string, work: () => Promise<T>): Promise<T> => atMost(1, key, work)
