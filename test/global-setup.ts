/**
 * One PostgreSQL for the whole run: the embedded one in a folder of its own, or TEST_DATABASE_URL.
 * It holds one migrated template, of which every test file gets its own copy of 10 MB. A test whose
 * server has a PostgreSQL of its own begins with a copy of the folder in which that was migrated.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { Client } from 'pg'
import type { TestProject } from 'vitest/node'

import { openDatabase } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from '#server/migrate.ts'
import { startPostgres } from '#server/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServerUrl: string
    databaseTemplate: string
    /** Whether the server outlives the run, so that each test file drops its database. */
    isDatabaseServerKept: boolean
    /** A data folder whose database is migrated: see `begin` in database.ts. */
    begunDataDir: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const begun = await begunDataDir()
  const server = await databaseServer(begun)
  const template = `quoth_template_${randomUUID().slice(0, 8)}`
  await onServer(server.url, `create database ${template} template ${server.source}`)
  const database = await openDatabase(databaseUrl(server.url, template))
  await migrate(database)
  await database.close()
  project.provide('databaseServerUrl', server.url)
  project.provide('databaseTemplate', template)
  project.provide('isDatabaseServerKept', server.isKept)
  project.provide('begunDataDir', begun)
  return async () => {
    // Our own server goes as a whole.
    if (server.isKept)
      await onServer(server.url, `drop database if exists ${template} with (force)`)
    await server.stop()
    await rm(begun, { recursive: true, force: true })
  }
}

async function begunDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoth-begun-'))
  // As main.ts does: no file can be read by other users.
  const umask = process.umask(0o077)
  const postgres = await startPostgres({ dataDir, log: silentLog })
  const database = await openDatabase(postgres.url)
  await migrate(database)
  await database.close()
  await postgres.stop()
  process.umask(umask)
  return dataDir
}

/** PostgreSQL may run as another user, whose its files stay. */
export const copyDataDir = (from: string, to: string) =>
  promisify(execFile)('cp', ['-a', `${from}/.`, to])

interface DatabaseServer {
  url: string
  /** The database that the template begins as. */
  source: string
  isKept: boolean
  stop(): Promise<void>
}

async function databaseServer(begun: string): Promise<DatabaseServer> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, source: 'template1', isKept: true, stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'quoth-test-'))
  await copyDataDir(begun, dataDir)
  // Some two thousand connections are made in a run, and to prove a password is a third of what one
  // costs.
  const trust = 'local all all trust\nhost all all samehost trust\n'
  await writeFile(join(dataDir, 'postgres/data/pg_hba.conf'), trust)
  const postgres = await startPostgres({ dataDir, log: silentLog })
  // A test's rows need not survive a power cut, and its tables need no cleaning.
  // The settings of startPostgres for durability win over the server's settings, but not over a user's.
  await onServer(postgres.url, 'alter role current_user set synchronous_commit = off')
  await onServer(postgres.url, 'alter system set autovacuum = off')
  await onServer(postgres.url, 'select pg_reload_conf()')
  return {
    url: postgres.url,
    source: 'postgres',
    isKept: false,
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The same server's address with another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  // The address of a socket has no host, which URL does not accept.
  return serverUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${name}`)
}

export async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
