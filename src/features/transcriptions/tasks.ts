/**
 * What this room has done in threads: everything whose cost grows with a transcript, its reading
 * included, because a turn is as large as somebody has made it. Answers leave as bytes, which are
 * handed over and sent as they are.
 */
import { serialize } from 'node:v8'

import * as editing from '#features/editor/editing.ts'
import { type EditOutcome, undo as undoEdit } from '#features/editor/history.ts'
import * as naming from '#features/editor/naming.ts'
import * as view from '#features/editor/turn-view.ts'
import * as exports from '#features/exports/exports.ts'
import type { Tools } from '#server/threads.ts'
import { summaryFileName, transcriptionFileName } from '#shared/file-names.ts'

import { read as readFinished } from './direct.ts'
import { recordings } from './for-documents.ts'
import * as library from './library.ts'
import { summaryFile, transcriptionFile } from './results.ts'
import * as transcriptions from './transcriptions.ts'

type Owned = transcriptions.Owned

/** In memory of its own, so that it need not be copied on its way out. */
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value))

export const transcription = async (owned: Owned, { db }: Tools) =>
  json(await transcriptions.get({ db }, owned))

export const words = async (owned: Owned, { db }: Tools) => json(await view.words({ db }, owned))

/** For another room, which unpacks it in a thread too. */
export const packed = async (owned: Owned, { db }: Tools): Promise<Uint8Array> =>
  new Uint8Array(serialize(await readFinished({ db }, owned)))

/** What a document is made of. */
export const said = (owned: Owned, { db }: Tools) =>
  recordings(db).read(owned, new AbortController().signal)

/** Looks for words in what was said. */
export const search = (asked: Parameters<typeof library.list>[1], { db }: Tools) =>
  library.list({ db }, asked)

export async function exportFile(asked: Owned & exports.ExportOptions, { db }: Tools) {
  const file = await exports.exportFile({ db }, asked)
  const { content } = file
  return { ...file, content: typeof content === 'string' ? bytes(content) : content }
}

export const draw = (request: exports.DrawRequest) => exports.draw(request)

export async function textFile(owned: Owned, { db }: Tools) {
  const { row, turns } = await transcriptions.getFinished({ db }, owned)
  const content = bytes(transcriptionFile(row, turns))
  return { name: transcriptionFileName(row.originalName), content }
}

export async function summary(owned: Owned, { db }: Tools) {
  const { row } = await transcriptions.getFinished({ db }, owned)
  return { name: summaryFileName(row.originalName), content: bytes(summaryFile(row)) }
}

export type Change<Input> = (
  input: Input,
  tools: Tools,
) => Promise<{ kind: EditOutcome['kind']; body: Uint8Array }>

const change =
  <Input>(work: (tools: Tools, input: Input) => Promise<EditOutcome>): Change<Input> =>
  async (input, tools) => {
    const outcome = await work(tools, input)
    return outcome.kind === 'edited'
      ? { kind: outcome.kind, body: json(outcome.edited) }
      : { kind: outcome.kind, body: json(editing.asConflict(outcome.current)) }
  }

export const setText = change(editing.setText)
export const split = change(editing.split)
export const merge = change(editing.merge)
export const accept = change(editing.accept)
export const restore = change(editing.restore)
export const restoreAll = change(editing.restoreAll)
export const undo = change(undoEdit)
export const rename = change(naming.rename)
export const reassign = change(naming.reassign)
