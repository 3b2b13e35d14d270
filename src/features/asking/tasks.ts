/** Work of this room that runs in threads: looking through transcripts for the words of a question. */
import type { Tools } from '#server/threads.ts'

import * as finding from './finding.ts'

export const find = (asked: finding.PassageSearch, { db }: Tools) => finding.find(db, asked)
