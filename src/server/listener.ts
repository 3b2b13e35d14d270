/**
 * Hears what the database tells (LISTEN), on one connection of its own per process. What it promises:
 *
 * - `began` is called only once it is proven that notifications arrive, and `lost` as soon as that
 *   is in doubt. The proof is a notification that this process sends itself over another connection.
 *   Nothing less will do: behind a pooler that gives out connections for one transaction at a time,
 *   LISTEN succeeds, `pg_listening_channels()` says so, and no notification ever comes.
 * - A connection that is lost is opened again, for as long as anybody listens.
 */
import { randomUUID } from 'node:crypto'

import { Client, escapeIdentifier } from 'pg'

import type { Log } from './log.ts'

interface Ear {
  heard(payload: string): void
  /** From now on everything is heard. What was told before may have been missed. */
  began(): void
  /** From now on something may be missed. */
  lost(): void
  /** How often it is proven that notifications arrive. */
  pulseMs: number
}

export interface Listener {
  /** The function it answers ends the listening. */
  listen(channel: string, ear: Ear): () => void
  close(): Promise<void>
}

/** The longest a notification of our own may take to come back. */
const HEARD_WITHIN_MS = 4_000
const RECONNECT_MS = 1_000
const RECONNECT_MOST_MS = 30_000
const END_MS = 2_000

const UNHEARD =
  'notifications of the database do not arrive: sessions are looked up each time, and new jobs are ' +
  'found within a second. Behind a pooler in transaction mode, set DATABASE_DIRECT_URL'

export function openListener({
  url,
  notify,
  log,
}: {
  url: string
  /** Sends a notification over another connection. */
  notify: (channel: string, payload: string) => Promise<unknown>
  log: Log
}): Listener {
  const pulse = `quoth_pulse_${randomUUID()}`
  const ears = new Map<Ear, { channel: string; isHearing: boolean }>()
  const closing = new AbortController()
  let running: Promise<void> | undefined
  let client: Client | undefined
  let wake = () => {}
  let isSaid = false
  let failures = 0

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve
      setTimeout(resolve, ms).unref()
    })

  /** Listens until the connection is lost, or proves to be of no use. */
  async function hear(): Promise<void> {
    const connection = new Client({
      connectionString: url,
      application_name: 'quoth listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: HEARD_WITHIN_MS,
    })
    client = connection
    let echo = (_payload: string) => {}
    let fail = (_error: Error) => {}
    const failed = new Promise<never>((_, reject) => (fail = reject))
    failed.catch(() => undefined) // whoever waits for something else at that moment hears of it next
    connection.on('error', (error) => fail(error))
    connection.on('end', () => fail(new Error('the connection that listens has ended')))
    connection.on('notification', ({ channel, payload = '' }) => {
      if (channel === pulse) echo(payload)
      for (const [ear, each] of ears) if (each.channel === channel) ear.heard(payload)
    })

    async function prove(): Promise<void> {
      const sent = randomUUID()
      const heard = new Promise<void>((resolve) => {
        echo = (payload) => payload === sent && resolve()
      })
      const late = setTimeout(
        () => fail(new Error('a notification did not arrive')),
        HEARD_WITHIN_MS,
      )
      try {
        await Promise.race([Promise.all([notify(pulse, sent), heard]), failed])
      } finally {
        clearTimeout(late)
      }
    }

    const listened = new Set<string>()
    try {
      // pg never settles the promise of a connection that is ended while it connects.
      await Promise.race([connection.connect(), failed])
      while (!closing.signal.aborted) {
        const waiting = [...ears].filter(([, { isHearing }]) => !isHearing)
        for (const channel of [pulse, ...waiting.map(([, each]) => each.channel)]) {
          if (listened.has(channel)) continue
          await connection.query(`listen ${escapeIdentifier(channel)}`)
          listened.add(channel)
        }
        await prove()
        isSaid = false
        failures = 0
        for (const [ear, each] of waiting) {
          if (!ears.has(ear)) continue
          each.isHearing = true
          ear.began()
        }
        const isAnybodyNew = [...ears.values()].some(({ isHearing }) => !isHearing)
        const pulseMs = Math.min(...[...ears.keys()].map((ear) => ear.pulseMs), RECONNECT_MOST_MS)
        if (!isAnybodyNew) await Promise.race([pause(pulseMs), failed])
      }
    } finally {
      for (const [ear, each] of ears) {
        if (each.isHearing) ear.lost()
        each.isHearing = false
      }
      await Promise.race([connection.end().catch(() => undefined), pause(END_MS)])
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await hear().catch((error: unknown) => {
        if (!closing.signal.aborted && !isSaid) log.warn({ err: error }, UNHEARD)
        isSaid = true
      })
      if (closing.signal.aborted) return
      await pause(Math.min(RECONNECT_MS * 2 ** failures++, RECONNECT_MOST_MS))
    }
  }

  return {
    listen(channel, ear) {
      ears.set(ear, { channel, isHearing: false })
      running ??= run()
      wake()
      return () => void ears.delete(ear)
    },
    async close() {
      closing.abort()
      wake()
      await client?.end().catch(() => undefined)
      await running
    },
  }
}
