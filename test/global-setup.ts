/**
 * One PostgreSQL for the whole run: the embedded one in a folder of its own, or TEST_DATABASE_URL.
 * It holds one migrated template, of which every test file gets its own copy of 10 MB.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await databaseServer()
  const template = `quoth_template_${randomUUID().slice(0, 8)}`
  await onServer(server.url, `create database ${template}`)
  const database = await openDatabase(databaseUrl(server.url, template))
  await migrate(database)
  await database.close()
  project.provide('databaseServerUrl', server.url)
  project.provide('databaseTemplate', template)
  project.provide('isDatabaseServerKept', server.isKept)
  return async () => {
    await onServer(server.url, `drop database if exists ${template} with (force)`)
    await server.stop()
  }
}

async function databaseServer(): Promise<{ url: string; isKept: boolean; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, isKept: true, stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'quoth-test-'))
  const postgres = await startPostgres({ dataDir, log: silentLog })
  // Nobody needs after a power cut what a test has written, nor its tables cleaned up behind it.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await onServer(postgres.url, `alter system set ${setting} = off`)
  await onServer(postgres.url, 'select pg_reload_conf()')
  return {
    url: postgres.url,
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
