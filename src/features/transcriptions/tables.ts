import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'
import type { Word } from '#features/speech/contract.ts'

const instant = () => timestamp({ withTimezone: true, precision: 3 })

export const transcriptions = pgTable(
  'transcriptions',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** `uploading`, `processing`, a detailed string, `summarizing`, `completed`, `error`. */
    status: text().notNull().default('uploading'),
    originalName: text().notNull(),
    /** Random name of the recording in storage; null once the recording is deleted. */
    storageKey: uuid(),
    /** When the recording was deleted: by its owner, or because its time was over. */
    recordingDeletedAt: instant(),
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    /** Decoded samples over the sample rate: what is shown, and what is priced. */
    durationMs: integer().notNull(),
    summaryLanguage: text().notNull(),
    withDocument: boolean().notNull().default(false),
    creditsRequired: integer().notNull(),
    /** Counts confirm and retries: each has its own hold, `transcription:ID:ATTEMPT`. */
    attempt: integer().notNull().default(0),
    /** The run that may write; a run that lost it to another changes nothing any more. */
    lease: uuid(),
    /** What confirm answered, so that a repeat answers the same. */
    confirmAnswer: jsonb().$type<{ creditsDeducted: number; creditsRemaining: number }>(),

    transcriptionText: text(),
    language: text(),
    wordCount: integer(),
    /** How many voices were told apart; their labels follow from it. */
    speakerCount: integer(),
    engine: text(),
    /** The product's own recording, corrected by hand: free, and marked so. */
    isSample: boolean().notNull().default(false),
    summary: text(),
    summaryNote: text(),
    keyPoints: jsonb().$type<{ text: string; startMs: number | null; quote: string | null }[]>(),
    topics: jsonb().$type<string[]>(),
    errorMessage: text(),
    /** Why the recording was refused; null when the job broke on our side. */
    errorCode: text(),
    creditsReturned: integer(),

    createdAt: instant().notNull().defaultNow(),
    confirmedAt: instant(),
    finishedAt: instant(),
  },
  (t) => [
    index('transcriptions_by_user').on(t.userId, t.createdAt, t.id),
    index('transcriptions_unfinished')
      .on(t.status, t.createdAt)
      .where(sql`${t.status} not in ('completed', 'error')`),
    uniqueIndex('transcriptions_one_sample')
      .on(t.userId)
      .where(sql`${t.isSample}`),
    check('transcriptions_priced', sql`${t.creditsRequired} > 0 or ${t.isSample}`),
    check(
      'transcriptions_finished',
      sql`(${t.status} in ('completed', 'error')) = (${t.finishedAt} is not null)`,
    ),
  ],
)

/** Who said what: the speaker's stretches in order, with the words' times and confidences. */
export const turns = pgTable(
  'turns',
  {
    transcriptionId: uuid().notNull(),
    position: integer().notNull(),
    /** Number of the speaker in order of first speech; null when nobody could be told apart. */
    speaker: integer(),
    startMs: integer().notNull(),
    endMs: integer().notNull(),
    text: text().notNull(),
    words: jsonb().$type<Word[]>().notNull(),
  },
  (t) => [
    primaryKey({ name: 'turns_pkey', columns: [t.transcriptionId, t.position] }),
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
