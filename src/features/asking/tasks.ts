/** What this room does in threads: it reads transcripts for what a question asks. */
import type { Tools } from '#server/threads.ts'

import * as finding from './finding.ts'

export const find = (asked: finding.PassageSearch, { db }: Tools) => finding.find(db, asked)
