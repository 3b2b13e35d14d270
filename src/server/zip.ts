/**
 * Archives that are sent while they are packed: one file is open at a time, and no more of it is in
 * memory than is on its way. A client that goes away ends the packing. A file that cannot be opened is
 * left to its caller; one that ends in its middle breaks the archive off, and the log says so.
 */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

import { ZipFile } from 'yazl'

import type { Log } from './log.ts'
import type { ExportFile } from './personal-data.ts'
import { NotStored } from './storage.ts'

const PIECE_BYTES = 64 * 1024

interface Packing {
  /** Answers when the file is in the archive, and whether it was there. Names are made unique. */
  add(file: ExportFile): Promise<boolean>
  /** Nobody listens any more, or the archive broke off, so nothing more need be packed. */
  isOver(): boolean
}

/** The archive of what `pack` adds. When that fails, the archive breaks off. */
export function zipped({ log }: { log: Log }, pack: (packing: Packing) => Promise<void>): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const taken = new Set<string>()
  let open: Readable | null = null
  const isOver = () => output.destroyed
  // Nobody listens any more: the file must not stay open.
  output.once('close', () => open?.destroy())
  const breakOff = (error: unknown) => {
    if (isOver()) return
    log.error({ event: 'archive_broken_off', err: error }, 'an archive broke off')
    output.destroy(
      error instanceof Error ? error : new Error('the archive failed', { cause: error }),
    )
  }

  /** Recordings are compressed already, so stored files are packed as they are. */
  async function add({ path, content, modifiedAt }: ExportFile): Promise<boolean> {
    const isStored = typeof content === 'function'
    // Opened before: once its header is in the archive a file cannot be left out any more.
    const stream = isStored ? await content().catch(nullIfGone) : Readable.from(piecesOf(content))
    if (!stream) return false
    open = stream
    const options = { mtime: modifiedAt, compress: !isStored, mode: 0o100600 }
    if (isOver()) stream.destroy()
    else {
      zip.addReadStreamLazy(freeName(path, taken), options, handOver(stream))
      keepNameAlone(zip)
    }
    // It is read when the one before it is packed, and no sooner than somebody takes its bytes.
    await finished(stream, { cleanup: true }).catch(breakOff)
    return !isOver()
  }

  const work = async () => {
    await pack({ add, isOver })
    if (!isOver()) zip.end()
  }
  work().catch(breakOff)
  return output
}

/**
 * yazl keeps this function until the archive ends, so it must not keep bytes that were packed long ago.
 */
function handOver(stream: Readable) {
  let held: Readable | null = stream
  return (take: (error: unknown, stream: Readable) => void) => {
    const given = held
    held = null
    if (given) take(null, given)
  }
}

/**
 * yazl keeps the bytes of each name too. Short buffers share their memory with other values of the
 * time, such as the text of the file, and would keep all of them.
 */
function keepNameAlone(zip: ZipFile): void {
  const entry = (zip as unknown as { entries: { utf8FileName: Buffer }[] }).entries.at(-1)
  if (!entry) return
  const alone = Buffer.alloc(entry.utf8FileName.length)
  entry.utf8FileName.copy(alone)
  entry.utf8FileName = alone
}

/** Hours of words are counted and packed piece by piece, so that requests come in between. */
function* piecesOf(content: string | Uint8Array): Generator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** Deleted since the list was made. */
function nullIfGone(error: unknown): null {
  if (error instanceof NotStored) return null
  throw error
}

/** Two recordings may have one name. */
function freeName(path: string, taken: Set<string>): string {
  const [, stem = path, ending = ''] = /^(.*?)(\.[^./]*)?$/s.exec(path) ?? []
  let name = path
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${stem} (${n})${ending}`
  taken.add(name.toLowerCase())
  return name
}
