/** `npm run backup -- FILE`: writes database and recordings into one file. The server may be running. */
import { holdKeptFiles, keptFiles } from '#features/recordings/kept-files.ts'
import { BackupRefused } from '#server/backup/archive.ts'
import { backUp } from '#server/backup/backup.ts'
import { createLog } from '#server/log.ts'
import { reachPostgres } from '#server/postgres.ts'

import { command, runAsProgram } from './command.ts'

const help = `Backs up everything that is kept in DATA_DIR, into one file.

  npm run backup -- FILE

The server may work meanwhile. FILE must not be there yet; it gets its name when it is whole, and can
be read by you only. Recordings in a bucket (STORAGE_URL) are not in it: the bucket keeps those.
npm run restore -- FILE puts it into an empty DATA_DIR.
`

export const run = command(help, async ({ path, config, signal, say, onProgress }) => {
  const { dataDir, databaseUrl, bucket } = config
  if (databaseUrl !== null)
    throw new BackupRefused(
      `The database is not in DATA_DIR: DATABASE_URL names it. Back it up with pg_dump, and the recordings in ${bucket ? `the bucket ${bucket.name}` : `${dataDir}/files`} after it.`,
    )
  await using postgres = await reachPostgres({ dataDir, log: createLog({ level: 'warn' }) })
  const { sizeBytes, missing } = await backUp({
    dataDir,
    url: postgres.url,
    path,
    bucket: bucket?.name ?? null,
    files: { list: keptFiles, hold: holdKeptFiles },
    onProgress,
    signal,
  })
  say(`${path} is written: ${(sizeBytes / 1_000_000).toFixed(1)} MB.`)
  if (bucket) say(`The recordings are not in it: they stay in the bucket ${bucket.name}.`)
  if (missing.length > 0)
    say(
      `Warning: ${missing.length} recordings that the database names were not in ${dataDir}/files: ${missing.slice(0, 5).join(', ')}`,
    )
  return true
})

if (import.meta.main) await runAsProgram(run)
