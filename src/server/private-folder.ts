/** Promise: uploads, and all that is made of them, are read by the server's own user only. */
import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const ONLY_US = 0o700
/** Each may be a link to a folder elsewhere, which the mode of DATA_DIR does not close. */
const folders = ['', 'files', 'work', 'outbox', 'models', 'postgres']

/**
 * From here on this process and its children write nothing that other users of the machine can read,
 * and DATA_DIR is closed to them, also one that was there before. Answers the folders that belong to
 * somebody else, which only their owner can close.
 */
export async function keepPrivate(dataDir: string): Promise<string[]> {
  process.umask(0o777 & ~ONLY_US)
  await mkdir(dataDir, { recursive: true })
  const open: string[] = []
  for (const path of folders.map((name) => join(dataDir, name)))
    await chmod(path, ONLY_US).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return
      if (error.code !== 'EPERM') throw error
      if (((await stat(path)).mode & 0o077) !== 0) open.push(path)
    })
  return open
}
