/**
 * Whether the disk that a process works on is full. A job that finds no room fails with one of the errors
 * below. Before the next one begins, the disk itself is asked.
 */
import { randomUUID } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import { codesOf } from './error-codes.ts'

/** The space that must be free before a job begins: enough for most recordings and their sound. */
const ROOM_BYTES = 256 * 1024 ** 2
/** On a small disk, this share of it is enough. */
const ROOM_SHARE = 0.05
/** Is written as a trial, because no system call tells how much of a quota is left. */
const TRIED = Buffer.alloc(256 * 1024)

/** Whether a file or a row found no room: the system's two errors for it, and PostgreSQL's. */
export const isDiskFull = (error: unknown): boolean =>
  codesOf(error).some((code) => ['ENOSPC', 'EDQUOT', '53100'].includes(code))

/** The system's error, for a program or a write that found no room without throwing it. */
export const noSpaceLeft = (syscall: string): Error =>
  Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), {
    code: 'ENOSPC',
    syscall,
  })

/** Whether the disk of a folder has room for a job. Other troubles with the folder are the job's to report. */
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
