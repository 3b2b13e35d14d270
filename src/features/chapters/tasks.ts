/** Work of this room that runs in threads: looking for chapters in a whole text. */
import type { Owned } from '#features/row/row.ts'
import { type Tools, json } from '#server/threads.ts'

import * as chapters from './chapters.ts'

export const find = async (owned: Owned, { db }: Tools) => json(await chapters.find(db, owned))
