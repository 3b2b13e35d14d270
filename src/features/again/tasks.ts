/** The tasks of this room in threads, because their cost grows with a transcript. */
import type { Owned } from '#features/row/row.ts'
import * as carried from '#features/text/carried.ts'
import * as earlier from '#features/text/earlier.ts'
import { type Tools, json } from '#server/threads.ts'

import * as again from './again.ts'

export const againView = async (owned: Owned, { db }: Tools) => json(await again.view(db, owned))

export const decide = async (asked: Parameters<typeof carried.decide>[1], tools: Tools) =>
  json(await carried.decide(tools, asked))

export const back = async (owned: Owned, tools: Tools) => {
  await earlier.back(tools, owned)
  return againView(owned, tools)
}

export const dropEarlier = async (owned: Owned, tools: Tools) => {
  await earlier.dropEarlier(tools, owned)
  return againView(owned, tools)
}
