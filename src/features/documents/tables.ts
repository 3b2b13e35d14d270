import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'
import type { OwnKind, OwnLength, OwnPart } from '#features/writing/contract.ts'
import { instant } from '#server/columns.ts'

/**
 * Documents made of transcriptions. The transcriptions belong to a later room, so the foreign
 * key to them is written in the migration: a transcription is not removed while it has documents.
 */
export const documents = pgTable(
  'documents',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    transcriptionId: uuid().notNull(),
    documentType: text().notNull(),
    /** A copy of the type, where its user has described it, as it was when it was ordered. */
    template: jsonb().$type<OwnKind>(),
    includeImages: boolean().notNull(),
    status: text({ enum: ['generating', 'generated', 'error'] })
      .notNull()
      .default('generating'),
    /** Counts the tries somebody asked for; the first is paid, the others make a failure good. */
    attempt: integer().notNull().default(1),
    title: text().notNull(),
    content: text().notNull().default(''),
    wordCount: integer().notNull().default(0),
    /** The language of the text, as ISO 639-1. */
    language: text(),
    engine: text(),
    note: text(),
    problem: text(),
    /** The hash of the transcript when the writer last began; null while none has. */
    sourceHash: text(),
    isCreditReturned: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
  },
  (t) => [
    index('documents_by_transcription').on(t.transcriptionId, t.createdAt),
    index('documents_by_user').on(t.userId),
    index('documents_unfinished')
      .on(t.createdAt)
      .where(sql`${t.status} = 'generating'`),
    check('documents_status', sql`${t.status} in ('generating', 'generated', 'error')`),
    check('documents_finished', sql`(${t.status} = 'generating') = (${t.finishedAt} is null)`),
    check('documents_have_text', sql`${t.status} <> 'generated' or ${t.content} <> ''`),
  ],
)

/** Types of documents that a user has described. Documents keep a copy of what they are made with. */
export const documentTemplates = pgTable(
  'document_templates',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Folded: one type, however it is spelled. */
    nameKey: text().notNull(),
    instructions: text().notNull(),
    length: text().$type<OwnLength>().notNull(),
    parts: jsonb().$type<OwnPart[]>().notNull(),
    createdAt: instant().notNull().defaultNow(),
    changedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('document_templates_one_per_name').on(t.userId, t.nameKey),
    check('document_templates_length', sql`${t.length} in ('short', 'middle', 'long')`),
  ],
)
