import { type Column, type SQL, and, asc, eq, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
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

import { transcriptions } from '#features/row/tables.ts'
import type { Word } from '#features/speech/contract.ts'
import { columnsWithout, instant } from '#server/columns.ts'
import type { Queryable } from '#server/db.ts'

import type { Unplaced } from './carry-over.ts'

/** Rows that belong to a transcription are deleted with it. */
const goesWith = (name: string, transcriptionId: AnyPgColumn) =>
  foreignKey({
    name,
    columns: [transcriptionId],
    foreignColumns: [transcriptions.id],
  }).onDelete('cascade')

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Turns as the engine left them, from the first change on. */
export const originalTurns = pgTable(
  'original_turns',
  {
    transcriptionId: uuid().notNull(),
    id: uuid().notNull(),
    speaker: integer(),
    startMs: integer().notNull(),
    endMs: integer().notNull(),
    text: text().notNull(),
    words: jsonb().$type<Word[]>().notNull(),
    wordsFrom: integer().notNull(),
    wordsTo: integer().notNull(),
    position: doublePrecision().notNull(),
  },
  (t) => [
    primaryKey({ name: 'original_turns_pkey', columns: [t.transcriptionId, t.position] }),
    goesWith('original_turns_of_transcription', t.transcriptionId),
  ],
)

/** For each change the data that takes it back, written with the change under its number. */
export const edits = pgTable(
  'transcription_edits',
  {
    transcriptionId: uuid().notNull(),
    revision: integer().notNull(),
    undo: jsonb().$type<unknown>().notNull(),
    sizeBytes: integer().generatedAlwaysAs(sql`octet_length(undo::text)`),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'transcription_edits_pkey', columns: [t.transcriptionId, t.revision] }),
    goesWith('transcription_edits_of_transcription', t.transcriptionId),
  ],
)

/** The counted corrections of texts that their user has gone through (see accuracy.ts). */
export const checkedTexts = pgTable(
  'checked_texts',
  {
    transcriptionId: uuid().notNull(),
    /** Words of the engine. */
    words: integer().notNull(),
    /** Words that were changed, taken out or put in. */
    corrected: integer().notNull(),
    checkedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ name: 'checked_texts_pkey', columns: [t.transcriptionId] }),
    goesWith('checked_texts_of_transcription', t.transcriptionId),
  ],
)

/** Questions that a new text left to its owner: names whose voice is not sure, corrections without a place. */
export const carriedOver = pgTable(
  'carried_over',
  {
    transcriptionId: uuid().notNull(),
    /** Corrections that the new text had a place for. */
    placed: integer().notNull(),
    questions: jsonb().$type<CarriedQuestion[]>().notNull(),
  },
  (t) => [
    primaryKey({ name: 'carried_over_pkey', columns: [t.transcriptionId] }),
    goesWith('carried_over_of_transcription', t.transcriptionId),
  ],
)

export type CarriedQuestion = { number: number; decision: 'open' | 'put' | 'left' } & {
  /** The number to undo by what was put in; null where nothing was changed. */
  edit: number | null
} & (({ kind: 'text' } & Unplaced) | { kind: 'name'; speaker: number; name: string })

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
     * included. Null in an older text that nobody has changed: it is counted with the first change.
     */
    originalFrom: integer(),
    originalTo: integer(),
    search: tsvector().generatedAlwaysAs(sql`searchable(text)`),
  },
  (t) => [
    primaryKey({ name: 'turns_pkey', columns: [t.transcriptionId, t.position] }),
    uniqueIndex('turns_by_id').on(t.id),
    index('turns_search').using('gin', t.search),
    goesWith('turns_of_transcription', t.transcriptionId),
  ],
)

export type TurnRow = Omit<typeof turns.$inferSelect, 'search'>

/** The search column stays in the database. */
const turnColumns = columnsWithout(turns, ['search'])

/** The turns of a transcription with their words, in order; or `which` of them. */
export const turnsOf = async (db: Queryable, id: string, which?: SQL): Promise<TurnRow[]> =>
  db
    .select(turnColumns)
    .from(turns)
    .where(and(eq(turns.transcriptionId, id), which))
    .orderBy(asc(turns.position))

/** Whether a column has one of these values. They travel as one parameter, as a statement takes only 65,535. */
export const isAmong = (column: Column, values: readonly (string | number)[]): SQL =>
  sql`${column} = any(${sql.param(values)})`
