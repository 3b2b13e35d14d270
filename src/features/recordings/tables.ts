import { sql } from 'drizzle-orm'
import {
  bigint,
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
import type { KeptOrder } from '#features/documents/contract.ts'
import { transcriptions } from '#features/row/tables.ts'
import { askedChannels } from '#features/speech/contract.ts'
import { instant } from '#server/columns.ts'

import type { EngineNames } from './engines.ts'

/** A recording that comes in parts, until it is a transcription; then what was answered about it. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    originalName: text().notNull(),
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    storageKey: uuid().notNull(),
    /** The id that the bucket gives the unfinished upload; empty on a disk. */
    storageToken: text().notNull(),
    /** When it was recorded, and in which time zone its owner is, as its sender says. */
    recordedAt: text(),
    timeZone: text(),
    spokenLanguage: text(),
    askedSpeakers: text(),
    askedChannels: text({ enum: askedChannels }),
    terms: jsonb().$type<string[]>(),
    summaryLanguage: text().notNull(),
    documentOrder: jsonb().$type<KeptOrder>(),
    /** Whether the browser took the sound out of a video and sends that alone. */
    isSoundOfVideo: boolean().notNull().default(false),
    /** When a worker was asked to measure it. */
    measuringAt: instant(),
    /** The time that all tries to measure it took of workers; it counts for an hour after the last one. */
    measuredMs: integer(),
    measuredAt: instant(),
    /** Why it did not become a transcription; what is refused for good has no file any more. */
    refusal: text(),
    transcriptionId: uuid().references(() => transcriptions.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('uploads_by_user').on(t.userId),
    uniqueIndex('uploads_by_file').on(t.storageKey),
    uniqueIndex('uploads_by_transcription').on(t.transcriptionId),
    index('uploads_by_age').on(t.createdAt),
  ],
)

/**
 * Files that are deleted because their time was over, for a day: see bin.ts. It names rows of other
 * tables without a foreign key, because they may be gone.
 */
export const bin = pgTable(
  'recordings_bin',
  {
    storageKey: uuid().primaryKey(),
    /** A recording after its 30 days, an upload that nobody confirmed or completed, or a file of no row. */
    kind: text({ enum: ['recording', 'unconfirmed', 'upload', 'leftover'] }).notNull(),
    userId: uuid(),
    transcriptionId: uuid(),
    /** The row that is gone with it; a recording's is still there. */
    row: jsonb().$type<unknown>(),
    /** From when on its time was counted. */
    createdAt: instant(),
    binnedAt: instant().notNull(),
    /** When an operator took it back: for a day it is not put here again. */
    takenBackAt: instant(),
  },
  (t) => [
    check(
      'recordings_bin_kind',
      sql`${t.kind} in ('recording', 'unconfirmed', 'upload', 'leftover')`,
    ),
    index('recordings_bin_by_user').on(t.userId),
    index('recordings_bin_by_transcription').on(t.transcriptionId),
    index('recordings_bin_by_age').on(t.binnedAt),
  ],
)

/** The engines of each worker of a fleet. A worker that has not written them down for a minute is gone. */
export const workerEngines = pgTable('worker_engines', {
  worker: uuid().primaryKey(),
  says: jsonb().$type<EngineNames>().notNull(),
  saidAt: instant().notNull().defaultNow(),
})
