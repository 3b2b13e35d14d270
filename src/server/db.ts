/**
 * The connection to PostgreSQL. A function of a room that may run alone or inside a caller's
 * transaction takes a `Queryable`; one that must not run alone takes a `Tx`.
 */
import { DrizzleQueryError, sql } from 'drizzle-orm'
import { type NodePgDatabase, drizzle } from 'drizzle-orm/node-postgres'
import { PgTransaction } from 'drizzle-orm/pg-core'
import { Client, Pool, type PoolConfig } from 'pg'

import { codesOf } from './error-codes.ts'
import { silentLog, type Log } from './log.ts'

export type Db = NodePgDatabase
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
export type Queryable = Db | Tx

export interface Database extends AsyncDisposable {
  db: Db
  pool: Pool
  url: string
  /** Past any pooler: for what needs a session of its own. The same as `url` where there is none. */
  directUrl: string
  close(): Promise<void>
}

const OLDEST_SUPPORTED = 150_000
const CONNECT_MS = 10_000
const DEADLOCK = '40P01'
const DUPLICATE = '23505'

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
    connectionTimeoutMillis: CONNECT_MS,
    ...config,
  })
  // Without a listener, a connection that dies (a database restart) ends the process, whether it is
  // idle or between two statements of a transaction.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      // A server that stops its own database may do so before the last connection has closed.
      if (!pool.ending) log.warn({ err: error }, 'a database connection was lost')
    })
  })
  pool.on('error', () => undefined) // the connection itself has said so
  try {
    const { rows } = await pool.query<{ version: string; jit: string }>(
      `select current_setting('server_version_num') as version, current_setting('jit') as jit`,
    )
    if (Number(rows[0]?.version) < OLDEST_SUPPORTED) {
      throw new Error('The database is older than PostgreSQL 15. Please use version 15 or later.')
    }
    if (rows[0]?.jit === 'on')
      await pool.query(keepJitOff).catch((error: unknown) => {
        log.warn({ event: 'jit_stays_on', err: error }, 'searches and questions may be slow')
      })
    if (directUrl) await tryOut(directUrl)
  } catch (error) {
    await pool.end()
    throw error
  }
  const db = drizzle(pool, { casing: 'snake_case' })
  db.transaction = async (work, config) => {
    // Drizzle's own never gives a connection back that dies at `begin`: a few restarts of the
    // database under load would leave the pool without any. And where it cannot roll back, it tells
    // of that instead of what failed before.
    const client = await pool.connect().catch((error: Error) => {
      // As for every other query: else nobody could tell whose connection was refused.
      throw new DrizzleQueryError('begin', [], error)
    })
    let failure: unknown
    let isBroken = false
    try {
      return await drizzle(client, { casing: 'snake_case' }).transaction(async (tx) => {
        try {
          return await work(tx)
        } catch (error) {
          failure = error
          throw error
        }
      }, config)
    } catch (error) {
      isBroken = error !== failure
      throw failure ?? error
    } finally {
      client.release(isBroken)
    }
  }
  const url = config.connectionString
  const close = () => pool.end()
  return { db, pool, url, directUrl: directUrl ?? url, close, [Symbol.asyncDispose]: close }
}

/**
 * PostgreSQL compiles a query that it takes for expensive, which makes a question of 10 ms one of more
 * than 500. The setting is kept for our role in our database, so that each connection begins with it:
 * those of the queue, of threads, of listeners and of tools too. PgBouncer refuses settings that come
 * with a connection, and hands on a connection with a setting of one client to the next one.
 */
const keepJitOff = `
  do $$ begin
    perform pg_advisory_xact_lock(hashtextextended('quoth jit', 0));
    execute format('alter role current_user in database %I set jit = off', current_database());
    perform set_config('jit', 'off', false);
  end $$`

async function tryOut(directUrl: string): Promise<void> {
  await using _ = await connectAlone(directUrl, 'quoth').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`DATABASE_DIRECT_URL: ${reason}`, { cause: error })
  })
}

/** A connection of its own, which is in no pool and ends with its scope. */
export async function connectAlone(connectionString: string, name: string) {
  const client = new Client({
    connectionString,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined) // the statement that runs rejects too
  await client.connect()
  const end = () => client.end().catch(() => undefined)
  return Object.assign(client, { [Symbol.asyncDispose]: end })
}

export const isTx = (db: Queryable): db is Tx => db instanceof PgTransaction

/** Until the transaction ends, nobody else passes here with the same key: they come one by one. */
export async function lock(tx: Tx, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** The same, without waiting: false where somebody else has the lock. */
export async function tryLock(tx: Tx, key: string): Promise<boolean> {
  const { rows } = await tx.execute<{ isOurs: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as "isOurs"`,
  )
  return rows[0]?.isOurs === true
}

/** Whether PostgreSQL ended a transaction because it and another waited for each other. */
export const isDeadlock = (error: unknown): boolean => codesOf(error).includes(DEADLOCK)

/** Whether PostgreSQL refused a row because another one has its place. */
export const isDuplicate = (error: unknown): boolean => codesOf(error).includes(DUPLICATE)

/** A long list in parts: a statement takes at most 65,535 parameters. */
export function* inParts<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
