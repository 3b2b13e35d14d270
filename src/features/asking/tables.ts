import {
  boolean,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'
import { transcriptions } from '#features/row/tables.ts'
import { instant } from '#server/columns.ts'

import type { Answer } from './contract.ts'

/** An answer, as it was given then. */
export type KeptAnswer = Pick<Answer, 'kind' | 'text' | 'notSaid' | 'quotes' | 'note'>

/** Questions with their answers, for who asked them and for nobody else. */
export const questions = pgTable(
  'questions',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The recording that was asked; null: the whole library. */
    transcriptionId: uuid(),
    question: text().notNull(),
    answer: jsonb().$type<KeptAnswer>().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    index('questions_by_user').on(t.userId, t.createdAt),
    index('questions_by_transcription').on(t.transcriptionId, t.createdAt),
    foreignKey({
      name: 'questions_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
  ],
)

/**
 * The recordings that an answer quotes. Once one of them is removed, so is the answer: a trigger of
 * this table does that.
 */
export const questionSources = pgTable(
  'question_sources',
  {
    questionId: uuid().notNull(),
    transcriptionId: uuid().notNull(),
  },
  (t) => [
    primaryKey({ name: 'question_sources_pkey', columns: [t.questionId, t.transcriptionId] }),
    index('question_sources_by_transcription').on(t.transcriptionId),
    foreignKey({
      name: 'question_sources_of_question',
      columns: [t.questionId],
      foreignColumns: [questions.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'question_sources_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
  ],
)

/**
 * Questions that a model answered or is answering, by which those of a day are counted. They are
 * counted apart from the questions: who removes a question gets no other one for it.
 */
export const askedModel = pgTable(
  'asked_model',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    askedAt: instant().notNull(),
    /** Whether the answer was delivered. Until then its place is kept for a while. */
    isAnswered: boolean().notNull().default(false),
  },
  (t) => [index('asked_model_by_user').on(t.userId, t.askedAt)],
)
