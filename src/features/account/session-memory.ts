/**
 * Remembers for a minute which session a token names, so that an open dashboard that asks every two
 * seconds costs the database one statement and not two. What it promises:
 *
 * - A session that ends is forgotten at once: the database tells every process when the end is
 *   committed. What was looked up while that came in is not kept.
 * - Nothing is answered from memory while nobody listens: then the database is asked, as without it.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import type { Log } from '#server/log.ts'

import type { Session } from './sessions.ts'

const KEPT_MS = 60_000
const MOST_KEPT = 20_000
const RECONNECT_MS = 1_000
/** A connection that died without a word is found out by asking it something. */
const PULSE_MS = 2_000
const CHANNEL = 'session_ended'

export interface SessionMemory {
  /** The session that was kept under this key, or what looking it up brings. */
  find(key: string, look: () => Promise<Session | null>): Promise<Session | null>
  /** For a process that has just ended some itself, and need not wait to be told. */
  forgetAll(): void
  /** Whether it answers from memory at the moment. */
  isListening(): boolean
  close(): Promise<void>
}

export function rememberSessions(
  databaseUrl: string,
  { log, now = Date.now }: { log: Log; now?: () => number },
): SessionMemory {
  const kept = new Map<string, { session: Session; until: number }>()
  /** Counts what was forgotten: a look-up that began before does not know of it. */
  let epoch = 0
  let isListening = false
  /** A database that stays away is said once. */
  let isSaid = false
  const closing = new AbortController()
  let client: Client | undefined

  const forget = (isGone: (session: Session) => boolean) => {
    epoch += 1
    for (const [key, { session }] of kept) if (isGone(session)) kept.delete(key)
  }
  const forgetAll = () => {
    epoch += 1
    kept.clear()
  }

  /** Listens until the connection is lost. */
  async function listen(): Promise<void> {
    const connection = new Client({
      connectionString: databaseUrl,
      application_name: 'quoth sessions',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: PULSE_MS,
    })
    client = connection
    const lost = new Promise<void>((resolve) => {
      connection.on('error', () => resolve())
      connection.on('end', () => resolve())
    })
    connection.on('notification', ({ payload }) => forget(({ id }) => id === payload))
    try {
      await connection.connect()
      await connection.query(`listen ${CHANNEL}`)
      isListening = true
      isSaid = false
      let isLost = false
      while (!isLost) {
        isLost = await Promise.race([
          lost.then(() => true),
          sleep(PULSE_MS, false, { signal: closing.signal }),
        ])
        if (!isLost) await connection.query('select 1')
      }
    } finally {
      isListening = false
      forgetAll()
      await Promise.race([connection.end(), sleep(PULSE_MS, undefined, { ref: false })])
    }
  }

  const running = (async () => {
    while (!closing.signal.aborted) {
      await listen().catch((error: unknown) => {
        if (!closing.signal.aborted && !isSaid)
          log.warn({ err: error }, 'sessions are looked up each time: nobody tells when they end')
        isSaid = true
      })
      await sleep(RECONNECT_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {
        // Closing ends the wait early.
      })
    }
  })()

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
    async close() {
      closing.abort()
      await client?.end().catch(() => undefined)
      await running
    },
  }
}
