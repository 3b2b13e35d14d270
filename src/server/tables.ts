import { customType, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { instant } from './columns.ts'

/**
 * The tries that limits.ts counts: one row per try and key, for instance `guess:ADDRESS_HASH` or
 * `signUps:IP`.
 */
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

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Built files by their hashed names, of every release that web processes have lately: see assets.ts. */
export const assets = pgTable('assets', {
  name: text().primaryKey(),
  content: bytea().notNull(),
  /** When a web process last had it. */
  seenAt: instant().notNull().defaultNow(),
})
