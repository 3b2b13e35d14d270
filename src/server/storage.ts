/**
 * Where recordings lie: on a disk (below) or in a bucket (`s3.ts`). Keys are random names made by
 * the server; no name a user gave ever reaches a path. A file is there under its key completely or
 * not at all. When storage cannot be reached, every call throws StorageAway.
 */
import { randomUUID } from 'node:crypto'
import {
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface Storage {
  /**
   * Keeps what the stream brings, and answers once it is safely kept. When the stream fails or
   * the signal fires, it throws and leaves nothing.
   */
  write(key: string, content: Readable, options: { signal: AbortSignal }): Promise<Written>
  /** The content as a local file, for programs such as ffmpeg. Release it when done. @throws NotStored */
  open(key: string): Promise<LocalFile>
  /** Streams the content, or the bytes from `start` to `end`, both included. @throws NotStored */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** @throws NotStored */
  require(key: string): Promise<void>
  /**
   * Where a browser can read the content by itself, for some hours and without us; null where only
   * this server can. `type` is the media type it is told.
   */
  address(key: string, type: string): Promise<string | null>
  /** Removes it, wherever a write has got to. What is not there is no error. */
  remove(key: string): Promise<void>
  /** What was last written with `setMark`; null when nothing was. See file-marks.ts. */
  mark(): Promise<string | null>
  setMark(text: string): Promise<void>
  /** Every key, also of writes that were never finished, page by page: whoever reads may pause. */
  list(): AsyncIterable<Stored[]>
  /** How much can still be written here, and how much there is in all; `Infinity` where there is no end. */
  space(): Promise<Space>
}

interface Written {
  sizeBytes: number
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

/** Storage restarts, or cannot be reached: nothing is wrong with what was asked. */
export class StorageAway extends Error {
  constructor(cause: unknown) {
    super('storage cannot be reached', { cause })
  }
}

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What is not a key was put there by somebody else, and is left alone. */
export const isKey = (name: string): boolean => KEY.test(name)

export function requireKey(name: string): string {
  if (!isKey(name)) throw new Error('a storage key must be a UUID')
  return name
}

const UNFINISHED = '.part'
const MARKER = '.installation'
const PAGE = 1_000

/** Recordings in a folder of this machine, or of a disk that all machines share. */
export function diskStorage(folder: string): Storage {
  function pathOf(key: string): string {
    return join(folder, requireKey(key))
  }

  return {
    async write(key, content, { signal }) {
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

    async open(key) {
      await this.require(key)
      return { path: pathOf(key), release: async () => {} }
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
    },

    async mark() {
      return readFile(join(folder, MARKER), 'utf8')
        .catch(ignoreMissing)
        .then((text) => text ?? null)
    },

    async setMark(text) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // A name of its own: two may write at once. What a crash leaves is removed like an upload's rest.
      const unfinished = join(folder, `${randomUUID()}${UNFINISHED}`)
      await writeFile(unfinished, text, { flush: true })
      await rename(unfinished, join(folder, MARKER))
      await flushFolder(folder)
    },

    async *list() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      let page: Stored[] = []
      for await (const entry of await opendir(folder, { bufferSize: 256 })) {
        const key = entry.name.endsWith(UNFINISHED)
          ? entry.name.slice(0, -UNFINISHED.length)
          : entry.name
        if (!isKey(key)) continue
        const found = await stat(join(folder, entry.name)).catch(ignoreMissing)
        if (found) page.push({ key, modifiedAt: found.mtime })
        if (page.length < PAGE) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },

    async space() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { bavail, blocks, bsize } = await statfs(folder)
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    },
  }
}

/** The rename itself is only kept once the folder is flushed too. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

function sayMissing(error: unknown): never {
  throw isMissing(error) ? new NotStored(error) : error
}

/** A file may be removed or finished while the folder is listed. */
function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined
  throw error
}
