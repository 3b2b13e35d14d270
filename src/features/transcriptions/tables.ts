import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'
import { transcriptions } from '#features/row/tables.ts'
import { instant } from '#server/columns.ts'

/** The stages that a running job has finished, so that a retry goes on instead of starting again. */
export const stages = pgTable(
  'transcription_stages',
  {
    transcriptionId: uuid().notNull(),
    name: text().notNull(),
    result: jsonb().$type<unknown>().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'transcription_stages_pkey', columns: [t.transcriptionId, t.name] }),
    foreignKey({
      name: 'transcription_stages_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
  ],
)

/**
 * How far the text of a job was shown before it was paid for: see unpaid-text.ts. It names its job
 * without a foreign key, because it counts on when that was stopped and is gone.
 */
export const unpaidTexts = pgTable(
  'unpaid_texts',
  {
    transcriptionId: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    shownMs: integer().notNull(),
    /** The price of as much of its text as was shown. */
    credits: integer().notNull(),
    /** When more of it was shown for the last time. */
    shownAt: instant().notNull().defaultNow(),
  },
  (t) => [index('unpaid_texts_by_user').on(t.userId), index('unpaid_texts_by_age').on(t.shownAt)],
)
