/** The tasks of this room in threads: they look for words in all that was said. */
import type { Tools } from '#server/threads.ts'

import * as library from './library.ts'

/** Looks for words in what was said. */
export const search = (asked: Parameters<typeof library.list>[1], { db }: Tools) =>
  library.list({ db }, asked)

export const searchIds = (asked: Parameters<typeof library.idsOf>[1], { db }: Tools) =>
  library.idsOf({ db }, asked)
