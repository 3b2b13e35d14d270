/**
 * Which recordings the tabs of this browser have in hand: they are being made, or are stopped and wait
 * for a word. Each is held by a lock, which the browser gives free when its tab ends, also by a crash.
 * So no tab takes the recording of another for one that was left behind.
 */
const PREFIX = 'recording '
const STOPPED = 'stopped recording '
const CHANNEL = 'recordings'

/** Old browsers have no locks: there nothing is known of other tabs. */
const locks: LockManager | undefined = globalThis.navigator?.locks

export async function heldRecordings(prefixes = [PREFIX, STOPPED]): Promise<ReadonlySet<string>> {
  const { held = [] } = (await locks?.query()) ?? {}
  return new Set(
    held.flatMap(({ name = '' }) => {
      const prefix = prefixes.find((each) => name.startsWith(each))
      return prefix === undefined ? [] : name.slice(prefix.length)
    }),
  )
}

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
  const { promise, resolve } = Promise.withResolvers<void>()
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
  const over = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  locks
    .request(STOPPED + id, () => {
      held.resolve()
      return over.promise
    })
    .catch(() => held.resolve())
  await held.promise
  return over.resolve
}
