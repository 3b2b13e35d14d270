/** One installation on its embedded database: backed up while it works, restored, and moved. */
import { randomUUID } from 'node:crypto'
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { eq, isNotNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import * as recordings from '#features/recordings/recordings.ts'
import { transcriptions } from '#features/row/tables.ts'
import { lastBackupAt } from '#server/backup/last-backup.ts'
import { compress, endOfArchive, MANIFEST, textEntry } from '#server/backup/archive.ts'
import { type Database, openDatabase } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { newestMigration } from '#server/migrate.ts'
import { type EmbeddedPostgres, startPostgres } from '#server/postgres.ts'
import { diskStorage } from '#server/storage.ts'
import { begin } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { databaseUrl, onServer } from '#test/global-setup.ts'
import { isLong } from '#test/long.ts'
import { canMount, smallDisk } from '#test/small-disk.ts'

import { run as backup } from './backup.ts'
import type { Command } from './command.ts'
import { run as move } from './move.ts'
import { run as restore } from './restore.ts'

let folder: string
let dataDir: string
let postgres: EmbeddedPostgres
let database: Database
let userId: string
/** A back-up that was made under load. */
let archive: string
let made: Awaited<ReturnType<typeof command>>

async function command(
  run: Command,
  argument: string,
  env: Record<string, string>,
  signal = new AbortController().signal,
) {
  let said = ''
  const output = { write: (text: string) => (said += text) }
  const code = await run([argument], { stdout: output, stderr: output, env, signal })
  return { code, said }
}

const aFolder = (name: string) => mkdtemp(join(folder, `${name}-`))

/** The usual work of a server: recordings arrive and go, and credits are moved. */
async function work(database: Database, until: Promise<unknown>) {
  const { db } = database
  const storage = diskStorage(join(dataDir, 'files'))
  const deps = { db, storage, clock: () => new Date() }
  let isOver = false
  const end = () => void (isOver = true)
  until.then(end, end)
  let arrived = 0
  while (!isOver) {
    const [kept, dropped] = [randomUUID(), randomUUID()]
    await writeFile(join(dataDir, 'files', kept), kept)
    await writeFile(join(dataDir, 'files', dropped), dropped)
    await aTranscription(db, { userId, storageKey: kept, sizeBytes: kept.length })
    const row = await aTranscription(db, { userId, storageKey: dropped })
    await db.transaction((tx) => credits.hold(tx, { userId, cause: row.id, credits: 1 }))
    await recordings.deleteRecording(deps, { userId, id: row.id })
    await db.transaction((tx) => credits.settle(tx, { userId, cause: row.id, credits: 1 }))
    arrived++
  }
  return arrived
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quoth-backup-'))
  dataDir = await aFolder('data')
  await begin(dataDir)
  await mkdir(join(dataDir, 'files'))
  await mkdir(join(dataDir, 'outbox'))
  await writeFile(join(dataDir, 'outbox', 'kept.eml'), 'a mail')
  await mkdir(join(dataDir, 'work'))
  await writeFile(join(dataDir, 'work', 'left'), 'of a job')
  postgres = await startPostgres({ dataDir, log: silentLog })
  database = await openDatabase(postgres.url)
  userId = (await aUser(database.db, { credits: 100_000 })).id
  archive = join(folder, 'backup')
  const making = command(backup, archive, { DATA_DIR: dataDir })
  const arrived = await work(database, making)
  expect(arrived).toBeGreaterThan(0)
  made = await making
})
afterAll(async () => {
  await database.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const namesIn = async (path: string) => (await readdir(path)).toSorted()

test('a back-up made while the server works has every recording that its database names', async () => {
  expect(made).toMatchObject({ code: 0 })
  expect(made.said).toMatch(/backup is written: \d+\.\d MB/)
  expect((await stat(archive)).mode & 0o777).toBe(0o600)
  expect(await namesIn(folder)).not.toContain('backup.part')
  // So that an alert can tell when the last one was made.
  expect((await lastBackupAt(dataDir))?.getTime()).toBeGreaterThan(Date.now() - 600_000)

  const target = await aFolder('restored')
  const { code, said } = await command(restore, archive, { DATA_DIR: target })
  expect(said).toContain('The ledger is right.')
  expect(said).toContain('and all of them are there.')
  expect(code).toBe(0)
  expect(await namesIn(target)).toEqual(['files', 'outbox', 'postgres'])
  expect(await readFile(join(target, 'outbox', 'kept.eml'), 'utf8')).toBe('a mail')

  const started = await startPostgres({ dataDir: target, log: silentLog })
  const restored = await openDatabase(started.url)
  try {
    const { storageKey } = transcriptions
    const rows = await restored.db
      .select({ key: storageKey })
      .from(transcriptions)
      .where(isNotNull(storageKey))
    expect(rows.length).toBeGreaterThan(0)
    for (const { key } of rows)
      expect(await readFile(join(target, 'files', key!), 'utf8')).toBe(key)
    expect(await credits.verify(restored.db)).toEqual([])
  } finally {
    await restored.close()
    await started.stop()
  }

  const stopped = await command(backup, join(folder, 'of-stopped'), { DATA_DIR: target })
  expect(stopped.code).toBe(0)
  await movesTo(target)
})

/** Moves the restored database to a PostgreSQL elsewhere: the tests' own. */
async function movesTo(dataDir: string) {
  const server = inject('databaseServerUrl')
  const name = `quoth_moved_${randomUUID().slice(0, 8)}`
  const env = { DATA_DIR: dataDir }
  const to = databaseUrl(server, name)
  await onServer(server, `create database ${name}`)
  try {
    await onServer(to, 'create table foreign_to_us (id int)')
    const refused = await command(move, to, env)
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') })
    await onServer(to, 'drop table foreign_to_us')
    await onServer(
      server,
      `create database ${name}_ascii encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    )
    const ascii = await command(move, databaseUrl(server, `${name}_ascii`), env)
    expect(ascii.said).toContain('stores text as SQL_ASCII')

    const moved = await command(move, to, env)
    expect(moved.said).toContain('The ledger is right.')
    expect(moved.said).toContain('and all of them are there.')
    expect(moved.said).toContain('Set DATABASE_URL')
    expect(moved.code).toBe(0)
    const arrived = await openDatabase(to)
    try {
      // Its sequences go on where the old ones were: the next entry finds a number.
      const cause = randomUUID()
      await arrived.db.transaction((tx) => credits.grant(tx, { userId, cause, credits: 1 }))
      expect(await credits.verify(arrived.db)).toEqual([])
      await expect(arrived.db.execute(sql`delete from credit_entries`)).rejects.toThrow()
    } finally {
      await arrived.close()
    }

    const again = await command(move, to, env)
    expect(again.said).toContain('This database was moved')
    await rm(join(dataDir, 'postgres', 'moved'))
    const filled = await command(move, to, env)
    expect(filled).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') })
  } finally {
    for (const each of [name, `${name}_ascii`])
      await onServer(server, `drop database if exists ${each} with (force)`)
  }
}

test('a server does not start on the rest of a killed restore, and says the way out', async () => {
  const killed = await aFolder('killed')
  // Killed while it unpacked, and while it put the unpacked files in their place.
  await mkdir(join(killed, 'restoring', 'postgres'), { recursive: true })
  const start = () => startPostgres({ dataDir: killed, log: silentLog })
  await expect(start()).rejects.toThrow(/broken off.* empty the folder .* npm run restore -- FILE/)
  expect(await namesIn(killed)).toEqual(['restoring'])
  await mkdir(join(killed, 'files'))
  await expect(start()).rejects.toThrow('broken off')
  for (const [run, argument] of [
    [restore, archive],
    [backup, join(folder, 'of-killed')],
  ] as const) {
    const { code, said } = await command(run, argument, { DATA_DIR: killed })
    expect(said).toContain('broken off')
    expect(code).toBe(1)
  }
})

test('a database that a server works on is not moved', async () => {
  const to = 'postgres://localhost/anywhere'
  const { code, said } = await command(move, to, { DATA_DIR: dataDir })
  expect(said).toContain('The server is running')
  expect(code).toBe(1)
})

test('a back-up does not overwrite, and one that is stopped leaves nothing', async () => {
  const taken = join(folder, 'taken')
  await writeFile(taken, 'kept')
  const { code, said } = await command(backup, taken, { DATA_DIR: dataDir })
  expect(said).toContain('is there already')
  expect(code).toBe(1)
  expect(await readFile(taken, 'utf8')).toBe('kept')

  const stopped = await command(
    backup,
    join(folder, 'stopped'),
    { DATA_DIR: dataDir },
    AbortSignal.abort(new Error('stopped')),
  )
  expect(stopped.code).toBe(130)
  expect((await namesIn(folder)).filter((name) => name.startsWith('stopped'))).toEqual([])
})

test('a back-up is not written into the folder that it is made of', async () => {
  const inside = join(dataDir, 'nightly.tar.zst')
  const refused = await command(backup, inside, { DATA_DIR: dataDir })
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('is in DATA_DIR') })
  expect(await readdir(dataDir)).not.toContain('nightly.tar.zst')
})

test('a back-up says which recordings were lost before, and goes on', async () => {
  const { db } = database
  const { id } = await aTranscription(db, { userId, storageKey: randomUUID() })
  const path = join(folder, 'with-a-loss')
  const { code, said } = await command(backup, path, { DATA_DIR: dataDir })
  await db.update(transcriptions).set({ storageKey: null }).where(eq(transcriptions.id, id))
  expect(said).toContain('Warning: 1 recordings that the database names were not in')
  expect(code).toBe(0)
})

test('a database that is elsewhere, or that was never made, is not backed up', async () => {
  const nowhere = join(folder, 'nowhere')
  for (const [settings, reason] of [
    [{ DATABASE_URL: 'postgres://localhost/quoth' }, 'pg_dump'],
    [{ DATA_DIR: nowhere }, 'There is no database in'],
  ] as const) {
    const env = { DATA_DIR: dataDir, ...settings }
    const { code, said } = await command(backup, join(folder, 'nothing'), env)
    expect(said).toContain(reason)
    expect(code).toBe(1)
  }
  // Not even the folder that was named by mistake is made.
  expect(await namesIn(folder)).not.toContain('nowhere')
})

if (isLong)
  test('a broken back-up, or one that cannot be put in its place, is refused and leaves nothing', async () => {
    const newer = join(folder, 'newer')
    const manifest = {
      format: 1,
      createdAt: new Date().toISOString(),
      postgres: '18',
      migratedTo: newestMigration() + 1,
      bucket: null,
    }
    await written(newer, JSON.stringify(manifest))
    const unfinished = join(folder, 'unfinished')
    await written(unfinished, JSON.stringify({ ...manifest, migratedTo: 0 }))
    const bucketless = join(folder, 'bucketless')
    const kept = await command(backup, bucketless, {
      DATA_DIR: dataDir,
      STORAGE_URL: 's3://kept-there',
    })
    expect(kept).toMatchObject({ code: 0, said: expect.stringContaining('stay in the bucket') })
    const cut = join(folder, 'cut')
    await copyFile(archive, cut)
    await truncate(cut, (await stat(archive)).size - 100)
    const damaged = join(folder, 'damaged')
    await copyFile(archive, damaged)
    const file = await open(damaged, 'r+')
    await file.write(Buffer.from('not what was written'), 0, 20, (await stat(archive)).size / 2)
    await file.close()
    const nonsense = join(folder, 'nonsense')
    await writeFile(nonsense, 'no archive')

    const target = await aFolder('empty')
    for (const [path, reason, env] of [
      [newer, 'a newer release'],
      [unfinished, 'is not whole'],
      [bucketless, 'are in the bucket kept-there'],
      [cut, 'is cut or damaged'],
      [damaged, 'is cut or damaged'],
      [nonsense, 'is cut or damaged'],
      [join(folder, 'nowhere'), 'There is no file'],
      [archive, 'DATABASE_URL is set', { DATABASE_URL: 'postgres://localhost/quoth' }],
      [archive, 'STORAGE_URL is set', { STORAGE_URL: 's3://bucket?endpoint=http://127.0.0.1:1' }],
      [archive, 'is not empty', { DATA_DIR: dataDir }],
    ] as const) {
      const { code, said } = await command(restore, path, { DATA_DIR: target, ...env })
      expect(said).toContain(reason)
      expect(code).toBe(1)
      expect(await readdir(target)).toEqual([])
    }
  })

test.runIf(canMount)(
  'a disk that is too small for what is restored is said in a sentence, and is empty again',
  async () => {
    const target = await aFolder('small')
    await using _ = await smallDisk(target, '4m')
    const { code, said } = await command(restore, archive, { DATA_DIR: target })
    expect(said).toContain(`The disk of ${target} is full. Nothing was restored`)
    expect(said).not.toContain('    at ')
    expect(code).toBe(1)
    expect(await readdir(target)).toEqual([])
  },
)

async function written(path: string, manifest: string): Promise<void> {
  const packed = compress()
  packed.end(Buffer.concat([...textEntry(MANIFEST, manifest), ...endOfArchive()]))
  await writeFile(path, packed)
}
