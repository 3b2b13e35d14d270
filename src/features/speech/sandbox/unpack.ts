/**
 * Takes named files out of a .tar.bz2 that somebody else packed. Nothing in the archive decides where
 * something is written: its names are only compared with those that are wanted, and whatever is not
 * wanted is not unpacked at all. An archive with a path that leads out of its folder, or a link in
 * the place of a wanted file, is refused as a whole. bzip2 runs in the sandbox.
 */
import { open } from 'node:fs/promises'
import { join, posix } from 'node:path'

import { BadArchive, type UnpackOptions } from '#features/models/models.ts'

import { needProgram } from './programs.ts'
import { start } from './sandbox.ts'

const BLOCK = 512
const MOST_ENTRIES = 10_000
const MEMORY_BYTES = 256 * 1024 * 1024

/** Answers the sizes of the files, all of which are then in `folder`. @throws BadArchive, MissingProgram */
export async function unpack(
  path: string,
  folder: string,
  { names, mostBytes, signal, onBytes }: UnpackOptions,
): Promise<Map<string, number>> {
  const program = await needProgram('bzip2')
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
    const taken = await take(counted(stdout, mostBytes, onBytes), folder, names)
    const { code } = await ended
    signal.throwIfAborted()
    if (code !== 0)
      throw new BadArchive(`it is damaged: ${said.trim() || `bzip2 ended with ${code}`}`)
    const lacking = names.filter((name) => !taken.has(name))
    if (lacking.length > 0) throw new BadArchive(`it does not hold ${lacking.join(', ')}`)
    return taken
  } catch (error) {
    kill()
    stdout.destroy()
    const { code } = await ended
    signal.throwIfAborted()
    // The end was missing because bzip2 had stopped.
    if (error instanceof BadArchive && code !== 0 && code !== null && said !== '')
      throw new BadArchive(`it is damaged: ${said.trim()}`, { cause: error })
    throw error
  }
}

async function* counted(
  source: AsyncIterable<Buffer>,
  mostBytes: number,
  onBytes: UnpackOptions['onBytes'],
): AsyncGenerator<Buffer> {
  let total = 0
  // Not for await: leaving that loop early would destroy the stream before its end was read.
  const blocks = source[Symbol.asyncIterator]()
  for (let next = await blocks.next(); !next.done; next = await blocks.next()) {
    total += next.value.length
    if (total > mostBytes) throw new BadArchive(`it holds more than ${mostBytes} bytes`)
    onBytes?.(total)
    yield next.value
  }
}

async function take(
  source: AsyncIterable<Buffer>,
  folder: string,
  names: readonly string[],
): Promise<Map<string, number>> {
  const bytes = reader(source)
  const taken = new Map<string, number>()
  let longName: string | null = null
  for (let entries = 0; ; entries++) {
    if (entries > MOST_ENTRIES) throw new BadArchive(`it has more than ${MOST_ENTRIES} entries`)
    const header = await bytes.exactly(BLOCK)
    if (header.every((byte) => byte === 0)) {
      // What follows the archive's end must still be undamaged.
      await bytes.drain()
      return taken
    }
    const entry = readHeader(header)
    const padded = Math.ceil(entry.size / BLOCK) * BLOCK
    if (entry.type === 'L' || entry.type === 'x' || entry.type === 'g') {
      if (padded > LONGEST_EXTRA) throw new BadArchive('it has an unreasonable header')
      const text = (await bytes.exactly(padded)).subarray(0, entry.size).toString()
      if (entry.type === 'L') longName = text.replace(/\0.*$/s, '')
      if (entry.type === 'x') longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName
      continue
    }
    const name = nameWithin(longName ?? entry.name)
    longName = null
    const isWanted = name !== null && names.includes(name)
    if (isWanted && entry.type !== '0') throw new BadArchive(`${name} is not a plain file in it`)
    if (!isWanted || taken.has(name)) {
      await bytes.skip(padded)
      continue
    }
    await using file = await open(join(folder, name), 'wx')
    for await (const piece of bytes.pieces(entry.size)) await file.appendFile(piece)
    await file.sync()
    await bytes.skip(padded - entry.size)
    taken.set(name, entry.size)
  }
}

const LONGEST_EXTRA = 64 * 1024

interface Header {
  name: string
  size: number
  /** `0` a file, `5` a folder, `1` and `2` links, `L` and `x` the name of the entry that follows. */
  type: string
}

function readHeader(header: Buffer): Header {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  if (sum !== numberAt(header, 148, 8)) throw new BadArchive('it is no tar archive, or damaged')
  const name = textAt(header, 0, 100)
  const isUstar = header.toString('latin1', 257, 262) === 'ustar'
  const prefix = isUstar && header[262] === 0 ? textAt(header, 345, 155) : ''
  const type = textAt(header, 156, 1)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: numberAt(header, 124, 12),
    type: type === '' ? '0' : type,
  }
}

const textAt = (header: Buffer, from: number, length: number): string =>
  header.toString('utf8', from, from + length).replace(/\0.*$/s, '')

/** Octal digits; from 8 GB on, binary with the highest bit set. */
function numberAt(header: Buffer, from: number, length: number): number {
  if ((header[from] ?? 0) & 128) return Number(header.readBigUInt64BE(from + length - 8))
  const digits = textAt(header, from, length).trim()
  if (!/^[0-7]*$/.test(digits)) throw new BadArchive('it is no tar archive, or damaged')
  return Number.parseInt(digits || '0', 8)
}

/** The name below the archive's folder; null for that folder, and for what lies deeper or beside. */
function nameWithin(path: string): string | null {
  const isOutside = path.startsWith('/') || path.split('/').includes('..') || path.includes('\\')
  if (isOutside) throw new BadArchive(`it has a path that leads out of its folder: ${path}`)
  const [, name, ...deeper] = posix.normalize(path).replace(/\/$/, '').split('/')
  return name !== undefined && deeper.length === 0 ? name : null
}

/** Reads from a stream of blocks of any length. */
function reader(source: AsyncIterable<Buffer>) {
  const blocks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  const more = async (): Promise<void> => {
    const next = await blocks.next()
    if (next.done) throw new BadArchive('its end is missing')
    rest = next.value
  }
  const pieces = async function* (count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (rest.length === 0) await more()
      const piece = rest.subarray(0, left)
      rest = rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
  return {
    pieces,
    async exactly(count: number): Promise<Buffer> {
      const parts: Buffer[] = []
      for await (const piece of pieces(count)) parts.push(piece)
      return Buffer.concat(parts)
    },
    async drain(): Promise<void> {
      while (!(await blocks.next()).done) continue
    },
    async skip(count: number): Promise<void> {
      for await (const _ of pieces(count)) continue
    },
  }
}
