/** What this room does in threads, because its cost grows with a transcript. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import { type Tools, bytes } from '#server/threads.ts'

import * as files from './files.ts'
import { type PageFacts, pageOf } from './page.ts'
import { type Asked, read } from './shown.ts'

export type Encoding = 'br' | 'gzip' | null

/** Quick rather than small: the page is made for each who asks. */
const BROTLI_QUALITY = 4

export async function page(
  { encoding, facts, ...asked }: Asked & { encoding: Encoding; facts: PageFacts },
  { db }: Tools,
): Promise<Uint8Array> {
  const html = bytes(pageOf(await read(db, asked), facts))
  switch (encoding) {
    case 'br':
      return new Uint8Array(
        brotliCompressSync(html, {
          params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
        }),
      )
    case 'gzip':
      return new Uint8Array(gzipSync(html))
    case null:
      return html
  }
}

export async function file(
  { format, recording, ...asked }: Asked & { format: files.ShareFormat; recording: string | null },
  { db }: Tools,
) {
  const made = files.fileOf(await read(db, asked), { format, recording })
  return { ...made, content: bytes(made.content) }
}

/** The picture that other programs show beside the address. Its libraries are large, and pages need none. */
export async function picture(asked: Asked, { db }: Tools): Promise<Uint8Array> {
  const { drawnOf } = await import('./picture.ts')
  return drawnOf(await read(db, asked))
}
