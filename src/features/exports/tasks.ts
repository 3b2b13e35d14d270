/** What this room does in threads, because its cost grows with a transcript. */
import type { Owned } from '#features/row/row.ts'
import { type Tools, bytes, json } from '#server/threads.ts'

import type { CaptionsQuery, ExportOptions } from './contract.ts'
import * as exports from './exports.ts'

export async function exportFile(asked: Owned & ExportOptions, { db }: Tools) {
  const file = await exports.exportFile({ db }, asked)
  const { content } = file
  return { ...file, content: typeof content === 'string' ? bytes(content) : content }
}

export const checkCaptions = async (asked: Owned & CaptionsQuery, { db }: Tools) =>
  json(await exports.checkCaptions({ db }, asked))

export const draw = (request: exports.DrawRequest) => exports.draw(request)
