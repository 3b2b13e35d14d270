/** `npm run restore -- FILE`: puts a back-up into an empty DATA_DIR, and checks it. */
import { BackupRefused } from '#server/backup/archive.ts'
import { restore } from '#server/backup/restore.ts'
import { openDatabase } from '#server/db.ts'
import { markRestored } from '#server/file-marks.ts'
import { createLog } from '#server/log.ts'
import { migrate } from '#server/migrate.ts'
import { startPostgres } from '#server/postgres.ts'
import { keepPrivate } from '#server/private-folder.ts'

import { check, command, runAsProgram, storageOf } from './command.ts'

const help = `Puts a back-up into DATA_DIR, which must be empty, and checks it.

  npm run restore -- FILE

The database is started once: the ledger is gone through, and every recording that it names must be
there. Then npm start goes on from the moment of the back-up.
`

export const run = command(help, async ({ path, config, signal, say, onProgress }) => {
  const { dataDir, databaseUrl, bucket } = config
  if (databaseUrl !== null)
    throw new BackupRefused(
      'DATABASE_URL is set, and a back-up is restored into the database of DATA_DIR. Unset it first. Nothing was restored.',
    )
  const log = createLog({ level: 'warn' })
  const isRight = await restore({
    dataDir,
    path,
    signal,
    onProgress,
    accept(manifest) {
      if (manifest.bucket !== (bucket?.name ?? null))
        throw new BackupRefused(
          manifest.bucket === null
            ? 'The back-up holds its recordings, and STORAGE_URL is set. Unset it first. Nothing was restored.'
            : `The recordings of this back-up are in the bucket ${manifest.bucket}: set STORAGE_URL to it first. Nothing was restored.`,
        )
    },
    async open(folder, archive) {
      await using postgres = await startPostgres({ dataDir: folder, log })
      await using database = await openDatabase(postgres.url, { log })
      await migrate(database, { log })
      const storage = await storageOf(config, folder)
      if (archive.bucket === null) await markRestored(database.db, storage)
      say(`The back-up is of ${archive.createdAt}.`)
      return await check(database.db, storage, { say, known: archive.missing.length })
    },
  })
  await keepPrivate(dataDir)
  say(
    isRight
      ? `${dataDir} is restored. npm start goes on from there.`
      : `${dataDir} is restored, as it was backed up: what is wrong above was wrong before.`,
  )
  return isRight
})

if (import.meta.main) await runAsProgram(run)
