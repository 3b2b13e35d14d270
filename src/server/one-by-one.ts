import { Refusal } from '#shared/refusals.ts'

const MOST_WAITING = 500
const COME_BACK_SECONDS = 5
/** Who waits under each key that somebody is at work under. */
const lines = new Map<string, (() => void)[]>()

/**
 * Runs one work after the other under each key of this process. For what waits for one lock in the
 * database: whoever waits there holds a connection, and a few hundred calls of one user would leave
 * none to anybody else. Here they wait without one. The lock stays, for other processes.
 *
 * @throws Refusal `too_much_at_once`, and what the work throws
 */
export async function oneByOne<T>(key: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(key) ?? []
  if (line.length >= MOST_WAITING)
    throw new Refusal('too_much_at_once', { retryAfterSeconds: COME_BACK_SECONDS })
  if (lines.has(key)) await new Promise<void>((begin) => line.push(begin))
  else lines.set(key, line)
  try {
    return await work()
  } finally {
    const next = line.shift()
    if (next) next()
    else lines.delete(key)
  }
}
