/**
 * The connection to PostgreSQL. A function of a room that may run alone or inside a caller's
 * transaction takes a `Queryable`; one that must not run alone takes a `Tx`.
 */
import { fileURLToPath } from 'node:url'

import { drizzle } from 'drizzle-orm/node-postgres'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import { Client, Pool } from 'pg'
import type { PoolConfig } from 'pg'

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
  close(): Promise<void>
}

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
const OLDEST_SUPPORTED = 150_000
const DEADLOCK = '40P01'
/** Any number, as long as it is ours: two processes that start together migrate one by one. */
const MIGRATION_LOCK = 7_310_583_104

export async function openDatabase(
  address: string | (PoolConfig & { connectionString: string }),
  { log = silentLog }: { log?: Log } = {},
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
  return { db, pool, url: config.connectionString, close: () => pool.end() }
}

/** Whether PostgreSQL ended a transaction because it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === DEADLOCK) || isDeadlock(error.cause)
}

/** Brings the tables and the queue's own schema up to date. Safe to run twice, and at once. */
export async function migrate(database: Database): Promise<void> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    // The lock is the session's: it goes away with the connection, whatever happens.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await runMigrations(drizzle(client, { casing: 'snake_case' }), { migrationsFolder })
    await installQueue(database.url)
  } finally {
    await client.end()
  }
}

/** Tells this database from every other. */
export async function installationId({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select id from installation')
  if (!rows[0]) throw new Error('the database does not know its own id')
  return rows[0].id
}
