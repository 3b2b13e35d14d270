import { sql } from 'drizzle-orm'
import {
  check,
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
import { summaryLengths } from '#features/writing/contract.ts'
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
 * The summaries that owners asked to have written again: what they asked for, how it ended, and the
 * text before, which can come back. The newest is the one that is told of; those of the last day count.
 */
export const summaryOrders = pgTable(
  'summary_orders',
  {
    /** The mark in `summary_pending`, by which its job knows that it is still awaited. */
    id: uuid().primaryKey(),
    transcriptionId: uuid().notNull(),
    /** ISO 639-1, or `auto`. */
    language: text().notNull(),
    length: text({ enum: summaryLengths }).notNull(),
    /** Null while it is written. */
    outcome: text({ enum: ['written', 'not_better', 'given_up'] }),
    /** Null where nothing took its place, or it has come back. */
    before: jsonb().$type<SummaryBefore>(),
    /** The `text_since` of the text that `before` is of: under another text it cannot come back. */
    textSince: integer().notNull(),
    askedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('summary_orders_by_transcription').on(t.transcriptionId, t.askedAt),
    foreignKey({
      name: 'summary_orders_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
    check('summary_orders_length', sql`${t.length} in ('short', 'medium', 'long')`),
    check('summary_orders_outcome', sql`${t.outcome} in ('written', 'not_better', 'given_up')`),
  ],
)

/** What a summary that is written again takes the place of. Chapters and action items join instead. */
export type SummaryBefore = Pick<
  typeof transcriptions.$inferSelect,
  'summary' | 'summaryKind' | 'summaryNote' | 'summaryLanguage' | 'keyPoints' | 'topics'
> & {
  /** Whether its speakers were marked. It is kept as it was read: see text/speaker-marks.ts. */
  isMarked: boolean
}

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
