/**
 * The connection to PostgreSQL. A function of a room that may run alone or inside a caller's
 * transaction takes a `Queryable`; one that must not run alone takes a `Tx`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { drizzle } from 'drizzle-orm/node-postgres'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import { Client, Pool } from 'pg'
import type { PoolConfig } from 'pg'

import { openListener, type Listener } from './listener.ts'
import { silentLog } from './log.ts'
import type { Log } from './log.ts'
import { installQueue } from './queue.ts'

export type Db = NodePgDatabase
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
export type Queryable = Db | Tx

export interface Database {
  db: Db
  pool: Pool
  url: string
  /** Past any pooler: for what needs a session of its own. The same as `url` where there is none. */
  directUrl: string
  /** Listens to a channel of the database; the function it answers ends the listening. */
  listen: Listener['listen']
  close(): Promise<void>
}

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
const OLDEST_SUPPORTED = 150_000
const DEADLOCK = '40P01'
/** Any number, as long as it is ours: two processes that start together migrate one by one. */
const MIGRATION_LOCK = 7_310_583_104
const LOCK_CHECK_MS = 250
/** How often somebody who waits for the lock says so. */
const LOCK_SAID_MS = 10_000

export async function openDatabase(
  address: string | (PoolConfig & { connectionString: string }),
  { log = silentLog, directUrl }: { log?: Log; directUrl?: string | null } = {},
): Promise<Database> {
  const config = typeof address === 'string' ? { connectionString: address } : address
  const pool = new Pool({
    application_name: 'quoth',
    max: 12,
    keepAlive: true,
    // Also counts waiting for a free connection: a request then fails instead of hanging.
    connectionTimeoutMillis: 10_000,
    ...config,
  })
  // Without a listener, a connection that dies (a database restart) ends the process, whether it is
  // idle or between two statements of a transaction.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  })
  pool.on('error', () => undefined) // the connection itself has said so
  try {
    const { rows } = await pool.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    if (Number(rows[0]?.version) < OLDEST_SUPPORTED) {
      throw new Error('The database is older than PostgreSQL 15. Please use version 15 or later.')
    }
    if (directUrl) await tryOut(directUrl)
  } catch (error) {
    await pool.end()
    throw error
  }
  const db = drizzle(pool, { casing: 'snake_case' })
  db.transaction = async (work, config) => {
    // Drizzle's own never gives a connection back that dies at `begin`: a few restarts of the
    // database under load would leave the pool without any.
    const client = await pool.connect()
    try {
      return await drizzle(client, { casing: 'snake_case' }).transaction(work, config)
    } finally {
      client.release()
    }
  }
  const url = config.connectionString
  const listener = openListener({
    url: directUrl ?? url,
    notify: (channel, payload) => pool.query('select pg_notify($1, $2)', [channel, payload]),
    log,
  })
  return {
    db,
    pool,
    url,
    directUrl: directUrl ?? url,
    listen: listener.listen,
    async close() {
      await listener.close()
      await pool.end()
    },
  }
}

async function tryOut(directUrl: string): Promise<void> {
  const client = new Client({ connectionString: directUrl, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`DATABASE_DIRECT_URL: ${reason}`, { cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Whether PostgreSQL ended a transaction because it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === DEADLOCK) || isDeadlock(error.cause)
}

/** Brings the tables and the queue's own schema up to date. Safe to run twice, and at once. */
export async function migrate(
  { directUrl }: Pick<Database, 'directUrl'>,
  { log = silentLog }: { log?: Log } = {},
): Promise<void> {
  const connect = () => {
    const connectionString = directUrl
    const client = new Client({ connectionString, application_name: 'quoth migrations' })
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
    return client
  }
  const holder = connect()
  const client = connect()
  await holder.connect()
  try {
    await lockMigrations(holder, log)
    await client.connect()
    await runMigrations(drizzle(client, { casing: 'snake_case' }), { migrationsFolder })
    await client.end()
    await installQueue(directUrl)
    await holder.query('commit')
  } finally {
    await Promise.allSettled([client.end(), holder.end()])
  }
}

/**
 * Begins a transaction that holds the lock. A transaction and not a session, because behind a pooler
 * a session outlives whoever used it, with its locks. Asks again and again instead of waiting inside
 * the database, so that it can say what it waits for and takes no connection of a pooler meanwhile.
 */
async function lockMigrations(holder: Client, log: Log): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOCK_CHECK_MS) {
    await holder.query('begin')
    // While others migrate it has nothing to say for longer than an operator may allow.
    await holder.query(`
      select set_config(name, '0', true) from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`)
    const asked = `select pg_try_advisory_xact_lock($1) as "isOurs"`
    const { rows } = await holder.query<{ isOurs: boolean }>(asked, [MIGRATION_LOCK])
    if (rows[0]?.isOurs) return
    await holder.query('rollback')
    if (waitedMs % LOCK_SAID_MS === 0) {
      const holders = await holdersOf(holder, MIGRATION_LOCK)
      log.warn(
        { holders },
        'waiting for the lock under which another process migrates the database',
      )
    }
    await sleep(LOCK_CHECK_MS)
  }
}

/** Whose sessions hold a lock: enough for an operator to find them, and to end one left behind. */
async function holdersOf(client: Client, lock: number): Promise<unknown[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    `select pid, application_name as "application", client_addr as "address", state,
       backend_start as "connectedAt"
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1
       and classid::bigint = $1::bigint >> 32 and objid::bigint = $1::bigint & 4294967295`,
    [lock],
  )
  return rows
}

/** A long list in parts: a statement takes at most 65,535 parameters. */
export function* inParts<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
