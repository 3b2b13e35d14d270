/**
 * The tasks of this room in threads: all work whose cost grows with a transcript. Reading one is among
 * it, because a turn can be of any size. Answers leave as bytes, which are handed over and sent as they
 * are.
 */
import { serialize } from 'node:v8'

import type { Owned } from '#features/row/row.ts'
import { type Tools, bytes, json } from '#server/threads.ts'
import { summaryFileName } from '#shared/file-names.ts'

import * as ownSummary from './own-summary.ts'
import { summaryFile } from './results.ts'
import * as said from './said.ts'
import * as running from './so-far.ts'
import * as transcriptions from './transcriptions.ts'

export const transcription = async (owned: Owned, { db }: Tools) =>
  json(await transcriptions.get({ db }, owned))

export const soFar = async (asked: Parameters<typeof running.soFar>[1], tools: Tools) =>
  json(await running.soFar(tools, asked))

/** For another room, which unpacks it in a thread too. */
export const packed = async (owned: Owned, { db }: Tools): Promise<Uint8Array> =>
  new Uint8Array(serialize(await said.forProgram(db, owned)))

/** The words and facts of which a document is made. */
export const source = (owned: Owned, { db }: Tools) =>
  said.recordings(db).read(owned, new AbortController().signal)

/** It compares what was changed with the whole text. */
export const changeSummary = async (
  asked: Parameters<typeof ownSummary.change>[1],
  { db }: Tools,
) => json(await ownSummary.change(db, asked))

export async function summary(owned: Owned, { db }: Tools) {
  const { row } = await said.finishedForOthers(db, owned)
  return { name: summaryFileName(row.originalName), content: bytes(summaryFile(row)) }
}
