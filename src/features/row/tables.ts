import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  check,
  boolean,
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
import type { KeptOrder } from '#features/documents/contract.ts'
import type { FilmStart } from '#features/sound/film-start.ts'
import type { Sides } from '#features/sound/sides.ts'
import { askedChannels } from '#features/speech/contract.ts'
import { instant } from '#server/columns.ts'
import type { Clip } from '#shared/clips.ts'
import { renderFormats } from '#shared/render-formats.ts'

import type { KeptAction, KeptChapters, KeptPoint, NamedSpeaker, OwnSummary } from './kept.ts'

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

/** Files that were confirmed in one go. */
export const batches = pgTable(
  'batches',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The ids that were confirmed, in their order, and the answer, so that a repeat answers the same. */
    confirmAnswer: jsonb().$type<{
      ids: string[]
      creditsDeducted: number
      creditsRemaining: number
    }>(),
    createdAt: instant().notNull().defaultNow(),
    /** When its owner was told that all of it has ended, or saw it end. */
    toldAt: instant(),
  },
  (t) => [index('batches_by_user').on(t.userId)],
)

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
    nameSearch: text().generatedAlwaysAs(sql`search_text(original_name)`),
    /** Random name of the recording in storage; null once the recording is deleted. */
    storageKey: uuid(),
    /** When the recording was deleted: by its owner, or because its time was over. */
    recordingDeletedAt: instant(),
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    /** SHA-256 of the file that came, by which the same one is known again; null for older rows. */
    contentHash: text(),
    /** The media type that browsers are told; null when they cannot play the recording. */
    mediaType: text(),
    /** The loudest sample of each of up to 1,000 equal stretches, 0 to 255: the waveform. */
    peaks: jsonb().$type<number[]>(),
    /** The same of 26 stretches, for the small wave in a list. */
    levels: jsonb()
      .$type<number[]>()
      .generatedAlwaysAs(sql`levels_of(peaks)`),
    /** Its channels or tracks, and whether each is a person; null for rows from before this was measured. */
    sides: jsonb().$type<Sides>(),
    /** Decoded samples over the sample rate: what is shown, and what is priced. */
    durationMs: integer().notNull(),
    /**
     * When it was recorded, by its owner or by the file, on its owner's clock: see shared/recorded.ts.
     * Null where nobody knows, and never when it was uploaded.
     */
    recordedAt: text(),
    /** The time code at which the file says that its film begins; null where it says none. */
    filmStart: jsonb().$type<FilmStart>(),
    /** ISO 639-1 of what is spoken, where whoever sent it said so. */
    spokenLanguage: text(),
    /** How many people speak: `2`, `max:4` or `auto`; null where nothing was said of it. */
    askedSpeakers: text(),
    /** Whether its channels or tracks are people; null where nothing was said of it, and they are where they plainly differ. */
    askedChannels: text({ enum: askedChannels }),
    /** Names and terms that may come up; null where nothing was said of them. */
    terms: jsonb().$type<string[]>(),
    summaryLanguage: text().notNull(),
    withDocument: boolean().notNull().default(false),
    /** The document that is to be made of it, and is paid for with it. */
    documentOrder: jsonb().$type<KeptOrder>(),
    creditsRequired: integer().notNull(),
    /** Counts confirm and retries: each has its own hold, `transcription:ID:ATTEMPT`. */
    attempt: integer().notNull().default(0),
    /** The run that may write; a run that lost it to another changes nothing any more. */
    lease: uuid(),
    /**
     * What the run is at, in the words of a status, in place of `processing`; null before a worker has
     * it and when it has ended. No index may name it: it changes every few seconds, and a row of which no
     * indexed column changes is written without its indexes.
     */
    progress: text(),
    /** The answer of confirm, so that a repeat answers the same. */
    confirmAnswer: jsonb().$type<{ creditsDeducted: number; creditsRemaining: number }>(),

    transcriptionText: text(),
    language: text(),
    wordCount: integer(),
    /** How many voices were told apart; their labels follow from it. */
    speakerCount: integer(),
    /** The speakers since somebody named or changed them; null while they are as they were told apart. */
    speakers: jsonb().$type<NamedSpeaker[]>(),
    /** Their names as they are searched: `|ada lovett||ben okafor|`. */
    speakerSearch: text().generatedAlwaysAs(sql`speakers_search(speakers)`),
    /** Counts the changes of text and speakers. */
    revision: integer().notNull().default(0),
    engine: text(),
    /** The product's own recording: free, and marked so. */
    isSample: boolean().notNull().default(false),
    summary: text(),
    summaryNote: text(),
    /** Whether it sums up what was said, or is only sentences of it; null is a summary. */
    summaryKind: text({ enum: ['summary', 'sentences'] }),
    /** The job that is to put a better summary in its place; null where none is awaited. */
    summaryPending: uuid(),
    keyPoints: jsonb().$type<KeptPoint[]>(),
    topics: jsonb().$type<string[]>(),
    /** What its owner has put in the place of the text or the key points; null where nothing. */
    summaryOwn: jsonb().$type<OwnSummary>(),
    /** Null where nobody has looked for any, or none were found. */
    chapters: jsonb().$type<KeptChapters>(),
    /** Written by the job, and by its owner under the lock of the row: see action-items.ts. */
    actionItems: jsonb().$type<KeptAction[]>(),
    errorMessage: text(),
    /** Why the recording was refused; null when the job broke on our side. */
    errorCode: text(),
    creditsReturned: integer(),
    /** A digest of how it broke on our side, and how often it did the same way, one after the other. */
    failure: jsonb().$type<{ digest: string; times: number }>(),

    /**
     * The transcription whose recording is worked on again: this row is the run, which nobody sees
     * in a list. Once its text has taken over, the row keeps the text before.
     */
    againOf: uuid().references((): AnyPgColumn => transcriptions.id, { onDelete: 'cascade' }),
    /** Whether such a run makes a new text, or only tells the speakers apart. */
    againWhat: text({ enum: ['text', 'speakers'] }),
    /** Until when an earlier text is kept; null for everything else. */
    keptUntil: instant(),
    /** The revision at which this text took the place of another; 0 for the first. */
    textSince: integer().notNull().default(0),
    /** Whether the engine could not write all that it heard: then the next try is free. */
    hasFault: boolean().notNull().default(false),
    /** Whether it sounds like a telephone call, which explains words in doubt. */
    isTelephone: boolean().notNull().default(false),
    /** Whether its speech stands little above the noise, which explains them too. */
    isNoisy: boolean().notNull().default(false),
    /** How many of its words are in doubt; null where nobody has counted them. */
    wordsInDoubt: integer(),
    /**
     * What a browser can show of a video: its picture, only its sound, or that the sound alone was
     * uploaded. Null for sound.
     */
    picture: text({ enum: ['shown', 'cannot', 'left_out'] }),
    /** The files that were confirmed together with this one. */
    batchId: uuid().references(() => batches.id, { onDelete: 'set null' }),
    /** When a browser of its owner last asked how far the work is. */
    watchedAt: instant(),

    createdAt: instant().notNull().defaultNow(),
    /** When it was confirmed, or tried again. */
    confirmedAt: instant(),
    finishedAt: instant(),
    /** When its owner deleted it: nobody sees it any more, and it is removed a little later. */
    deletedAt: instant(),
  },
  (t) => [
    // With the last column, what is there is counted from the index alone.
    // With what tells the rows that are shown, so that a page counts them without reading one.
    index('transcriptions_by_user').on(t.userId, t.createdAt, t.id, t.deletedAt, t.againOf),
    index('transcriptions_by_length')
      .on(t.userId, t.durationMs, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('transcriptions_by_name')
      .on(t.userId, sql`lower(${t.originalName})`, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('transcriptions_deleted')
      .on(t.deletedAt)
      .where(sql`${t.deletedAt} is not null`),
    // By user, since each confirm counts how many of its owner's are worked on or wait.
    index('transcriptions_unfinished')
      .on(t.userId, t.status, t.createdAt)
      .where(sql`${t.status} not in ('completed', 'error')`),
    index('transcriptions_by_end').on(t.finishedAt),
    // For operators: of all that ended in a month few have failed.
    index('transcriptions_failed')
      .on(t.finishedAt)
      .where(sql`${t.status} = 'error'`)
      .concurrently(),
    // For the sweep, each minute: whose file is this, and which recordings are old?
    index('transcriptions_by_file')
      .on(t.storageKey)
      .where(sql`${t.storageKey} is not null`),
    index('transcriptions_with_file')
      .on(t.createdAt)
      .where(sql`${t.storageKey} is not null`),
    index('transcriptions_by_content')
      .on(t.userId, t.contentHash)
      .where(sql`${t.contentHash} is not null`),
    uniqueIndex('transcriptions_one_sample')
      .on(t.userId)
      .where(sql`${t.isSample}`),
    // One at a time, however many ask at once.
    uniqueIndex('transcriptions_one_again')
      .on(t.againOf)
      .where(sql`${t.status} not in ('completed', 'error')`),
    index('transcriptions_by_batch')
      .on(t.batchId)
      .where(sql`${t.batchId} is not null`),
    index('transcriptions_again')
      .on(t.againOf)
      .where(sql`${t.againOf} is not null`),
    check(
      'transcriptions_priced',
      sql`${t.creditsRequired} > 0 or ${t.isSample} or ${t.againOf} is not null`,
    ),
    check(
      'transcriptions_again',
      sql`(${t.againOf} is null) = (${t.againWhat} is null) and (${t.againOf} is null or ${t.storageKey} is null)`,
    ),
    // For the sweep, each minute: whose job is gone?
    index('transcriptions_summary_pending')
      .on(t.summaryPending)
      .where(sql`${t.summaryPending} is not null`),
    check('transcriptions_summary_kind', sql`${t.summaryKind} in ('summary', 'sentences')`),
    check(
      'transcriptions_recorded_at',
      sql`${t.recordedAt} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{8}[+-][0-9:]{5})?$'`,
    ),
    check('transcriptions_picture', sql`${t.picture} in ('shown', 'cannot', 'left_out')`),
    check(
      'transcriptions_finished',
      sql`(${t.status} in ('completed', 'error')) = (${t.finishedAt} is not null)`,
    ),
    check(
      'transcriptions_deleted_when_finished',
      sql`${t.deletedAt} is null or ${t.finishedAt} is not null`,
    ),
  ],
)

/**
 * Files that are made of a recording without its cuts. A file is there before its row names it, and goes
 * with the row.
 */
export const renders = pgTable(
  'renders',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid().notNull(),
    transcriptionId: uuid().notNull(),
    format: text({ enum: renderFormats }).notNull(),
    /** The cuts when it was ordered, in milliseconds of the recording: from, to, from, to, … */
    times: jsonb().$type<number[]>().notNull(),
    /** How long it is to be; what is made counts towards a day of its owner. */
    durationMs: integer().notNull(),
    /** Null: the whole recording. Of a clip, what lies around it is among the cuts. */
    clip: jsonb().$type<Clip>(),
    /** Of the words and names that a clip shows, so that it is known whether they are others now. */
    textMark: text(),
    /** What was hidden for others when it was begun: the mark of `veils`. */
    veil: uuid(),
    /** `removed`: its file is gone, and it counts towards its day. */
    status: text({ enum: ['making', 'made', 'failed', 'removed'] })
      .notNull()
      .default('making'),
    /** When a worker began last; null while it waits for one. */
    begunAt: instant(),
    /** How much of it is done, in percent. */
    progress: integer().notNull().default(0),
    /** One that has failed counts among the failures of its day, seen or not. */
    isHidden: boolean().notNull().default(false),
    /** Why it failed, where the reason lies in the recording. */
    problem: text(),
    /** Random name of the file in storage; null before it is there, and once its time is over. */
    storageKey: uuid(),
    sizeBytes: bigint({ mode: 'number' }),
    createdAt: instant().notNull().defaultNow(),
    /** When a browser of its owner last asked how far it is. */
    watchedAt: instant(),
    finishedAt: instant(),
    /** Until when the file is kept; null while it is made. */
    keptUntil: instant(),
  },
  (t) => [
    index('renders_by_transcription').on(t.transcriptionId, t.createdAt),
    index('renders_by_user').on(t.userId, t.createdAt),
    index('renders_by_file')
      .on(t.storageKey)
      .where(sql`${t.storageKey} is not null`),
    index('renders_unfinished')
      .on(t.createdAt)
      .where(sql`${t.status} = 'making'`),
    foreignKey({
      name: 'renders_of_user',
      columns: [t.userId],
      foreignColumns: [users.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'renders_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
    check('renders_status', sql`${t.status} in ('making', 'made', 'failed', 'removed')`),
    check('renders_finished', sql`(${t.status} = 'making') = (${t.finishedAt} is null)`),
  ],
)

/**
 * Words that were taken out of a recording. For good: their times in the sound are kept, because every
 * file of it has them; the words themselves are not, once nothing has them any more. For others: the
 * recording has its words, and these say which of them nobody else reads or hears.
 */
export const hidings = pgTable(
  'hidings',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid().notNull(),
    transcriptionId: uuid().notNull(),
    scope: text({ enum: ['good', 'others'] })
      .notNull()
      .default('good'),
    /** As their owner has picked them. Of those for good null, once the sound is without them. */
    words: jsonb().$type<string[]>(),
    /** What stands in their place. */
    mark: text({ enum: ['bar', 'name'] }).notNull(),
    muteWith: text({ enum: ['tone', 'silence'] }).notNull(),
    /** In milliseconds of the recording: from, to, from, to, … */
    times: jsonb().$type<number[]>().notNull(),
    /** In how many places of the text they were. */
    places: integer().notNull(),
    /** Of the sound; that of those for others is told by `veils`. `gone`: it was deleted meanwhile, or could not be written and was deleted for that. */
    status: text({ enum: ['making', 'made', 'gone'] }).notNull(),
    /** How much of it is done, in percent. */
    progress: integer().notNull().default(0),
    /** The sound as it was. No row of a recording names it any more, so nobody hears it. */
    sourceKey: uuid(),
    createdAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
  },
  (t) => [
    index('hidings_by_transcription').on(t.transcriptionId, t.createdAt),
    index('hidings_by_user').on(t.userId),
    uniqueIndex('hidings_one_at_a_time')
      .on(t.transcriptionId)
      .where(sql`${t.status} = 'making'`),
    index('hidings_by_file')
      .on(t.sourceKey)
      .where(sql`${t.sourceKey} is not null`),
    foreignKey({
      name: 'hidings_of_user',
      columns: [t.userId],
      foreignColumns: [users.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'hidings_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
    check('hidings_mark', sql`${t.mark} in ('bar', 'name')`),
    check('hidings_mute_with', sql`${t.muteWith} in ('tone', 'silence')`),
    check('hidings_status', sql`${t.status} in ('making', 'made', 'gone')`),
    check('hidings_finished', sql`(${t.status} = 'making') = (${t.finishedAt} is null)`),
    check(
      'hidings_forgotten',
      sql`${t.scope} = 'others' or ${t.status} = 'making' or (${t.words} is null and ${t.sourceKey} is null)`,
    ),
    check('hidings_scope', sql`${t.scope} in ('good', 'others')`),
    check(
      'hidings_for_others',
      sql`${t.scope} = 'good' or (not (${t.words} is null) and ${t.sourceKey} is null and ${t.status} = 'made')`,
    ),
  ],
)

/**
 * The sound of a recording as others hear it: without all words that are hidden for others in it. It is
 * there for as long as such words are. A file is there before its row names it, and goes with the row.
 */
export const veils = pgTable(
  'veils',
  {
    transcriptionId: uuid().notNull(),
    userId: uuid().notNull(),
    /** Another one whenever more is hidden. What was made under an earlier one may have a name. */
    mark: uuid().notNull().defaultRandom(),
    /** Another one whenever the sound is to be written anew. */
    asked: uuid().notNull().defaultRandom(),
    muteWith: text({ enum: ['tone', 'silence'] }).notNull(),
    /** `gone`: it could not be written. The recording stays, and others do not hear it. */
    status: text({ enum: ['making', 'made', 'gone'] })
      .notNull()
      .default('making'),
    /** How much of it is done, in percent. */
    progress: integer().notNull().default(0),
    /** Random name of the file in storage; null while nothing may be played. */
    storageKey: uuid(),
    sizeBytes: bigint({ mode: 'number' }),
    mediaType: text(),
    /** What is muted in it, in milliseconds: from, to, from, to, … */
    times: jsonb().$type<number[]>().notNull().default([]),
    /** The revision of the text of which it is known that it has no further places. */
    textRevision: integer(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'veils_pkey', columns: [t.transcriptionId] }),
    index('veils_by_user').on(t.userId),
    index('veils_by_file')
      .on(t.storageKey)
      .where(sql`${t.storageKey} is not null`),
    foreignKey({
      name: 'veils_of_user',
      columns: [t.userId],
      foreignColumns: [users.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'veils_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
    check('veils_mute_with', sql`${t.muteWith} in ('tone', 'silence')`),
    check('veils_status', sql`${t.status} in ('making', 'made', 'gone')`),
    check(
      'veils_made',
      sql`${t.status} <> 'made' or (${t.storageKey} is not null and ${t.textRevision} is not null)`,
    ),
  ],
)
