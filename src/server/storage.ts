/**
 * Where recordings lie. Keys are random names made by the server; no name a user gave ever reaches
 * a path. A file is there under its key completely or not at all.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
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
   * Keeps what the stream brings, and answers once it is safely on disk. When the stream fails or
   * the signal fires, it throws and leaves nothing.
   */
  write(key: string, content: Readable, options: { signal: AbortSignal }): Promise<Written>
  /** The content as a local file, for programs such as ffmpeg. Release it when done. */
  open(key: string): Promise<LocalFile>
  /** Streams the content, or the bytes from `start` to `end`, both included. */
  read(key: string, range?: { start: number; end: number }): Readable
  /** Removes it, wherever a write has got to. What is not there is no error. */
  remove(key: string): Promise<void>
  /** What was last written with `setMark`; null when nothing was. See file-marks.ts. */
  mark(): Promise<string | null>
  setMark(text: string): Promise<void>
  /** Every key, also of writes that were never finished, page by page: whoever reads may pause. */
  list(): AsyncIterable<Stored[]>
  /** How much can still be written here, and how much there is in all. */
  space(): Promise<Space>
}

export interface Written {
  sizeBytes: number
}

export interface LocalFile {
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

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const UNFINISHED = '.part'
const MARKER = '.installation'
const PAGE = 1_000

export function diskStorage(folder: string): Storage {
  function pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error('a storage key must be a UUID')
    return join(folder, key)
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
      const path = pathOf(key)
      await stat(path)
      return { path, release: async () => {} }
    },

    read: (key, range) => createReadStream(pathOf(key), range),

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
        if (!KEY.test(key)) continue
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

/** A file may be removed or finished while the folder is listed. */
function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
