/**
 * The connection to PostgreSQL. A function of a room that may run alone or inside a caller's
 * transaction takes a `Queryable`; one that must not run alone takes a `Tx`.
 */
import { DrizzleQueryError, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Client, Pool } from 'pg'
import type { PoolClient, PoolConfig } from 'pg'

import { openListener, type Listener } from './listener.ts'
import { silentLog } from './log.ts'
import type { Log } from './log.ts'
import { preparingClient } from './prepared.ts'

export type Db = NodePgDatabase
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
export type Queryable = Db | Tx

export interface Database {
  db: Db
  pool: Pool
  url: string
  /** Past any pooler: for what needs a session of its own. The same as `url` where there is none. */
  directUrl: string
  /** Whether connections keep what they are asked often: see prepared.ts. */
  prepares: boolean
  /** Listens to a channel of the database; the function it answers ends the listening. */
  listen: Listener['listen']
  close(): Promise<void>
}

const OLDEST_SUPPORTED = 150_000
const DEADLOCK = '40P01'

export async function openDatabase(
  address: string | (PoolConfig & { connectionString: string }),
  {
    log = silentLog,
    directUrl,
    prepares = false,
  }: { log?: Log; directUrl?: string | null; prepares?: boolean } = {},
): Promise<Database> {
  const config = typeof address === 'string' ? { connectionString: address } : address
  const pool = new Pool({
    application_name: 'quoth',
    max: 12,
    keepAlive: true,
    // Also counts waiting for a free connection: a request then fails instead of hanging.
    connectionTimeoutMillis: 10_000,
    ...(prepares ? { Client: preparingClient() } : {}),
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
  // Made once for each connection: each learns the columns of every table it meets anew.
  const ofConnection = new WeakMap<PoolClient, NodePgDatabase>()
  db.transaction = async (work, config) => {
    // Drizzle's own never gives a connection back that dies at `begin`: a few restarts of the
    // database under load would leave the pool without any.
    const client = await pool.connect().catch((error: Error) => {
      // As for every other query: else nobody could tell whose connection was refused.
      throw new DrizzleQueryError('begin', [], error)
    })
    const own = ofConnection.get(client) ?? drizzle(client, { casing: 'snake_case' })
    ofConnection.set(client, own)
    try {
      return await own.transaction(work, config)
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
    prepares,
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

/**
 * A query that is written once for each connection rather than at each call, for what is asked all the
 * time: to put a SELECT of forty columns together takes longer than all else that is done with it.
 * What varies are `sql.placeholder`s. It has no name: what PostgreSQL keeps is for prepared.ts to say.
 */
export function written<Query>(write: (q: Queryable) => { prepare(name: ''): Query }) {
  const known = new WeakMap<object, Query>()
  return (q: Queryable): Query => {
    const { session } = q._
    const query = known.get(session) ?? write(q).prepare('')
    known.set(session, query)
    return query
  }
}

/** Until the transaction ends, nobody else passes here with the same key: they come one by one. */
export async function lock(tx: Tx, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Whether PostgreSQL ended a transaction because it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === DEADLOCK) || isDeadlock(error.cause)
}

/** A long list in parts: a statement takes at most 65,535 parameters. */
export function* inParts<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
