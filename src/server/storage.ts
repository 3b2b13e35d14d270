/**
 * Where recordings lie: on a disk (below) or in a bucket (`s3.ts`). Keys are random names made by
 * the server; no name a user gave ever reaches a path. A file is there under its key completely or
 * not at all. When storage cannot be reached, every call throws StorageAway.
 */
import { randomUUID } from 'node:crypto'
import {
  constants,
  mkdir,
  mkdtemp,
  open,
  opendir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type Readable, addAbortSignal } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { codeOf } from './error-codes.ts'
import { noSpaceLeft } from './own-disk.ts'

export interface Storage {
  /**
   * Keeps the bytes of the stream, and answers once they are safely kept. When the stream fails or the
   * signal fires, it throws and leaves nothing.
   */
  write(key: string, content: Readable, options: { signal: AbortSignal }): Promise<Written>
  /** Begins a file that comes in parts. Answers what else it is known by: see InParts. */
  beginParts(key: string, sizeBytes: number): Promise<string>
  /** Where a browser puts a part by itself, for some hours; null where it is given to `putPart`. */
  partAddress(file: InParts, number: number): Promise<string | null>
  /**
   * Keeps one part, or its rest from a byte on. On a disk the bytes of one that breaks off are kept
   * too; a bucket takes whole parts only.
   *
   * @throws WrongSize, NotStored once all parts are joined
   */
  putPart(
    file: InParts,
    part: { number: number; fromByte: number },
    content: Readable,
    options: { signal: AbortSignal },
  ): Promise<void>
  /** How many bytes are kept of each part; all of them once they are joined. @throws NotStored */
  keptParts(file: InParts): Promise<Map<number, number>>
  /** Makes the parts one file under its key. May be repeated. @throws PartsMissing, NotStored */
  joinParts(file: InParts): Promise<void>
  /** The content as a local file, for programs such as ffmpeg. Release it when done. @throws NotStored */
  open(key: string): Promise<LocalFile>
  /**
   * A new folder for a program that writes files to be stored. The caller removes it. Where it is said for
   * whom it is, what is left of an earlier one for the same is removed first.
   */
  workFolder(owner?: string): Promise<string>
  /** Keeps a file of a work folder under a key that nothing is kept under. */
  keep(key: string, path: string, options: { signal: AbortSignal }): Promise<void>
  /** Streams the content, or the bytes from `start` to `end`, both included. @throws NotStored */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** @throws NotStored */
  require(key: string): Promise<void>
  /**
   * Where a browser can read the content by itself, for some hours and without us; null where only
   * this server can. It is told the media type and the `Content-Disposition`.
   */
  address(key: string, told: { type: string; disposition: string }): Promise<string | null>
  /** Removes it, also in the middle of a write. A file that is not there is no error. */
  remove(key: string): Promise<void>
  /** The mark that `setMark` wrote last; null when there is none. See file-marks.ts. */
  mark(): Promise<string | null>
  setMark(text: string): Promise<void>
  /**
   * Every key, also of writes that were never finished, in order and page by page. The reader may
   * pause, or go on elsewhere `after` the last key that was read.
   */
  list(after?: string): AsyncIterable<Stored[]>
  /** How much can still be written here, and how much there is in all; `Infinity` where there is no end. */
  space(): Promise<Space>
}

interface Written {
  sizeBytes: number
}

/** A file that comes in parts. */
export interface InParts {
  key: string
  /** The bucket's own name of the unfinished upload; empty on a disk. */
  token: string
  sizeBytes: number
}

interface Part {
  /** From 1. */
  number: number
  startByte: number
  sizeBytes: number
}

/** The size of every part but the last. */
export const PART_BYTES = 8 * 1024 ** 2

export function partsOf({ sizeBytes }: Pick<InParts, 'sizeBytes'>): Part[] {
  return Array.from({ length: Math.ceil(sizeBytes / PART_BYTES) }, (_, index) => {
    const startByte = index * PART_BYTES
    const rest = sizeBytes - startByte
    return { number: index + 1, startByte, sizeBytes: Math.min(PART_BYTES, rest) }
  })
}

/** @throws NotStored for a number that the file has not */
export function partOf(file: Pick<InParts, 'sizeBytes'>, number: number): Part {
  const part = partsOf(file)[number - 1]
  if (!part) throw new NotStored(undefined)
  return part
}

interface LocalFile {
  path: string
  release(): Promise<void>
}

export interface Stored {
  key: string
  modifiedAt: Date
}

export interface Space {
  freeBytes: number
  totalBytes: number
}

/** There is nothing under the key. */
export class NotStored extends Error {
  constructor(cause: unknown) {
    super('nothing is stored under this key', { cause })
  }
}

/** A part has more or fewer bytes than it is to have. */
export class WrongSize extends Error {
  constructor() {
    super('this part has another size')
  }
}

/** Not all parts of a file have come. */
export class PartsMissing extends Error {
  constructor(cause?: unknown) {
    super('parts of this file have not come yet', { cause })
  }
}

/** Storage restarts, or cannot be reached: the call itself is right. */
export class StorageAway extends Error {
  constructor(cause: unknown) {
    super('storage cannot be reached', { cause })
  }
}

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A name that is no key was put there by somebody else, and is left alone. */
export const isKey = (name: string): boolean => KEY.test(name)

export function requireKey(name: string): string {
  if (!isKey(name)) throw new Error('a storage key must be a UUID')
  return name
}

const UNFINISHED = '.part'
/** Beside an unfinished file that comes in parts: how many bytes of which are on the disk, line by line. */
const KEPT = '.parts'
/** How often that is written down while a part comes slowly: its connection may die silently. */
const NOTE_MS = 2_000
/** How much of a part is written at once. */
const PIECE_BYTES = 1024 ** 2
const MARKER = '.installation'
const WORK = '.work'
const DAY_MS = 86_400_000
const PAGE = 1_000
/** How many keys are remembered of a folder: it has no order, so all are read for the next ones. */
const AHEAD = 50 * PAGE

/** Recordings in a folder of this machine, or of a disk that all machines share. */
export function diskStorage(folder: string): Storage {
  function pathOf(key: string): string {
    return join(folder, requireKey(key))
  }

  return {
    async write(key, content, { signal }) {
      hear(content)
      const path = pathOf(key)
      const unfinished = `${path}${UNFINISHED}`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(unfinished, 'wx', 0o600)
      let written = unfinished
      try {
        // `flush` is fsync: a file that was acknowledged survives a power cut.
        await pipeline(content, file.createWriteStream({ flush: true }), { signal })
        const { size } = await stat(unfinished)
        await rename(unfinished, path)
        written = path
        await flushFolder(folder)
        return { sizeBytes: size }
      } catch (error) {
        await rm(written, { force: true })
        throw error
      }
    },

    async beginParts(key, sizeBytes) {
      const path = pathOf(key)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await using file = await open(`${path}${UNFINISHED}`, 'wx', 0o600)
      await file.truncate(sizeBytes)
      await writeFile(`${path}${KEPT}`, '', { mode: 0o600 })
      return ''
    },

    partAddress: async () => null,

    async putPart(file, { number, fromByte }, content, { signal }) {
      hear(content)
      const part = partOf(file, number)
      const kept = (await this.keptParts(file)).get(number) ?? 0
      if (fromByte > kept) throw new WrongSize()
      await writePart(pathOf(file.key), { part, fromByte }, content, signal)
    },

    async keptParts(file) {
      const path = pathOf(file.key)
      const kept = new Map<number, number>()
      const notes = await readFile(`${path}${KEPT}`, 'utf8').catch(ignoreMissing)
      if (notes === undefined) {
        await this.require(file.key)
        for (const { number, sizeBytes } of partsOf(file)) kept.set(number, sizeBytes)
      }
      for (const line of notes?.split('\n') ?? []) {
        const [number = 0, bytes = 0] = line.split(' ').map(Number)
        if (bytes > 0) kept.set(number, Math.max(bytes, kept.get(number) ?? 0))
      }
      return kept
    },

    async joinParts(file) {
      const path = pathOf(file.key)
      const kept = await this.keptParts(file)
      if (partsOf(file).some(({ number, sizeBytes }) => kept.get(number) !== sizeBytes))
        throw new PartsMissing()
      await rename(`${path}${UNFINISHED}`, path).catch(ignoreMissing)
      await rm(`${path}${KEPT}`, { force: true })
      await flushFolder(folder)
      await this.require(file.key)
    },

    async open(key) {
      await this.require(key)
      return { path: pathOf(key), release: async () => {} }
    },

    workFolder: (owner) => newWorkFolder(join(folder, WORK), owner),

    /** Nothing is copied: that would take room for a third file. */
    async keep(key, path) {
      await using file = await open(path, 'r+')
      await file.chmod(0o600)
      await file.sync()
      await rename(path, pathOf(key))
      await flushFolder(folder)
    },

    async read(key, range) {
      const file = await open(pathOf(key)).catch(sayMissing)
      return file.createReadStream(range)
    },

    async require(key) {
      await stat(pathOf(key)).catch(sayMissing)
    },

    address: async () => null,

    async remove(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      await rm(`${path}${UNFINISHED}`, { force: true })
      await rm(`${path}${KEPT}`, { force: true })
    },

    async mark() {
      return readFile(join(folder, MARKER), 'utf8')
        .catch(ignoreMissing)
        .then((text) => text ?? null)
    },

    async setMark(text) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // A name of its own: two may write at once. The remains of a crash are removed like an
      // upload's rest.
      const unfinished = join(folder, `${randomUUID()}${UNFINISHED}`)
      await writeFile(unfinished, text, { flush: true })
      await rename(unfinished, join(folder, MARKER))
      await flushFolder(folder)
    },

    async *list(after = '') {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      let last: string | undefined = after
      while (last !== undefined) {
        const keys: string[] = await keysAfter(folder, last)
        for (let from = 0; from < keys.length; from += PAGE) {
          const part = keys.slice(from, from + PAGE)
          const found = await Promise.all(part.map((key) => lastChange(pathOf(key))))
          const page = part.flatMap((key, at) => {
            const modifiedAt = found[at]
            return modifiedAt ? { key, modifiedAt } : []
          })
          if (page.length > 0) yield page
        }
        last = keys.length < AHEAD ? undefined : keys.at(-1)
      }
    },

    async space() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { bavail, blocks, bsize } = await statfs(folder)
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    },
  }
}

/**
 * A sender may break off while its file is still being opened, and an error that nobody hears is
 * an uncaught exception. A later reader of the stream is told of it all the same.
 */
function hear(content: Readable): void {
  content.on('error', () => undefined)
}

/**
 * Writes a part where it belongs in the one file, so that joining copies nothing. A part that comes
 * late, over a connection of long ago or to another process, finds the file renamed: it must not change
 * a recording that was measured and priced.
 */
async function writePart(
  path: string,
  { part, fromByte }: { part: Part; fromByte: number },
  content: Readable,
  signal: AbortSignal,
): Promise<void> {
  const unfinished = await open(`${path}${UNFINISHED}`, 'r+').catch(sayMissing)
  // It is not made anew: the parts may have been joined.
  const notes = await open(`${path}${KEPT}`, constants.O_WRONLY | constants.O_APPEND).catch(
    async (error: unknown) => {
      await unfinished.close()
      return sayMissing(error)
    },
  )
  let at = fromByte
  let noted = at
  let notedAt = performance.now()
  const note = async () => {
    if (at === noted) return
    await unfinished.datasync()
    await notes.write(`${part.number} ${at}\n`)
    noted = at
    notedAt = performance.now()
  }
  const write = async (chunks: readonly Uint8Array[]) => {
    await stat(`${path}${UNFINISHED}`).catch(sayMissing)
    const { bytesWritten } = await unfinished.writev(chunks, part.startByte + at)
    // The system writes less than it was given only when there is no room for the rest.
    if (bytesWritten < sizeOf(chunks)) throw noSpaceLeft('write')
    at += bytesWritten
    if (content instanceof IncomingMessage) for (const chunk of chunks) free(chunk)
  }
  // One piece is written while the next comes in.
  let writing = Promise.resolve()
  let piece: Uint8Array[] = []
  const writePiece = () => {
    const chunks = piece
    piece = []
    writing = writing.then(() => write(chunks))
    writing.catch(() => undefined) // Awaited below.
  }
  try {
    const chunks = addAbortSignal(signal, content) as AsyncIterable<Uint8Array>
    let missing = part.sizeBytes - fromByte
    for await (const chunk of chunks) {
      missing -= chunk.length
      if (missing < 0) throw new WrongSize()
      piece.push(chunk)
      const isDue = performance.now() - notedAt > NOTE_MS
      if (sizeOf(piece) < PIECE_BYTES && !isDue) continue
      await writing
      writePiece()
      if (isDue) await writing.then(note)
    }
    if (missing > 0) throw new WrongSize()
  } finally {
    // What has come counts, also of a part that broke off.
    if (piece.length > 0) writePiece()
    await writing.then(note).finally(() => Promise.all([unfinished.close(), notes.close()]))
  }
}

/** The next keys of a folder after one, in order. */
async function keysAfter(folder: string, after: string): Promise<string[]> {
  const first = (keys: Set<string>) => [...keys].toSorted().slice(0, AHEAD)
  let keys = new Set<string>()
  let end: string | undefined
  for await (const { name } of await opendir(folder, { bufferSize: 1_024 })) {
    const key = name.replace(/\.parts?$/, '')
    if (key <= after || (end !== undefined && key > end) || !isKey(key)) continue
    keys.add(key)
    if (keys.size < 2 * AHEAD) continue
    keys = new Set(first(keys))
    end = [...keys].at(-1)
  }
  return first(keys)
}

/** Of the file itself, or of what there is of it. Nothing when it was removed meanwhile. */
async function lastChange(path: string): Promise<Date | undefined> {
  for (const suffix of ['', UNFINISHED, KEPT]) {
    const found = await stat(`${path}${suffix}`).catch(ignoreMissing)
    if (found) return found.mtime
  }
  return undefined
}

/** Removes the files that a dead process left. Younger ones may be in use. */
export async function forgetLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const left = join(folder, name)
    const found = await stat(left).catch(() => null)
    if (found && Date.now() - found.mtimeMs > DAY_MS)
      await rm(left, { recursive: true, force: true })
  }
}

export async function newWorkFolder(parent: string, owner?: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await forgetLeft(parent)
  if (owner === undefined) return mkdtemp(join(parent, 'work-'))
  const own = join(parent, `work-of-${owner}`)
  await rm(own, { recursive: true, force: true })
  await mkdir(own, { mode: 0o700 })
  return own
}

const sizeOf = (chunks: readonly Uint8Array[]): number =>
  chunks.reduce((sum, { length }) => sum + length, 0)

/**
 * Gives the memory of a chunk that came over HTTP back at once: nobody else has it. Left to the
 * collector, 100 MB of chunks make it go five times through all of the server's memory, which takes
 * longer than to write them.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** The rename itself is only kept once the folder is flushed too. */
async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

function sayMissing(error: unknown): never {
  throw codeOf(error) === 'ENOENT' ? new NotStored(error) : error
}

/** A file may be removed or finished while the folder is listed. */
function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}
