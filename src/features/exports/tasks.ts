/** Work of this room that grows with a transcript, and therefore runs in threads. */
import type { Owned } from '#features/row/row.ts'
import { type Tools, bytes, json } from '#server/threads.ts'

import type { CaptionsQuery, ExportOptions, TextQuery } from './contract.ts'
import * as exports from './exports.ts'
import type { ExportFile } from './file-of.ts'

export const exportFile = async (
  asked: Owned & ExportOptions & { isWhole?: boolean },
  { db }: Tools,
) => packed(await exports.exportFile({ db }, asked))

export const lookAtExport = async (asked: Owned & ExportOptions, { db }: Tools) =>
  json(await exports.lookAtExport({ db }, asked))

export const textFile = async (asked: Owned & TextQuery, { db }: Tools) =>
  packed(await exports.textFile({ db }, asked))

const packed = ({ content, ...file }: ExportFile) => ({
  ...file,
  content: typeof content === 'string' ? bytes(content) : content,
})

export const checkCaptions = async (asked: Owned & CaptionsQuery, { db }: Tools) =>
  json(await exports.checkCaptions({ db }, asked))

export const draw = (request: exports.DrawRequest) => exports.draw(request)
