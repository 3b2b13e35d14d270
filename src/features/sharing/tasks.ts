/** The work of this room whose cost grows with a transcript: it is done in threads. */
import { gzipSync } from 'node:zlib'

import type { ExportFormatName } from '#features/exports/formats.ts'
import { type Tools, bytes } from '#server/threads.ts'

import { sharedFile } from './files.ts'
import { type PageFacts, pageOf } from './page.ts'
import { type ViewRequest, read } from './shown.ts'

export async function page(
  { isPacked, facts, ...asked }: ViewRequest & { isPacked: boolean; facts: PageFacts },
  { db }: Tools,
): Promise<Uint8Array> {
  const html = bytes(pageOf(await read(db, asked), facts))
  return isPacked ? new Uint8Array(gzipSync(html)) : html
}

export async function file(
  {
    format,
    recording,
    ...asked
  }: ViewRequest & { format: ExportFormatName; recording: string | null },
  { db }: Tools,
) {
  const made = await sharedFile(await read(db, asked), { format, recording })
  const { content } = made
  return { ...made, content: typeof content === 'string' ? bytes(content) : content }
}

/** The picture that other programs show beside the address. Its libraries are large, and pages need none. */
export async function picture(asked: ViewRequest, { db }: Tools): Promise<Uint8Array> {
  const { drawnOf } = await import('./picture.ts')
  return drawnOf(await read(db, asked))
}
