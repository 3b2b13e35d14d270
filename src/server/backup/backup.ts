/**
 * A back-up of an installation that keeps everything in DATA_DIR, in one file. What it promises:
 *
 * - The server may work meanwhile. It waits for a moment only at the end.
 * - The database is as it was at that end, and every recording that it names is in the file: not one
 *   that was uploaded a moment before is lacking, nor one that is deleted a moment later.
 * - The file has its name only when it is whole. Until then it is called `.part`, and is removed when
 *   something fails.
 *
 * The database is copied while it changes, between PostgreSQL's `pg_backup_start` and `pg_backup_stop`.
 * The log of the changes meanwhile is copied too, and brings the copy in order when it is started. See
 * docs/decisions/028-a-back-up-is-one-file.md.
 */
import { createWriteStream, existsSync } from 'node:fs'
import { readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'

import { isDatabaseAway } from '../database-away.ts'
import { type Queryable, connectAlone } from '../db.ts'
import { codesOf } from '../error-codes.ts'
import { migratedTo } from '../migrate.ts'
import { MAJOR } from '../postgres.ts'
import {
  BackupRefused,
  compress,
  END,
  type End,
  endOfArchive,
  fileEntry,
  folderEntry,
  FORMAT,
  MANIFEST,
  type Manifest,
  textEntry,
} from './archive.ts'
import { noteBackup } from './last-backup.ts'

export interface BackupProgress {
  step: string
  done: number
  total: number
}

/** The facts that the room of recordings tells about its files. */
interface KeptFiles {
  list: (db: Queryable) => Promise<{ key: string; sizeBytes: number }[]>
  /** Until the transaction ends, no row begins to name a file and none ceases to. */
  hold: (db: Queryable) => Promise<void>
}

interface BackupOptions {
  dataDir: string
  /** Of the embedded database, which runs. */
  url: string
  path: string
  /** Where recordings lie in a bucket: its name. They are not in the back-up then. */
  bucket: string | null
  files: KeptFiles
  onProgress: (progress: BackupProgress) => void
  signal: AbortSignal
}

/** Of the whole database: a second back-up at the same time is refused. */
const BACKUP_LOCK = 7_310_583_105
const SLOT = 'quoth_backup'
/** Files that are made anew at every start, or are copied apart. */
const LEFT_OUT = new Set(['postgres', 'files', 'work', 'scratch'])

/** Parts of PostgreSQL's folder that must not be copied. Its documentation has the list. */
const NOT_COPIED = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|current_logfiles)$/
const TEMPORARY = /(^|\/)(pgsql_tmp|pg_internal\.init)/
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])

/** @throws BackupRefused with a sentence for the operator */
export async function backUp(options: BackupOptions): Promise<{ sizeBytes: number } & End> {
  const { dataDir, path, url, signal } = options
  refuseTaken(path)
  await refuseInside(dataDir, path)
  await using client = await connectAlone(url, 'quoth backup')
  const unfinished = `${path}.part`
  try {
    await lockOut(client)
    await rm(unfinished, { force: true })
    const result: End = { missing: [] }
    const output = createWriteStream(unfinished, { mode: 0o600, flush: true })
    await pipeline(contents(client, options, result), compress(), output, { signal })
    const { size } = await stat(unfinished)
    refuseTaken(path)
    await rename(unfinished, path)
    await noteBackup(dataDir, new Date())
    return { sizeBytes: size, ...result }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw translate(error, path)
  }
}

function refuseTaken(path: string): void {
  if (existsSync(path))
    throw new BackupRefused(`${path} is there already, and is left as it is. Choose another name.`)
  if (!existsSync(dirname(path))) throw new BackupRefused(`There is no folder ${dirname(path)}.`)
}

/** It would have itself in it, and each back-up before it. */
async function refuseInside(dataDir: string, path: string): Promise<void> {
  const way = relative(await realpath(dataDir), await realpath(dirname(path)))
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
    throw new BackupRefused(
      `${path} is in DATA_DIR, and would be in every back-up. Choose a place outside of ${dataDir}.`,
    )
}

async function lockOut(client: Client): Promise<void> {
  const { rows } = await client.query<{ isOurs: boolean }>(
    'select pg_try_advisory_lock($1) as "isOurs"',
    [BACKUP_LOCK],
  )
  if (!rows[0]?.isOurs)
    throw new BackupRefused('Another back-up of this server is being made. Wait until it is done.')
}

async function* contents(
  client: Client,
  { dataDir, bucket, files, onProgress }: BackupOptions,
  result: End,
): AsyncGenerator<Buffer> {
  const manifest: Manifest = {
    format: FORMAT,
    createdAt: new Date().toISOString(),
    postgres: MAJOR,
    migratedTo: await migratedTo(client),
    bucket,
  }
  yield* textEntry(MANIFEST, JSON.stringify(manifest))

  const db = drizzle(client, { casing: 'snake_case' })
  const kept = new Set<string>()
  /** Those that came since the last time. Answers the keys of those that are not there. */
  async function* recordings(): AsyncGenerator<Buffer, string[]> {
    if (bucket !== null) return []
    const fresh = (await files.list(db)).filter(({ key }) => !kept.has(key))
    const total = fresh.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const missing: string[] = []
    let done = 0
    for (const { key, sizeBytes } of fresh) {
      const size = yield* fileEntry(`files/${key}`, join(dataDir, 'files', key))
      if (size === null) missing.push(key)
      else kept.add(key)
      onProgress({ step: 'Recordings', done: (done += sizeBytes), total })
    }
    return missing
  }

  // The most by far comes first, while nothing is held back for it.
  yield* recordings()
  yield* others(dataDir)

  // The log that is needed is kept for as long as this connection has its slot.
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [SLOT])
  const { rows: begun } = await client.query<{ wal: string }>(
    `select pg_walfile_name(pg_backup_start('quoth', true)) as wal`,
  )
  yield* cluster(client, join(dataDir, 'postgres', 'data'), onProgress)
  yield* recordings()

  // From here on rows and files stay as they are, until the few that came last are copied.
  await hold(client, db, files)
  const { rows: ended } = await client.query<{ wal: string; label: string; spaces: string }>(
    `select pg_walfile_name(lsn) as wal, labelfile as label, spcmapfile as spaces
     from pg_backup_stop(false)`,
  )
  result.missing = yield* recordings()
  await client.query('commit')

  const [from, to] = [begun[0], ended[0]]
  if (!from || !to) throw new Error('PostgreSQL did not say where its back-up begins and ends')
  if (to.spaces.trim() !== '')
    throw new BackupRefused('The database has tablespaces outside of its folder.')
  yield* textEntry('postgres/data/backup_label', to.label)
  const folder = join(dataDir, 'postgres', 'data', 'pg_wal')
  const names = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()
  for (const name of names.filter((each) => each >= from.wal && each <= to.wal))
    yield* fileEntry(`postgres/data/pg_wal/${name}`, join(folder, name))
  yield* textEntry(END, JSON.stringify(result))
  yield* endOfArchive()
}

/** Begins a transaction in which rows and files stay as they are. A long one of others is waited for. */
async function hold(client: Client, db: Queryable, files: KeptFiles): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query('begin')
    try {
      // Writers wait behind us meanwhile, so not for long at once.
      await client.query(`set local lock_timeout = '1s'`)
      await files.hold(db)
      return
    } catch (error) {
      await client.query('rollback')
      const isTimeout = codesOf(error).includes('55P03')
      if (!isTimeout || tries === 60) throw error
      await sleep(1_000)
    }
  }
}

/** Mails that were never sent, models, and all else in DATA_DIR. */
async function* others(dataDir: string): AsyncGenerator<Buffer> {
  for (const entry of await readdir(dataDir)) {
    if (LEFT_OUT.has(entry)) continue
    for await (const { name, isFolder } of walk(dataDir, entry))
      yield* isFolder ? folderEntry(name) : fileEntry(name, join(dataDir, name))
  }
}

async function* cluster(
  client: Client,
  data: string,
  onProgress: BackupOptions['onProgress'],
): AsyncGenerator<Buffer> {
  const { rows } = await client.query<{ bytes: string }>(
    'select sum(pg_database_size(oid)) as bytes from pg_database',
  )
  const total = Number(rows[0]?.bytes)
  let done = 0
  const control = 'global/pg_control'
  yield* folderEntry('postgres/data')
  for (const entry of await readdir(data)) {
    if (NOT_COPIED.test(entry)) continue
    if (EMPTIED.has(entry)) {
      yield* folderEntry(`postgres/data/${entry}`)
      continue
    }
    for await (const { name, isFolder } of walk(data, entry)) {
      if (TEMPORARY.test(name) || name === control) continue
      if (isFolder) yield* folderEntry(`postgres/data/${name}`)
      else done += (yield* fileEntry(`postgres/data/${name}`, join(data, name))) ?? 0
      onProgress({ step: 'Database', done: Math.min(done, total), total })
    }
  }
  // Last, as PostgreSQL's own program does it.
  yield* fileEntry(`postgres/data/${control}`, join(data, control))
}

/**
 * A file, or a folder and everything in it, by names below the root. A file that vanishes is passed
 * over.
 */
async function* walk(
  root: string,
  name: string,
): AsyncGenerator<{ name: string; isFolder: boolean }> {
  // Follows links, because an operator may have put a folder on another disk.
  const found = await stat(join(root, name)).catch(() => null)
  if (found?.isFile()) yield { name, isFolder: false }
  if (!found?.isDirectory()) return
  yield { name, isFolder: true }
  for (const each of await readdir(join(root, name)).catch(() => []))
    yield* walk(root, `${name}/${each}`)
}

function translate(error: unknown, path: string): unknown {
  const hasOneOf = (...codes: string[]) => codesOf(error).some((code) => codes.includes(code))
  const kept = 'Nothing of the back-up is kept.'
  const because = (sentence: string) => new BackupRefused(`${sentence} ${kept}`, { cause: error })
  if (hasOneOf('ENOSPC', 'EDQUOT'))
    return because(`There is no room left for ${basename(path)} in ${dirname(path)}.`)
  if (hasOneOf('EACCES', 'EPERM'))
    return because(`A file could not be read or written: ${String(error)}.`)
  if (isDatabaseAway(error))
    return because('The server stopped while it was backed up. Make the back-up again.')
  return error
}
