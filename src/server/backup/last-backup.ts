/** When `npm run backup` last wrote a whole file: kept in DATA_DIR, for an alert where that is long ago. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileIn = (dataDir: string): string => join(dataDir, 'backed-up')

export async function noteBackup(dataDir: string, at: Date): Promise<void> {
  // The back-up is whole either way, also for a user who may only read here.
  await writeFile(fileIn(dataDir), `${at.toISOString()}\n`, { mode: 0o600 }).catch(() => undefined)
}

/** Null where none was made. */
export async function lastBackupAt(dataDir: string): Promise<Date | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => '')
  const at = new Date(text.trim())
  return Number.isNaN(at.getTime()) ? null : at
}
