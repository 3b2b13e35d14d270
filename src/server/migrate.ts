/**
 * Brings the database up to date, while processes of the release before work with it. What this promises:
 *
 * - One process migrates, and the others wait for it. An older release does not start on a newer database.
 * - Each migration is a transaction of its own: locks of one are not held through the next. What was
 *   done before one that fails stays, and is not done again.
 * - A migration that needs a table to itself waits for it for two seconds only, because all who would
 *   read it wait behind. Then it steps back, lets them through, and tries again.
 * - A migration with an index `CONCURRENTLY` is in no transaction. Broken off, it is begun again.
 *
 * The SQL that fits these is what test/migrations.test.ts lets pass.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { Client } from 'pg'

import type { Database } from './db.ts'
import { codesOf } from './error-codes.ts'
import { silentLog, type Log } from './log.ts'
import { installQueue } from './queue.ts'

const ownMigrations = fileURLToPath(new URL('../../migrations', import.meta.url))
/** When the newest migration of a release was written: a later one is of a newer release. */
export function newestMigration(migrationsFolder = ownMigrations): number {
  return Math.max(...readMigrationFiles({ migrationsFolder }).map((each) => each.folderMillis))
}

/** The database has been brought up to date by a newer release than this one. */
export class DatabaseIsNewer extends Error {
  constructor() {
    super(
      'The database was brought up to date by a newer release than this one, which does not know all that is in it. ' +
        'Nothing was changed. Start the newer release, or restore a back-up from before.',
    )
  }
}

/** When the newest migration was written that a database has seen; 0: none. */
export async function migratedTo(client: Pick<Client, 'query'>): Promise<number> {
  const { rows } = await client.query<{ at: string }>(
    'select coalesce(max(created_at), 0) as at from drizzle.__drizzle_migrations',
  )
  return Number(rows[0]?.at)
}

/** Any number, as long as it is ours: two processes that start together migrate one by one. */
export const MIGRATION_LOCK = 7_310_583_104
const LOCK_CHECK_MS = 250
/** How often somebody who waits for the lock says so. */
const LOCK_SAID_MS = 10_000
/** How long a migration waits for a table, and then lets others through for as long. */
const TABLE_WAIT_MS = 2_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Brings the tables and the queue's own schema up to date. Safe to run twice, and at once.
 *
 * @throws DatabaseIsNewer for an older release, whose rules do not fit what a newer one keeps
 */
export async function migrate(
  { directUrl }: Pick<Database, 'directUrl'>,
  {
    log = silentLog,
    migrationsFolder = ownMigrations,
    tableWaitMs = TABLE_WAIT_MS,
  }: { log?: Log; migrationsFolder?: string; tableWaitMs?: number } = {},
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
    const before = await migratedTo(client).catch(() => 0)
    if (before > newestMigration(migrationsFolder)) throw new DatabaseIsNewer()
    const missing = readMigrationFiles({ migrationsFolder }).filter(
      ({ folderMillis }) => folderMillis > before,
    )
    if (before > 0 && missing.length > 0)
      log.info(
        { migrations: missing.length },
        'bringing the tables up to date, which can take minutes in a large database',
      )
    // Whatever is committed later takes them to the disk along with it; alone, each waits for the disk.
    await client.query('set synchronous_commit = off')
    // As Drizzle's own migrator keeps them.
    await client.query(`
      create schema if not exists drizzle;
      create table if not exists drizzle.__drizzle_migrations
        (id serial primary key, hash text not null, created_at bigint)`)
    // In a new database nobody waits for anything.
    const telling = { log: before > 0 ? log : silentLog, tableWaitMs }
    for (const each of missing) await runOne(client, each, telling)
    await client.end()
    await installQueue(directUrl)
    await holder.query('commit')
  } finally {
    await Promise.allSettled([client.end(), holder.end()])
  }
}

async function runOne(
  client: Client,
  migration: MigrationMeta,
  { log, tableWaitMs }: { log: Log; tableWaitMs: number },
): Promise<void> {
  if (isConcurrent(migration.sql)) {
    for (const statement of migration.sql) await runAlone(client, statement, log)
    await keepDone(client, migration)
    return
  }
  for (let tries = 1; ; tries += 1) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${tableWaitMs}`)
      for (const statement of migration.sql) await client.query(statement)
      await keepDone(client, migration)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      if (!codesOf(error).includes(LOCK_NOT_AVAILABLE)) throw error
      log.warn({ tries }, 'a migration waits for a table that somebody uses, and tries again')
      await sleep(tableWaitMs)
    }
  }
}

const isConcurrent = (statements: readonly string[]): boolean =>
  statements.some((statement) => /\bindex concurrently\b/i.test(statement))

/** An index that was broken off is there, and of no use: it is made anew. */
async function runAlone(client: Client, statement: string, log: Log): Promise<void> {
  const [, name] =
    /^(?:\s*--.*\n)*\s*create (?:unique )?index concurrently "(\w+)"/i.exec(statement) ?? []
  if (name) {
    log.info(
      { index: name },
      'an index is being made, which waits for all that was begun before it',
    )
    await client.query(`drop index concurrently if exists "${name}"`)
  }
  await client.query(statement)
}

const keepDone = (client: Client, { hash, folderMillis }: MigrationMeta) =>
  client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    hash,
    folderMillis,
  ])

/**
 * Begins a transaction that holds the lock. A transaction and not a session, because behind a pooler a
 * session outlives its client, with its locks. Asks again and again instead of waiting inside the
 * database, so that it can name the holder of the lock and takes no connection of a pooler meanwhile.
 */
async function lockMigrations(holder: Client, log: Log): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOCK_CHECK_MS) {
    await holder.query('begin')
    // While others migrate it has nothing to say for longer than an operator may allow.
    await holder.query(`
      select set_config(name, '0', true) from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`)
    // With a parameter it would stay open, and with it its view of the database, which an index
    // CONCURRENTLY waits for.
    const asked = `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isOurs"`
    const { rows } = await holder.query<{ isOurs: boolean }>(asked)
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
