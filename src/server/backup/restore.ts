/**
 * Puts a back-up into an empty DATA_DIR. Everything is unpacked into a folder inside it, and
 * started there. It is put in place only when it is whole. A back-up that fails leaves DATA_DIR
 * empty.
 */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { newestMigration } from '../migrate.ts'
import { halfRestored, MAJOR, RESTORING } from '../postgres.ts'
import {
  BackupRefused,
  END,
  End,
  FORMAT,
  MANIFEST,
  type Manifest,
  readManifest,
  unpack,
} from './archive.ts'
import type { BackupProgress } from './backup.ts'

/**
 * Unpacks the archive, has `open` look at the folder it is in, and moves everything to its place.
 *
 * @throws BackupRefused, PostgresRefused with a sentence for the operator
 */
export async function restore<Answer>({
  dataDir,
  path,
  accept,
  open,
  onProgress,
  signal,
}: {
  dataDir: string
  path: string
  /** Throws where the archive does not fit this installation, before anything is unpacked. */
  accept: (manifest: Manifest) => void
  open: (folder: string, archive: Manifest & End) => Promise<Answer>
  onProgress: (progress: BackupProgress) => void
  signal: AbortSignal
}): Promise<Answer> {
  const total = await stat(path).then(
    ({ size }) => size,
    () => null,
  )
  if (total === null) throw new BackupRefused(`There is no file ${path}.`)
  const manifest = await readManifest(path)
  refuseNewer(manifest)
  accept(manifest)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const found = (await readdir(dataDir)).filter((name) => name !== 'lost+found')
  if (found.includes(RESTORING)) throw halfRestored(dataDir)
  if (found.length > 0)
    throw new BackupRefused(
      `${dataDir} is not empty: it holds ${found.slice(0, 3).join(', ')}. Nothing was changed. Set DATA_DIR to an empty folder.`,
    )

  const folder = join(dataDir, RESTORING)
  await mkdir(folder, { mode: 0o700 })
  try {
    let done = 0
    const onBytes = (count: number) =>
      onProgress({ step: 'Unpacking', done: (done += count), total })
    await unpack(path, folder, { signal, onBytes })
    const text = await readFile(join(folder, END), 'utf8').catch(() => {
      throw new BackupRefused(`${path} is not whole: its end is lacking. Nothing was restored.`)
    })
    for (const name of [MANIFEST, END]) await rm(join(folder, name))
    const answer = await open(folder, { ...manifest, ...End.parse(JSON.parse(text)) })
    signal.throwIfAborted()
    // All of it is on the disk before any of it counts.
    await promisify(execFile)('sync', ['-f', folder])
    for (const name of await readdir(folder)) await rename(join(folder, name), join(dataDir, name))
    return answer
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
    throw new BackupRefused(
      `The disk of ${dataDir} is full. Nothing was restored, and the back-up is as it was. Make room, about as much as the recordings in it need, and restore it again.`,
      { cause: error },
    )
  } finally {
    // Of a damaged archive some files may still be being written, which makes a folder not empty.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function refuseNewer({ format, postgres, migratedTo }: Manifest): void {
  if (format > FORMAT || migratedTo > newestMigration() || Number(postgres) > Number(MAJOR))
    throw new BackupRefused(
      'The back-up was made by a newer release of Quoth than this one. Nothing was restored. Restore it with that release or a later one.',
    )
  if (postgres !== MAJOR)
    throw new BackupRefused(
      `The back-up was made with PostgreSQL ${postgres}, and this release has ${MAJOR}. Nothing was restored. Restore it with the release it was made with.`,
    )
}
