/**
 * The disk that a process works on. Whether it is full is known in two ways: by the errors of what found
 * no room, and by asking.
 */
import { randomUUID } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import { codesOf } from './error-codes.ts'

/** What must be free before a job begins: a recording of the largest size, and its sound. */
const ROOM_BYTES = 256 * 1024 ** 2
/** Of a small disk so much of the whole. */
const ROOM_SHARE = 0.05
/** Written to learn of a quota: how much of it is left, no system call tells. */
const TRIED = Buffer.alloc(256 * 1024)

/** Whether a file or a row found no room: the system's two errors for it, and PostgreSQL's. */
export const isDiskFull = (error: unknown): boolean =>
  codesOf(error).some((code) => ['ENOSPC', 'EDQUOT', '53100'].includes(code))

/** The same error, of whoever does not throw it. */
export const noSpaceLeft = (syscall: string): Error =>
  Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), {
    code: 'ENOSPC',
    syscall,
  })

/** Whether there is room on the disk of a folder to begin a job. What else is wrong with it, the job will say. */
export async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    if (bavail * bsize < Math.min(ROOM_BYTES, blocks * bsize * ROOM_SHARE)) return false
    const path = join(folder, `.room-${randomUUID()}`)
    await using file = await open(path, 'wx', 0o600)
    // A crash leaves nothing of a file without a name.
    await rm(path)
    return (await file.write(TRIED)).bytesWritten === TRIED.length
  } catch (error) {
    return !isDiskFull(error)
  }
}
