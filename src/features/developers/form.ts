/** Multipart forms of programs: one file, and fields that may come more than once. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

import type { Multipart } from '@fastify/multipart'

import { MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

export const formLimits = {
  throwFileSizeLimit: false,
  // A second file is refused by name below.
  limits: { fileSize: MAX_UPLOAD_BYTES, files: 2, fields: 40, fieldSize: 100_000, parts: 42 },
}

export interface IncomingFile {
  name: string
  stream: Readable
  isTruncated: () => boolean
}

export interface Form<Kept> {
  /** By name, without the `[]` or `[0]` that some clients write after those of a list. */
  fields: Record<string, string[]>
  kept: Kept
  /** The same for the same fields and the same file, whatever the form around them looks like. */
  fingerprint: string
}

/**
 * Reads a whole form, in whatever order it comes; `keep` is given the file and must read it to its
 * end. When the form turns out bad afterwards, `discard` is given what was kept.
 *
 * @throws Refusal `invalid_request`, `no_file`
 */
export async function readForm<Kept>(
  parts: AsyncIterable<Multipart>,
  {
    keep,
    discard,
  }: { keep: (file: IncomingFile) => Promise<Kept>; discard: (kept: Kept) => Promise<void> },
): Promise<Form<Kept>> {
  const named = new Map<string, string[]>()
  const hash = createHash('sha256')
  let kept: Kept | undefined
  let fileName: string | null = null
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        const name = part.fieldname.replace(/\[\d*\]$/, '')
        named.set(name, [...(named.get(name) ?? []), String(part.value)])
        continue
      }
      if (fileName !== null || part.fieldname !== 'file')
        throw new Refusal('invalid_request', {
          message: 'The recording is sent as the only file, in a field called file.',
        })
      fileName = part.filename
      const { file } = part
      const stream = Readable.from(
        listened(file, (chunk) => hash.update(chunk)),
        {
          objectMode: false,
        },
      )
      kept = await keep({ name: part.filename, stream, isTruncated: () => file.truncated })
    }
    if (kept === undefined) throw new Refusal('no_file')
  } catch (error) {
    if (kept !== undefined) await discard(kept)
    throw error
  }
  const fields = Object.fromEntries(named)
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const asked = JSON.stringify([sorted, fileName, hash.digest('base64url')])
  const fingerprint = createHash('sha256').update(asked).digest('base64url')
  return { fields, kept, fingerprint }
}

async function* listened(
  source: Readable,
  listen: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    listen(chunk)
    yield chunk
  }
}

/** Reads a file to its end and keeps nothing of it. */
export async function passOver({ stream }: IncomingFile): Promise<null> {
  stream.resume()
  await finished(stream)
  return null
}
