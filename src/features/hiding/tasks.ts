/** Work of this room that grows with a transcript, and therefore runs in threads. */
import { cover as coverOf, mutedNow as mutedNowOf } from '#features/cuts/veiled-sound.ts'
import type { Owned } from '#features/row/row.ts'
import { type Tools, json } from '#server/threads.ts'

import * as hiding from './hiding.ts'

export const find = async (asked: Owned & { words: readonly string[] }, { db }: Tools) =>
  json(await hiding.find(db, asked))

export const hide = (order: hiding.HideOrder, { db }: Tools) => hiding.hide(db, order)

export const hideForOthers = (order: hiding.HideOrder, { db }: Tools) =>
  hiding.hideForOthers(db, order)

export const mutedNow = ({ id }: { id: string }, { db }: Tools) => mutedNowOf(db, id)

export const cover = ({ id }: { id: string }, { db }: Tools) => coverOf(db, id)

export const finish = (order: Parameters<typeof hiding.finish>[1], { db }: Tools) =>
  hiding.finish(db, order)
