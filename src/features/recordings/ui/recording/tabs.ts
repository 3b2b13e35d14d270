/**
 * Which recordings the tabs of this browser have in hand: they are being made, are stopped and wait for
 * a word, or are files that were not sent yet. Each is held by a lock, which the browser gives free when its tab ends, also by a crash.
 * So no tab takes the recording of another for one that was left behind.
 */
import { type WithResolvers, withResolvers } from '#web/with-resolvers.ts'

const PREFIX = 'recording '
const STOPPED = 'stopped recording '
const CHANNEL = 'recordings'

/** Old browsers have no locks: there nothing is known of other tabs. */
const locks: LockManager | undefined = globalThis.navigator?.locks

/** All but those that this tab itself has handed on: here they may be taken once more. */
export async function heldRecordings(prefixes = [PREFIX, STOPPED]): Promise<ReadonlySet<string>> {
  const { held = [] } = (await locks?.query()) ?? {}
  return new Set(
    held.flatMap(({ name = '' }) => {
      const prefix = prefixes.find((each) => name.startsWith(each))
      const id = prefix === undefined ? null : name.slice(prefix.length)
      return id === null || handedOn.has(id) ? [] : id
    }),
  )
}

const handedOn = new Map<string, WithResolvers<void>>()

/**
 * Holds a recording that has become files, until it is sent, thrown away or gone on with: no other tab
 * sends it too.
 */
export function handOn(id: string): void {
  if (handedOn.has(id)) return
  const over = withResolvers<void>()
  handedOn.set(id, over)
  void locks?.request(STOPPED + id, () => over.promise).catch(() => undefined)
}

export function takeBack(id: string): void {
  handedOn.get(id)?.resolve()
  handedOn.delete(id)
}

/** At once where it is not handed on. */
export const whenBack = async (id: string): Promise<void> => handedOn.get(id)?.promise

/** Says to the other tabs that this recording is being made here, and hears of theirs. */
export function holdRecording(
  id: string,
  others: { onBegun: (id: string) => void; onEnded: (id: string) => void },
): () => void {
  if (!locks) return () => undefined
  const over = new AbortController()
  const { signal } = over
  const watch = (other: string) => {
    if (other === id || signal.aborted) return
    others.onBegun(other)
    // Nobody gets the lock before the other has ended.
    locks.request(PREFIX + other, { signal }, () => others.onEnded(other)).catch(() => undefined)
  }
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<string>) => watch(data))
  const { promise, resolve } = withResolvers<void>()
  const holding = locks.request(PREFIX + id, () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
    channel.postMessage(id)
    return promise
  })
  void holding.catch(() => undefined)
  void heldRecordings([PREFIX]).then((held) => {
    for (const other of held) watch(other)
    return undefined
  })
  return () => {
    over.abort()
    channel.close()
    resolve()
  }
}

/**
 * Holds a recording that is stopped. Other tabs leave it alone, and are not told of it: it does not
 * take the microphone from them.
 *
 * @returns what lets it go, once it is held.
 */
export async function holdStopped(id: string): Promise<() => void> {
  if (!locks) return () => undefined
  const over = withResolvers<void>()
  const held = withResolvers<void>()
  locks
    .request(STOPPED + id, () => {
      held.resolve()
      return over.promise
    })
    .catch(() => held.resolve())
  await held.promise
  return over.resolve
}
