/** What this room has done in threads, because its cost grows with a transcript. */
import type { Owned } from '#features/recordings/recordings.ts'
import { type Tools, bytes } from '#server/threads.ts'

import * as exports from './exports.ts'

export async function exportFile(asked: Owned & exports.ExportOptions, { db }: Tools) {
  const file = await exports.exportFile({ db }, asked)
  const { content } = file
  return { ...file, content: typeof content === 'string' ? bytes(content) : content }
}

export const draw = (request: exports.DrawRequest) => exports.draw(request)
