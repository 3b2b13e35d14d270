import { Refusal } from '#shared/refusals.ts'

const MOST_WAITING = 500
const COME_BACK_SECONDS = 5

/** The works that wait under each key while one is done. */
const lines = new Map<string, (() => void)[]>()

/**
 * Runs one work after the other under each key of this process. It is for work that waits for a
 * lock of the database, with one of its few connections in hand. A few hundred calls of one user
 * would leave none to others. Here they wait without one. The lock stays, for other processes.
 *
 * @throws Refusal `too_much_at_once`, and what the work throws
 */
export async function oneByOne<T>(key: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(key)
  if (line && line.length >= MOST_WAITING)
    throw new Refusal('too_much_at_once', { retryAfterSeconds: COME_BACK_SECONDS })
  if (line) await new Promise<void>((begin) => line.push(begin))
  else lines.set(key, [])
  try {
    return await work()
  } finally {
    const next = lines.get(key)?.shift()
    if (next) next()
    else lines.delete(key)
  }
}

interface Look {
  found: Promise<unknown>
  /** Begins when this one has ended, for everybody who has asked meanwhile. */
  next: Promise<unknown> | null
}

/** The look that is under way for each key. */
const looks = new Map<string, Look>()

/**
 * Looks something up under a key. Those who ask while one look is under way share the next, however
 * many they are. So nobody gets an answer from before they asked, and all of them together use one
 * connection to the database. Keys are of one kind of lookup each.
 */
export function together<T>(key: string, look: () => Promise<T>): Promise<T> {
  const begin = (): Promise<unknown> => {
    const found = look().finally(() => {
      if (looks.get(key) === now && !now.next) looks.delete(key)
    })
    const now: Look = { found, next: null }
    looks.set(key, now)
    return found
  }
  const underWay = looks.get(key)
  const found = underWay ? (underWay.next ??= underWay.found.then(begin, begin)) : begin()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key is of one kind of lookup
  return found as Promise<T>
}
