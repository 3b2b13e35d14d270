/**
 * Archives that are sent while they are packed: one file is open at a time, and no more of it is in
 * memory than is on its way. A client that goes away ends the packing.
 */
import { Readable } from 'node:stream'

import { ZipFile } from 'yazl'

import type { ExportFile } from './personal-data.ts'
import { NotStored } from './storage.ts'

const PIECE_BYTES = 64 * 1024

interface Packing {
  /** Answers when the file is in the archive, and whether it was there. Names are made unique. */
  add(file: ExportFile): Promise<boolean>
  /** Nobody listens any more, so nothing more need be packed. */
  isOver(): boolean
}

/** The archive of what `pack` adds. When that fails, the archive breaks off. */
export function zipped(pack: (packing: Packing) => Promise<void>): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const taken = new Set<string>()
  const work = async () => {
    await pack({ add: (file) => add(zip, output, file, taken), isOver: () => output.destroyed })
    zip.end()
  }
  work().catch((error: unknown) => {
    output.destroy(
      error instanceof Error ? error : new Error('the archive failed', { cause: error }),
    )
  })
  return output
}

/** Recordings are compressed already, so streams are stored as they are. */
async function add(
  zip: ZipFile,
  output: Readable,
  { path, content, modifiedAt }: ExportFile,
  taken: Set<string>,
): Promise<boolean> {
  const options = { mtime: modifiedAt, compress: false, mode: 0o100600 }
  if (typeof content === 'string') {
    const name = freeName(path, taken)
    zip.addBuffer(Buffer.from(content), name, { ...options, compress: true })
    return true
  }
  const isText = content instanceof Uint8Array
  // Opened before: once its header is in the archive a file cannot be left out any more.
  const stream = isText ? Readable.from(piecesOf(content)) : await content().catch(nullIfGone)
  if (!stream) return false
  const isDone = new Promise<void>((resolve, reject) => {
    stream.once('close', resolve)
    stream.once('error', reject)
    output.once('close', () => {
      // Nobody listens any more: the file must not stay open.
      stream.destroy()
      resolve()
    })
  })
  zip.addReadStream(stream, freeName(path, taken), { ...options, compress: isText })
  await isDone
  return true
}

/** Hours of words are counted and packed piece by piece, so that requests come in between. */
function* piecesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE_BYTES)
    yield content.subarray(at, at + PIECE_BYTES)
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
