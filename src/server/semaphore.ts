import { Refusal } from '#shared/refusals.ts'

/**
 * A fair semaphore: it has a number of places, and work waits in line for one of them.
 *
 * - The work of one owner and kind is a lane, and has one place at a time. When it gives its place
 *   back, everything else that waits in its lane goes to the end of the line.
 * - A free place goes to the owner who holds the fewest.
 * - Work that says that it is long may have at most `mostLong` of the places.
 */
interface Asker {
  /** Whose work it is. Nobody's is served in the order in which it comes. */
  owner?: unknown
  /** The owner's work of one kind. Without it, all work of the owner is one lane. */
  lane?: unknown
  isLong?: boolean
}

interface Waiting extends Required<Asker> {
  begin: () => void
}

export interface Semaphore {
  /** Waits for a place; leaving the `await using` block gives it back. Aborting leaves the line. */
  take(signal?: AbortSignal, asker?: Asker): Promise<AsyncDisposable>
  /** How many wait, in this lane or in all. */
  waiting(lane?: unknown): number
}

export function semaphore(atOnce: number, { mostLong = atOnce } = {}): Semaphore {
  const atWork = new Set<Waiting>()
  let line: Waiting[] = []

  const working = (isSuch: (each: Waiting) => boolean) => [...atWork].filter(isSuch).length
  const heldBy = (owner: unknown) => working((each) => each.owner === owner)
  const mayBegin = ({ lane, isLong }: Waiting) =>
    working((each) => each.lane === lane) === 0 &&
    !(isLong && working((each) => each.isLong) >= mostLong)

  const leaveLine = (one: Waiting) => {
    line = line.filter((each) => each !== one)
  }
  function serve(): void {
    while (atWork.size < atOnce) {
      let next: Waiting | undefined
      for (const each of line)
        if (mayBegin(each) && (!next || heldBy(each.owner) < heldBy(next.owner))) next = each
      if (!next) return
      leaveLine(next)
      atWork.add(next)
      next.begin()
    }
  }
  function giveBack(place: Waiting): void {
    atWork.delete(place)
    const isBehind = ({ lane }: Waiting) => lane === place.lane
    line = [...line.filter((each) => !isBehind(each)), ...line.filter(isBehind)]
    serve()
  }

  return {
    async take(signal, { owner = Symbol('nobody'), lane = owner, isLong = false } = {}) {
      signal?.throwIfAborted()
      const { promise: begun, resolve: begin, reject } = Promise.withResolvers<void>()
      const asked = { owner, lane, isLong, begin }
      const leave = () => {
        leaveLine(asked)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave)
      line.push(asked)
      serve()
      await begun
      signal?.removeEventListener('abort', leave)
      return { [Symbol.asyncDispose]: async () => giveBack(asked) }
    },
    waiting: (lane) =>
      lane === undefined ? line.length : line.filter((each) => each.lane === lane).length,
  }
}

const COME_BACK_SECONDS = 5

/**
 * Refuses work that would make the line too long. `ofLane` may wait in one lane. Once `ofAll` wait,
 * only a lane in which nothing waits is let in, so that a few who fill their lanes shut nobody out.
 * Once twice `ofAll` wait, nobody is let in.
 *
 * @throws Refusal `too_much_at_once`, `server_busy`
 */
export function refuseFullLine(
  places: Semaphore,
  lane: unknown,
  { ofLane, ofAll }: { ofLane: number; ofAll: number },
): void {
  const ahead = places.waiting(lane)
  const retryAfterSeconds = COME_BACK_SECONDS
  if (ahead >= ofLane) throw new Refusal('too_much_at_once', { retryAfterSeconds })
  if (places.waiting() >= (ahead === 0 ? 2 * ofAll : ofAll))
    throw new Refusal('server_busy', { retryAfterSeconds })
}
