/**
 * Moves the embedded database to a PostgreSQL of the operator's. All rows are read in one snapshot
 * and written in one transaction, which is committed only after they were counted and checked.
 * Until then the target is empty, and the move can be tried again.
 *
 * Rows travel by COPY, because the programs that dump a database are not in the embedded package.
 */
import { pipeline } from 'node:stream/promises'

import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

import { type Queryable, connectAlone } from '../db.ts'
import { migrate } from '../migrate.ts'
import { BackupRefused } from './archive.ts'
import type { BackupProgress } from './backup.ts'

interface Table {
  name: string
  columns: string
  /** The tables that its rows name. */
  parents: string[]
}

interface Moved {
  tables: number
  rows: number
}

const OLDEST = 150_000
const OURS = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`

/** The rows that migrations and the queue write into an empty database by themselves. */
const FILLED = new Set([
  'drizzle.__drizzle_migrations',
  'public.installation',
  'pgboss.version',
  'pgboss.queue',
  'pgboss.schedule',
  'pgboss.bam',
])

/** Partitions hold the rows of their parent, through which they are read and written. */
const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
    (select string_agg(quote_ident(a.attname), ', ' order by a.attname) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    ) as columns,
    array(select distinct format('%I.%I', pn.nspname, p.relname) from pg_constraint f
      join pg_class p on p.oid = f.confrelid join pg_namespace pn on pn.oid = p.relnamespace
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and ${OURS}
  order by 1`

const PARTITIONS = `
  select format('create table if not exists %I.%I partition of %I.%I %s', n.nspname, c.relname,
    pn.nspname, p.relname, pg_get_expr(c.relpartbound, c.oid)) as statement
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_inherits i on i.inhrelid = c.oid
  join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
  where c.relkind = 'r' and c.relispartition and ${OURS}`

const SEQUENCES = `
  select format('%I.%I', schemaname, sequencename) as name, last_value as value from pg_sequences
  where last_value is not null`

/** @throws BackupRefused with a sentence for the operator */
export async function moveDatabase({
  from,
  to,
  verify,
  onProgress,
  signal,
}: {
  from: string
  to: string
  /** Throws when there is a fault in the copy; then nothing is kept. */
  verify: (db: Queryable) => Promise<void>
  onProgress: (progress: BackupProgress) => void
  signal: AbortSignal
}): Promise<Moved> {
  await using source = await connectAlone(from, 'quoth move')
  await using target = await connectAlone(to, 'quoth move').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupRefused(`The database to move to could not be opened: ${reason}`, {
      cause: error,
    })
  })
  await migrate({ directUrl: from })
  const tables = inOrder((await source.query<Table>(TABLES)).rows)
  await refuseUnfit(target, tables)
  await migrate({ directUrl: to })

  await source.query('begin isolation level repeatable read read only')
  await target.query('begin')
  await target.query(`select set_config(name, '0', true) from pg_settings where name in
    ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`)
  const names = tables.map(({ name }) => name)
  await target.query(`lock table ${names.join(', ')} in access exclusive mode`)
  await refuseFilled(target, names)
  for (const { statement } of (await source.query<{ statement: string }>(PARTITIONS)).rows)
    await target.query(statement)
  // Rows arrive as they are, and nobody is told of what happened long ago.
  for (const name of names) await target.query(`alter table ${name} disable trigger user`)
  for (const name of names.toReversed()) await target.query(`delete from ${name}`)

  let rows = 0
  for (const [index, table] of tables.entries()) {
    onProgress({ step: 'Rows', done: index, total: tables.length })
    rows += await copy(source, target, table, signal)
  }
  for (const name of names) await target.query(`alter table ${name} enable trigger user`)
  const { rows: sequences } = await source.query<{ name: string; value: string }>(SEQUENCES)
  for (const { name, value } of sequences)
    await target.query('select setval($1::regclass, $2)', [name, value])
  await verify(drizzle(target, { casing: 'snake_case' }))
  signal.throwIfAborted()
  await target.query('commit')
  return { tables: tables.length, rows }
}

/** Tables after those that their rows name. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = []
  const names = new Set<string>()
  for (let left = tables; left.length > 0;) {
    const ready = left.filter(({ parents }) => parents.every((parent) => names.has(parent)))
    if (ready.length === 0)
      throw new Error(`tables name each other in a circle: ${left.map(({ name }) => name).join()}`)
    for (const table of ready) names.add(table.name)
    ordered.push(...ready)
    left = left.filter((table) => !ready.includes(table))
  }
  return ordered
}

async function refuseUnfit(target: Client, tables: readonly Table[]): Promise<void> {
  const { rows } = await target.query<{ version: string; encoding: string }>(`
    select current_setting('server_version_num') as version,
      current_setting('server_encoding') as encoding`)
  const [{ version, encoding } = { version: '0', encoding: '' }] = rows
  if (Number(version) < OLDEST)
    throw new BackupRefused(
      `The database to move to is PostgreSQL ${Math.floor(Number(version) / 10_000)}, and 15 or later is needed. Nothing was changed.`,
    )
  if (encoding !== 'UTF8')
    throw new BackupRefused(
      `The database to move to stores text as ${encoding}. Make one with: CREATE DATABASE quoth ENCODING 'UTF8' TEMPLATE template0. Nothing was changed.`,
    )
  // A move that was broken off leaves empty tables of ours.
  const there = (await target.query<Table>(TABLES)).rows.map(({ name }) => name)
  const known = new Set(tables.map(({ name }) => name))
  const foreign = there.filter((name) => !known.has(name))
  if (foreign.length > 0) throw notEmpty(foreign)
  await refuseFilled(target, there)
}

async function refuseFilled(target: Client, names: readonly string[]): Promise<void> {
  const filled: string[] = []
  for (const name of names.filter((each) => !FILLED.has(each))) {
    const { rows } = await target.query<{ isFilled: boolean }>(
      `select exists (select from ${name}) as "isFilled"`,
    )
    if (rows[0]?.isFilled) filled.push(name)
  }
  if (filled.length > 0) throw notEmpty(filled)
}

function notEmpty(names: readonly string[]): BackupRefused {
  return new BackupRefused(
    `The database to move to is not empty: there is ${names.slice(0, 3).join(', ')}. Nothing was changed. Make an empty one, and name that.`,
  )
}

async function copy(
  source: Client,
  target: Client,
  { name, columns }: Table,
  signal: AbortSignal,
): Promise<number> {
  const reading = source.query(copyTo(`copy (select ${columns} from ${name}) to stdout`))
  const writing = target.query(copyFrom(`copy ${name} (${columns}) from stdin`))
  await pipeline(reading, writing, { signal })
  const count = async (client: Client) =>
    (await client.query<{ count: string }>(`select count(*) as count from ${name}`)).rows[0]?.count
  const [read, written] = [await count(source), await count(target)]
  if (read !== written)
    throw new Error(`${name} has ${read} rows here, and ${written} have arrived`)
  return Number(written)
}
