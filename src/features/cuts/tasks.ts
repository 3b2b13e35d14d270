/** Work of this room that grows with a transcript, and therefore runs in threads. */
import type { Owned } from '#features/row/row.ts'
import type { Tools } from '#server/threads.ts'

import { recordingsAsCut } from './for-documents.ts'

/** The words and facts of which a document is made. */
export const source = (owned: Owned, { db }: Tools) =>
  recordingsAsCut(db).read(owned, new AbortController().signal)
