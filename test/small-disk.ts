/** A disk of a few bytes in a folder's place. Only root may make one. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const program = promisify(execFile)

export const canMount = process.getuid?.() === 0

export async function smallDisk(folder: string, size: string): Promise<AsyncDisposable> {
  await program('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  return {
    // Files that were still being written may be open for a moment.
    [Symbol.asyncDispose]: async () => void (await program('umount', ['--lazy', folder])),
  }
}

/** Leaves no byte of it. Answers the file that takes all the room. */
export async function fill(folder: string): Promise<string> {
  const path = join(folder, 'filling')
  await writeFile(path, Buffer.alloc(64 * 1024 ** 2)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error
  })
  return path
}
