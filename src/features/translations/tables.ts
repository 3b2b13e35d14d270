import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'
import { transcriptions } from '#features/row/tables.ts'
import type { TranslatedPart } from '#features/writing/contract.ts'
import { instant } from '#server/columns.ts'

/** A transcription in another language: the order for it, and how far it is. */
export const translations = pgTable(
  'translations',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** Null once the transcription is removed: what is held is then given back, and the row goes. */
    transcriptionId: uuid(),
    /** ISO 639-1. */
    language: text().notNull(),
    status: text({ enum: ['translating', 'translated', 'error'] })
      .notNull()
      .default('translating'),
    /** Counts orders, and the times that changed turns were translated again. */
    attempt: integer().notNull().default(1),
    /** Whether this attempt has a hold of its own: changed turns cost nothing. */
    isPaid: boolean().notNull().default(true),
    /** How much of this attempt is done, in percent. */
    progress: integer().notNull().default(0),
    /** Why it failed, where the reason lies in its text. */
    problem: text(),
    isCreditReturned: boolean().notNull().default(false),
    /** How often changed turns were translated again since the moment beside it. */
    againCount: integer().notNull().default(0),
    againSince: instant(),
    createdAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
  },
  (t) => [
    uniqueIndex('translations_one_per_language').on(t.transcriptionId, t.language),
    index('translations_by_user').on(t.userId),
    index('translations_unfinished')
      .on(t.createdAt)
      .where(sql`${t.status} = 'translating' or ${t.transcriptionId} is null`),
    foreignKey({
      name: 'translations_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('set null'),
    check('translations_status', sql`${t.status} in ('translating', 'translated', 'error')`),
    check('translations_finished', sql`(${t.status} = 'translating') = (${t.finishedAt} is null)`),
  ],
)

/**
 * A turn in another language. It names its turn without a foreign key, because a correction writes
 * the rows of turns anew. So a translation stays with the turns it was made of: where they go to
 * another row of `transcriptions`, a trigger takes it along, and it ends with that row.
 */
export const translatedTurns = pgTable(
  'translated_turns',
  {
    translationId: uuid().notNull(),
    transcriptionId: uuid().notNull(),
    turnId: uuid().notNull(),
    /** MD5 of the text that it was made of: another one has changed since. */
    sourceHash: text().notNull(),
    /** Null where it could not be translated: the turn stays as it was said. */
    parts: jsonb().$type<TranslatedPart[]>(),
    /** Whether it can be read: what is not paid for yet cannot. */
    isDelivered: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ name: 'translated_turns_pkey', columns: [t.translationId, t.turnId] }),
    index('translated_turns_by_transcription').on(t.transcriptionId),
    foreignKey({
      name: 'translated_turns_of_translation',
      columns: [t.translationId],
      foreignColumns: [translations.id],
    }).onDelete('cascade'),
    // The words go at once with the transcription; the row above follows.
    foreignKey({
      name: 'translated_turns_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
  ],
)
