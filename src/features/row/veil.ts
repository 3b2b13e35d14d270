/**
 * What is hidden for others in a recording: found at reading, so what its owner writes later is hidden
 * too. The tables keep the words, and the owner's own answers have them.
 *
 * Promise: whatever of a recording goes to others is made of what this hides in it: links, files that are
 * saved, documents that leave, and sounds (decision 100).
 */
import { and, asc, eq } from 'drizzle-orm'

import type { Queryable } from '#server/db.ts'
import { type Hiding, hidingOf, marks, together } from '#shared/hidden-words.ts'

import type { Row } from './row.ts'
import { hidings } from './tables.ts'

export const isForOthers = eq(hidings.scope, 'others')

/** A sound for others of which there is no file. */
export const noFile = {
  storageKey: null,
  sizeBytes: null,
  mediaType: null,
  textRevision: null,
  times: [] as number[],
}

/** What its owner has hidden for others, the oldest first. */
export async function wordsForOthers(db: Queryable, transcriptionId: string) {
  const rows = await db
    .select({ words: hidings.words, mark: hidings.mark })
    .from(hidings)
    .where(and(eq(hidings.transcriptionId, transcriptionId), isForOthers))
    .orderBy(asc(hidings.createdAt), asc(hidings.id))
  return rows.flatMap(({ words, mark }) => (words === null ? [] : [{ words, mark }]))
}

/** Hides it in a text; null where nothing is hidden. An earlier text is one of the same recording. */
export async function veilOf(
  db: Queryable,
  { id, userId, language, againOf }: Pick<Row, 'id' | 'userId' | 'language' | 'againOf'>,
): Promise<Hiding | null> {
  const transcriptionId = againOf ?? id
  const [first, ...others] = (await wordsForOthers(db, transcriptionId)).map(({ words, mark }) =>
    hidingOf(words, { userId, transcriptionId, mark: marks[mark], language }),
  )
  return first ? together([first, ...others]) : null
}
