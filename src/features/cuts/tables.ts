import { sql } from 'drizzle-orm'
import { check, foreignKey, integer, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'

import { transcriptions } from '#features/row/tables.ts'
import { instant } from '#server/columns.ts'

/**
 * The cuts of a recording after each act, the last of which holds. Those before it are kept so that it
 * can be undone.
 */
export const cutLists = pgTable(
  'cut_lists',
  {
    transcriptionId: uuid().notNull(),
    /** Counts the acts, from 1. */
    act: integer().notNull(),
    /** In milliseconds of the recording: from, to, from, to, … in order. */
    times: jsonb().$type<number[]>().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'cut_lists_pkey', columns: [t.transcriptionId, t.act] }),
    foreignKey({
      name: 'cut_lists_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
    check('cut_lists_act', sql`${t.act} > 0`),
  ],
)
