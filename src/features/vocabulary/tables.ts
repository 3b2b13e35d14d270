import { foreignKey, integer, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'

import type { FixedReplacement } from './contract.ts'

export interface StoredTerm {
  term: string
  heardAs: string[]
  /** In how many recordings it was found, and when the last of them was finished or it came with one. */
  times: number
  lastAt: string | null
}

/** The vocabulary of an account; read and written as a whole. */
export const vocabularies = pgTable(
  'vocabularies',
  {
    userId: uuid().notNull(),
    revision: integer().notNull().default(0),
    terms: jsonb().$type<StoredTerm[]>().notNull().default([]),
    replacements: jsonb().$type<FixedReplacement[]>().notNull().default([]),
  },
  (t) => [
    primaryKey({ name: 'vocabularies_pkey', columns: [t.userId] }),
    foreignKey({
      name: 'vocabularies_of_user',
      columns: [t.userId],
      foreignColumns: [users.id],
    }).onDelete('cascade'),
  ],
)
