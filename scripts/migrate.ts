/**
 * `npm run migrate`: brings the database up to date without starting the server. The server does
 * the same at every start; this is for operators who want it as a separate step.
 */
import { ConfigError, readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db.ts'
import { createLog } from '#server/log.ts'
import { DatabaseIsNewer, migrate } from '#server/migrate.ts'
import { PostgresRefused, startPostgres } from '#server/postgres.ts'
import { loadSettingsFile } from '#server/settings-file.ts'

async function main(): Promise<void> {
  loadSettingsFile()
  const { databaseUrl, databaseDirectUrl: directUrl, dataDir } = readConfig(process.env)
  const log = createLog({ level: 'warn' })
  await using postgres = databaseUrl === null ? await startPostgres({ dataDir, log }) : null
  await using database = await openDatabase(databaseUrl ?? postgres?.url ?? '', { log, directUrl })
  await migrate(database, { log })
  console.log('The database is up to date.')
}

try {
  await main()
} catch (error) {
  const isForOperator = [ConfigError, PostgresRefused, DatabaseIsNewer].some(
    (kind) => error instanceof kind,
  )
  if (!isForOperator || !(error instanceof Error)) throw error
  console.error(error.message)
  process.exitCode = 1
}
