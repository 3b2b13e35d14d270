/** A PostgreSQL for a bench; and a real server on its own one, with users who need not sign up. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as sessions from '#features/account/sessions.ts'
import { type Database, openDatabase } from '#server/db.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from '#server/migrate.ts'
import { type EmbeddedPostgres, startPostgres } from '#server/postgres.ts'
import { aSession, aUser } from '#test/factories.ts'
import { type RunningServer, databaseOf, freePort, startServer } from '#test/server.ts'

import { takenAlong } from './ending.ts'

interface BenchDatabase {
  database: Database
  dataDir: string
  stop(): Promise<void>
}

/** A PostgreSQL that is migrated, and a folder for other files. */
export async function openBenchDatabase(): Promise<BenchDatabase & { postgres: EmbeddedPostgres }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
  const postgres = await startPostgres({ dataDir, log: silentLog })
  const stopPostgres = takenAlong(() => postgres.stop())
  const database = await openDatabase(postgres.url)
  await migrate(database)
  return {
    database,
    dataDir,
    postgres,
    async stop() {
      await database.close()
      await stopPostgres()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface House extends BenchDatabase {
  server: RunningServer
  /** A new user with credits; answers the headers of their browser. */
  visitor(): Promise<Visitor>
}

export interface Visitor {
  userId: string
  headers: Record<string, string>
}

/** @param settings of the server, beside those that every house has. */
export async function openHouse(settings: Record<string, string> = {}): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
  const server = await startServer({ dataDir, port: await freePort(), settings })
  const stopServer = takenAlong(() => server.stop())
  const database = await openDatabase(await databaseOf(dataDir))
  const publicUrl = new URL(server.url)
  return {
    database,
    dataDir,
    server,
    async visitor() {
      const { id: userId } = await aUser(database.db, { credits: 1000 })
      const { token } = await aSession(database.db, { userId })
      return {
        userId,
        headers: {
          Cookie: `${sessions.cookieFor(publicUrl).name}=${token}`,
          Origin: publicUrl.origin,
          'Sec-Fetch-Site': 'same-origin',
        },
      }
    },
    async stop() {
      await database.close()
      await stopServer()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
