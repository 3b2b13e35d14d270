import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { drizzle } from 'drizzle-orm/node-postgres'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import { Client } from 'pg'

import type { Database } from './db.ts'
import { silentLog, type Log } from './log.ts'
import { installQueue } from './queue.ts'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
/** When the newest migration of this release was written: a later one is of a newer release. */
export function newestMigration(): number {
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

/**
 * Brings the tables and the queue's own schema up to date. Safe to run twice, and at once.
 *
 * @throws DatabaseIsNewer for an older release, whose rules do not fit what a newer one keeps
 */
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
    const before = await migratedTo(client).catch(() => 0)
    if (before > newestMigration()) throw new DatabaseIsNewer()
    const missing = readMigrationFiles({ migrationsFolder }).filter(
      ({ folderMillis }) => folderMillis > before,
    )
    if (before > 0 && missing.length > 0)
      log.info(
        { migrations: missing.length },
        'bringing the tables up to date, which can take minutes in a large database',
      )
    await runMigrations(drizzle(client, { casing: 'snake_case' }), { migrationsFolder })
    await client.end()
    await installQueue(directUrl)
    await holder.query('commit')
  } finally {
    await Promise.allSettled([client.end(), holder.end()])
  }
}

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
