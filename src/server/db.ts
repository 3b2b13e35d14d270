/**
 * The connection to PostgreSQL. A function of a room that may run alone or inside a caller's
 * transaction takes a `Queryable`; one that must not run alone takes a `Tx`.
 */
import { DrizzleQueryError, type ExtractTablesWithRelations, sql } from 'drizzle-orm'
import { NodePgSession, NodePgTransaction, drizzle } from 'drizzle-orm/node-postgres'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import { Client, Pool } from 'pg'
import type { PoolClient, PoolConfig } from 'pg'

import { connectionsOf } from './connections.ts'
import { openListener, type Listener } from './listener.ts'
import { silentLog } from './log.ts'
import type { Log } from './log.ts'

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

type NoSchema = Record<string, never>

const OLDEST_SUPPORTED = 150_000
const DEADLOCK = '40P01'
const DUPLICATE = '23505'

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
    ...connectionsOf({ prepares }),
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
  const dialect = new PgDialect({ casing: 'snake_case' })
  const ofConnection = new WeakMap<PoolClient, NodePgSession<NoSchema, NoSchema>>()
  db.transaction = async (work, config) => {
    // Drizzle's own never gives a connection back that dies at `begin`: a few restarts of the
    // database under load would leave the pool without any.
    const client = await pool.connect().catch((error: Error) => {
      // As for every other query: else nobody could tell whose connection was refused.
      throw new DrizzleQueryError('begin', [], error)
    })
    const session = ofConnection.get(client) ?? new NodePgSession(client, dialect, undefined)
    ofConnection.set(client, session)
    const tx: Tx = new NodePgTransaction<NoSchema, ExtractTablesWithRelations<NoSchema>>(
      dialect,
      session,
      undefined,
    )
    let isBroken = false
    try {
      // The first statements of the work go out with it: where it fails, the connection is dead, and
      // they fail too.
      const begun = session.execute(sql`begin`)
      begun.catch(() => undefined)
      try {
        if (config) await tx.setTransaction(config)
        const result = await work(tx)
        await begun
        await session.execute(sql`commit`)
        for (const act of toDo.get(session) ?? []) act()
        return result
      } catch (error) {
        // What went wrong first is what is told. Only a connection that is lost rolls nothing back.
        await session.execute(sql`rollback`).catch(() => (isBroken = true))
        throw error
      }
    } finally {
      toDo.delete(session)
      client.release(isBroken)
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

/**
 * A query that is written once for each connection rather than at each call, for what is asked all the
 * time: to put a SELECT of forty columns together takes longer than all else that is done with it.
 * It is sent when it is called: what is called after it in the same turn goes out with it, in this order.
 * What varies are `sql.placeholder`s. It has no name: what PostgreSQL keeps is for connections.ts to say.
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

/**
 * For what is asked together in one transaction. All have ended when this does, also where one throws:
 * what would be asked after the transaction has ended would be written by itself.
 */
export async function together<Asked extends readonly PromiseLike<unknown>[]>(...asked: Asked) {
  // A query of drizzle is asked whenever somebody begins to wait for it.
  const answers = asked.map((each) => Promise.resolve(each))
  await Promise.allSettled(answers)
  return Promise.all(answers) as Promise<{ [Each in keyof Asked]: Awaited<Asked[Each]> }>
}

/**
 * Asks with a text that is there already, as PostgreSQL reads it. Drizzle's `sql` puts the same text
 * together anew at each call. It is sent when it is called.
 */
export async function ask(
  { _: { session } }: Queryable,
  text: string,
  values: unknown[],
): Promise<{ rows: unknown[] }> {
  const query = session.prepareQuery({ sql: text, params: values }, undefined, undefined, false)
  return query.execute() as Promise<{ rows: unknown[] }>
}

/** What is to be done after the commit, by the session of the transaction. */
const toDo = new WeakMap<object, Set<() => void>>()

/**
 * Calls `act` after the transaction is committed: once, even where it is given several times. Not where
 * the transaction is rolled back, or the process ends before. `act` must not throw.
 */
export function afterCommit({ _: { session } }: Tx, act: () => void): void {
  toDo.set(session, (toDo.get(session) ?? new Set()).add(act))
}

/** Until the transaction ends, nobody else passes here with the same key: they come one by one. */
export async function lock(tx: Tx, key: string): Promise<void> {
  await ask(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
}

/** Whether PostgreSQL ended a transaction because it and another waited for each other. */
export const isDeadlock = (error: unknown): boolean => hasCode(error, DEADLOCK)

/** Whether PostgreSQL refused a row because another one has its place. */
export const isDuplicate = (error: unknown): boolean => hasCode(error, DUPLICATE)

function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === code) || hasCode(error.cause, code)
}

/** A long list in parts: a statement takes at most 65,535 parameters. */
export function* inParts<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
