import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  doublePrecision,
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
import { transcriptions } from '#features/recordings/tables.ts'
import type { Word } from '#features/speech/contract.ts'
import { columnsWithout, instant } from '#server/columns.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Who said what: the speaker's stretches in order, with the words' times and confidences. */
export const turns = pgTable(
  'turns',
  {
    id: uuid().notNull().defaultRandom(),
    transcriptionId: uuid().notNull(),
    /** The order of turns; not whole where one was put between two. */
    position: doublePrecision().notNull(),
    /** Number of the speaker in order of first speech; null when nobody could be told apart. */
    speaker: integer(),
    startMs: integer().notNull(),
    endMs: integer().notNull(),
    text: text().notNull(),
    words: jsonb().$type<Word[]>().notNull(),
    /** Counts the changes of the text. */
    revision: integer().notNull().default(0),
    isEdited: boolean().notNull().default(false),
    /**
     * Which of the engine's words it stands for, counted through the transcription, the last not
     * included; null before the first change, when the originals are kept aside.
     */
    originalFrom: integer(),
    originalTo: integer(),
    search: tsvector().generatedAlwaysAs(sql`searchable(text)`),
  },
  (t) => [
    primaryKey({ name: 'turns_pkey', columns: [t.transcriptionId, t.position] }),
    uniqueIndex('turns_by_id').on(t.id),
    index('turns_search').using('gin', t.search),
    foreignKey({
      name: 'turns_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
  ],
)

/** What a running job has finished, so that a retry goes on instead of starting again. */
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
    /** What that much of its text is worth. */
    credits: integer().notNull(),
    /** When more of it was shown for the last time. */
    shownAt: instant().notNull().defaultNow(),
  },
  (t) => [index('unpaid_texts_by_user').on(t.userId), index('unpaid_texts_by_age').on(t.shownAt)],
)

/** Words by which a user orders the library; a transcription may have many. */
export const tags = pgTable(
  'tags',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Folded: one tag, however it is spelled. */
    nameKey: text().notNull(),
    /** Which of the speakers' colours it has. */
    colour: integer().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('tags_one_per_name').on(t.userId, t.nameKey)],
)

export const transcriptionTags = pgTable(
  'transcription_tags',
  {
    transcriptionId: uuid().notNull(),
    tagId: uuid().notNull(),
  },
  (t) => [
    primaryKey({ name: 'transcription_tags_pkey', columns: [t.transcriptionId, t.tagId] }),
    index('transcription_tags_by_tag').on(t.tagId, t.transcriptionId),
    foreignKey({
      name: 'transcription_tags_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'transcription_tags_of_tag',
      columns: [t.tagId],
      foreignColumns: [tags.id],
    }).onDelete('cascade'),
  ],
)

/** Turns with their words; what they are searched by stays in the database. */
export const turnColumns = columnsWithout(turns, ['search'])
export type TurnRow = Omit<typeof turns.$inferSelect, 'search'>
