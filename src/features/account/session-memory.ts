/**
 * Remembers for a minute which session a token names, so that an open dashboard that asks every two
 * seconds costs the database one statement and not two. What it promises:
 *
 * - A session that ends is forgotten at once: the database tells every process when the end is
 *   committed. What was looked up while that came in is not kept.
 * - Nothing is answered from memory while nobody listens: then the database is asked, as without it.
 */
import type { Database } from '#server/db.ts'

import type { Session } from './sessions.ts'

const KEPT_MS = 60_000
const MOST_KEPT = 20_000
/** How often it is made sure that ends are heard of. */
const PULSE_MS = 2_000
const CHANNEL = 'session_ended'

export interface SessionMemory {
  /** The session that was kept under this key, or what looking it up brings. */
  find(key: string, look: () => Promise<Session | null>): Promise<Session | null>
  /** For a process that has just ended some itself, and need not wait to be told. */
  forgetAll(): void
  /** Whether it answers from memory at the moment. */
  isListening(): boolean
  close(): void
}

export function rememberSessions(
  database: Pick<Database, 'listen'>,
  { now = Date.now }: { now?: () => number } = {},
): SessionMemory {
  const kept = new Map<string, { session: Session; until: number }>()
  /** Counts what was forgotten: a look-up that began before does not know of it. */
  let epoch = 0
  let isListening = false

  const forgetAll = () => {
    epoch += 1
    kept.clear()
  }
  const stop = database.listen(CHANNEL, {
    pulseMs: PULSE_MS,
    heard(ended) {
      epoch += 1
      for (const [key, { session }] of kept) if (session.id === ended) kept.delete(key)
    },
    began: () => (isListening = true),
    lost() {
      isListening = false
      forgetAll()
    },
  })

  return {
    async find(key, look) {
      const known = kept.get(key)
      if (isListening && known && known.until > now()) return known.session
      const before = epoch
      const session = await look()
      if (session && isListening && epoch === before) {
        if (kept.size >= MOST_KEPT) kept.clear()
        kept.set(key, { session: { ...session, isProlonged: false }, until: now() + KEPT_MS })
      }
      return session
    },
    forgetAll,
    isListening: () => isListening,
    close() {
      stop()
      isListening = false
    },
  }
}
