import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { instant } from './columns.ts'

/** What limits.ts counts: one row per try and key, for instance `guess:ADDRESS_HASH` or `signUps:IP`. */
export const attempts = pgTable(
  'attempts',
  {
    /** The try. One can count under several keys, and is taken back from all of them. */
    id: uuid().notNull(),
    key: text().notNull(),
    at: instant().notNull().defaultNow(),
  },
  (t) => [index('attempts_by_key').on(t.key, t.at), index('attempts_by_id').on(t.id)],
)
