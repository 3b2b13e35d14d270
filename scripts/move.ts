/** `npm run move -- DATABASE_URL`: from the embedded database to a PostgreSQL of the operator's. */
import { BackupRefused } from '#server/backup/archive.ts'
import { moveDatabase } from '#server/backup/move.ts'
import { createLog } from '#server/log.ts'
import { isInUse, markMoved, reachPostgres } from '#server/postgres.ts'

import { check, command, runAsProgram, storageOf } from './command.ts'

const help = `Moves the database of DATA_DIR to a PostgreSQL of yours, version 15 or later.

  npm run move -- DATABASE_URL

Stop the server first. The database at DATABASE_URL must be empty, and is named past any pooler. All
rows arrive, or none. Recordings stay where they are. The old database is kept, and not started again.
`

export const run = command(help, async ({ argument, config, signal, say, onProgress }) => {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== null)
    throw new BackupRefused(
      'DATABASE_URL is set: the server does not use the database in DATA_DIR. Unset it to move that.',
    )
  if (!/^postgres(ql)?:\/\//.test(argument))
    throw new BackupRefused('The address to move to must begin with postgres://.')
  if (await isInUse(dataDir))
    throw new BackupRefused(
      'The server is running, and what it writes during the move would be lost. Stop it first. Nothing was changed.',
    )
  const storage = await storageOf(config)
  await using postgres = await reachPostgres({ dataDir, log: createLog({ level: 'warn' }) })
  let isRight = false
  const { tables, rows } = await moveDatabase({
    from: postgres.url,
    to: argument,
    signal,
    onProgress,
    verify: async (db) => void (isRight = await check(db, storage, { say })),
  })
  await markMoved(dataDir)
  say(`${rows} rows of ${tables} tables have arrived, as many as there are in DATA_DIR.`)
  if (!isRight) say('They are moved as they were: what is wrong above was wrong before.')
  say('Set DATABASE_URL to the address you named, in .env or where the server has its settings.')
  say(
    'Recordings stay where they are. The old database is kept in DATA_DIR/postgres until you remove it.',
  )
  return isRight
})

if (import.meta.main) await runAsProgram(run)
