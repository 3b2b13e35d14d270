/**
 * The file of a back-up: a tar archive behind zstd, whose checksum tells damage and whose end tells a
 * file that was cut. The first entry describes the rest, so that a wrong file is refused before
 * anything is unpacked.
 */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'

import { Header, type HeaderData, Parser, Pax, type ReadEntry, Unpack } from 'tar'
import { z } from 'zod'

import { codeOf } from '../error-codes.ts'

/** A reason not to begin, or not to go on, that the operator can act on. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** Grows when an older release could not read the archive any more. */
export const FORMAT = 1

/** The first entry. */
export const MANIFEST = 'quoth-backup.json'
export const Manifest = z.object({
  format: z.number(),
  createdAt: z.iso.datetime(),
  /** The major version of the PostgreSQL that wrote the data folder. */
  postgres: z.string(),
  /** When the newest migration was written that the database has seen. */
  migratedTo: z.number(),
  /** Null: in DATA_DIR, and so in the archive. */
  bucket: z.string().nullable(),
})
export type Manifest = z.infer<typeof Manifest>

/** The last entry. */
export const END = 'quoth-backup-end.json'
export const End = z.object({
  /** Recordings that the database names and that were not on the disk. */
  missing: z.array(z.string()),
})
export type End = z.infer<typeof End>

// ---- writing ----

const BLOCK = 512
const PIECE = 1024 * 1024

function* head(data: HeaderData): Generator<Buffer> {
  const header = new Header(data)
  const bytes = Buffer.alloc(BLOCK)
  const isTooLong = header.encode(bytes)
  if (isTooLong) yield new Pax(data).encode()
  yield bytes
}

export function* folderEntry(path: string): Generator<Buffer> {
  yield* head({ path: `${path}/`, type: 'Directory', mode: 0o700, size: 0, mtime: new Date() })
}

export function* textEntry(path: string, text: string): Generator<Buffer> {
  const bytes = Buffer.from(text)
  yield* head({ path, type: 'File', mode: 0o600, size: bytes.length, mtime: new Date() })
  yield bytes
  yield Buffer.alloc(-bytes.length & (BLOCK - 1))
}

/**
 * A file as it is now, under its name in the archive. Answers how many bytes, and null when there is
 * none. One that is cut meanwhile is filled up with zeros: PostgreSQL does that to its files, and does
 * it again when the data is restored.
 */
export async function* fileEntry(
  name: string,
  path: string,
): AsyncGenerator<Buffer, number | null> {
  await using file = await open(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (!file) return null
  const { size, mtime } = await file.stat()
  yield* head({ path: name, type: 'File', mode: 0o600, size, mtime })
  for (let left = size, isCut = false; left > 0;) {
    const piece = Buffer.alloc(Math.min(left, PIECE))
    const bytesRead: number = isCut ? 0 : (await file.read(piece)).bytesRead
    isCut ||= bytesRead === 0
    yield isCut ? piece : piece.subarray(0, bytesRead)
    left -= isCut ? piece.length : bytesRead
  }
  yield Buffer.alloc(-size & (BLOCK - 1))
  return size
}

export function* endOfArchive(): Generator<Buffer> {
  yield Buffer.alloc(2 * BLOCK)
}

/** Most of a back-up is sound, which does not get smaller: a higher level only takes time. */
export const compress = () =>
  createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  })

// ---- reading ----

/** @throws BackupRefused when the file is no back-up, or cut before its first entry */
export async function readManifest(path: string): Promise<Manifest> {
  const stop = new AbortController()
  let text = ''
  let isFirst = true
  const entries = new Parser({
    onReadEntry(entry: ReadEntry) {
      if (isFirst && entry.path === MANIFEST) {
        entry.on('data', (piece: Buffer) => (text += piece.toString()))
        entry.on('end', () => stop.abort())
      } else stop.abort()
      isFirst = false
    },
  })
  await pass(path, entries, { signal: stop.signal }).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  const manifest = Manifest.safeParse(parse(text))
  if (!manifest.success) throw new BackupRefused(`${path} is not a back-up of Quoth.`)
  return manifest.data
}

/** Unpacks everything below a folder that is there. @throws BackupRefused when the archive is not whole */
export async function unpack(
  path: string,
  folder: string,
  options: { signal: AbortSignal; onBytes: (count: number) => void },
): Promise<void> {
  const entries = new Unpack({ cwd: folder, strict: true, preserveOwner: false })
  // When the archive breaks off, some files are still being written, and the folder may be removed by
  // then. An error that nobody listens to ends the process.
  entries.on('error', () => undefined)
  await pass(path, entries, options)
}

/** Hands the content of the archive to node-tar, which is a stream of its own kind. */
async function pass(
  path: string,
  entries: Parser,
  { signal, onBytes }: { signal: AbortSignal; onBytes?: (count: number) => void },
): Promise<void> {
  const closed = once(entries, 'close', { signal })
  // What follows the end of the archive is read, and must be undamaged too, but nobody takes it.
  let isOver = false
  const over = once(entries, 'eof', { signal }).then(() => (isOver = true))
  for (const each of [closed, over]) each.catch(() => undefined)
  const counted = new Transform({
    transform(piece: Buffer, _, done) {
      onBytes?.(piece.length)
      done(null, piece)
    },
  })
  try {
    await pipeline(
      createReadStream(path, { highWaterMark: PIECE }),
      counted,
      createZstdDecompress(),
      async (content: AsyncIterable<Buffer>) => {
        for await (const piece of content)
          if (!isOver && !entries.write(piece))
            await Promise.race([once(entries, 'drain', { signal }), closed, over])
      },
      { signal },
    )
    entries.end()
    await closed
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Error && /^(Z_|ZSTD_|TAR_)/.test(codeOf(error)))
      throw new BackupRefused(`${path} is cut or damaged: ${error.message}.`, { cause: error })
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
