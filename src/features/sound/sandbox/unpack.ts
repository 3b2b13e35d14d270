/**
 * Takes named files out of a .tar.bz2 that somebody else packed. bzip2 runs in the sandbox, where it
 * reads the archive and writes nothing. Names in the archive are compared with those that are wanted,
 * and never decide where a file is written. Other files are passed over. An archive with a path
 * that leads out of its folder, or with a link in the place of a wanted file, is refused as a whole.
 */
import { once } from 'node:events'
import { posix } from 'node:path'

import { extract, type ReadEntry } from 'tar'

import { BadArchive, type UnpackOptions } from '#features/models/models.ts'

import { MissingProgram, needProgram } from './programs.ts'
import { start } from './sandbox.ts'

const MOST_ENTRIES = 10_000
/** The second is how old archives call it. */
const plain = ['File', 'OldFile']
const MEMORY_BYTES = 256 * 1024 * 1024

/** @throws MissingProgram */
export const needUnpacker = (): Promise<string> => needProgram('bzip2')

/** All of `names` are in `folder` afterwards. @throws BadArchive, MissingProgram */
export async function unpack(
  path: string,
  folder: string,
  { names, mostBytes, signal, onBytes }: UnpackOptions,
): Promise<void> {
  const taken = new Set<string>()
  let entries = 0
  let entryBytes = 0
  let readBytes = 0
  const refuseMore = (bytes: number) => {
    if (bytes > mostBytes) throw new BadArchive(`it holds more than ${mostBytes} bytes`)
  }
  const isTaken = ({ path: packed, type, size }: ReadEntry): boolean => {
    if (++entries > MOST_ENTRIES) throw new BadArchive(`it has more than ${MOST_ENTRIES} entries`)
    refuseMore((entryBytes += size))
    const name = nameWithin(packed)
    if (name === null || !(names?.includes(name) ?? plain.includes(type)) || taken.has(name))
      return false
    if (!plain.includes(type)) throw new BadArchive(`${name} is not a plain file in it`)
    taken.add(name)
    return true
  }
  const files = extract({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    filter: (_, entry) => isTaken(entry as ReadEntry),
    onReadEntry: (entry) => (entry.path = nameWithin(entry.path) ?? ''),
  })
  // Rejects on the first error; those that follow are of the same archive.
  const written = once(files, 'close')
  written.catch(() => undefined)
  let isOver = false
  const over = new Promise<void>((resolve) => {
    files.once('eof', () => {
      isOver = true
      resolve()
    })
  })
  files.on('error', () => undefined)
  try {
    for await (const block of bunzip2(path, mostBytes, signal)) {
      refuseMore((readBytes += block.length))
      onBytes?.(readBytes)
      // Bytes after the end of the archive are read, and must be undamaged as well.
      if (!isOver && !files.write(block)) await Promise.race([once(files, 'drain'), written, over])
    }
    files.end()
    await written
  } catch (error) {
    signal.throwIfAborted()
    const isOurs = error instanceof BadArchive || error instanceof MissingProgram
    if (isOurs || !(error instanceof Error) || 'syscall' in error) throw error
    throw new BadArchive(`it is damaged, or no tar archive: ${error.message}`, { cause: error })
  }
  const lacking = names?.filter((name) => !taken.has(name)) ?? []
  if (lacking.length > 0) throw new BadArchive(`it does not hold ${lacking.join(', ')}`)
}

/** The unpacked bytes of a file. Throws the message of bzip2 about a damaged one. */
async function* bunzip2(
  path: string,
  mostBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const program = await needUnpacker()
  const { stdout, stderr, ended, kill } = await start(program, ['-d', '-c', path], {
    signal,
    memoryBytes: MEMORY_BYTES,
    // About 10 MB/s on a slow core.
    cpuSeconds: 600 + mostBytes / 1_000_000,
    reads: [path],
    niceness: 5,
  })
  let said = ''
  stderr.setEncoding('utf8').on('data', (piece: string) => (said = (said + piece).slice(-300)))
  try {
    yield* stdout
    const { code } = await ended
    if (code !== 0) throw new Error(said.trim() || `bzip2 ended with ${code}`)
  } finally {
    kill()
    await ended
  }
}

/** The name below the archive's folder; null for that folder, and for what lies deeper or beside. */
function nameWithin(path: string): string | null {
  const isOutside = path.startsWith('/') || path.split('/').includes('..') || path.includes('\\')
  if (isOutside) throw new BadArchive(`it has a path that leads out of its folder: ${path}`)
  const [, name, ...deeper] = posix.normalize(path).replace(/\/$/, '').split('/')
  return name !== undefined && deeper.length === 0 ? name : null
}
