import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { users } from '#features/account/tables.ts'
import { transcriptions } from '#features/row/tables.ts'
import { instant } from '#server/columns.ts'

/** Links by which people without an account read a transcription. Only a hash of the address is kept. */
export const shares = pgTable(
  'shares',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    transcriptionId: uuid().notNull(),
    tokenHash: text().notNull(),
    /** The part of the recording that is played: nothing, its sound, or its picture too. */
    recording: text({ enum: ['none', 'sound', 'picture'] }).notNull(),
    withSummary: boolean().notNull(),
    withNames: boolean().notNull(),
    /** Whether it leaves out what is cut of the recording, as it is at the time; else it shows the whole. */
    asCut: boolean().notNull().default(true),
    /** The made file that it shows, and nothing beside that; null for a link to a transcription. */
    renderId: uuid(),
    /** Whether a file is shown with its captions. */
    withCaptions: boolean().notNull().default(false),
    /** argon2id in PHC form; null where everybody with the address may read. */
    passwordHash: text(),
    /** Browsers that opened it, each counted once a day. */
    openings: integer().notNull().default(0),
    lastOpenedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    /** Null: it never ends by itself. */
    endsAt: instant(),
    /** When its owner ended it. */
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex('shares_one_per_token').on(t.tokenHash),
    index('shares_by_transcription').on(t.transcriptionId),
    index('shares_by_user').on(t.userId, t.createdAt),
    // For the tidying, each minute: whose time is over, and which rows need not be kept?
    index('shares_ending')
      .on(t.endsAt)
      .where(sql`${t.endedAt} is null and ${t.endsAt} is not null`)
      .concurrently(),
    index('shares_ended')
      .on(t.endedAt)
      .where(sql`${t.endedAt} is not null`)
      .concurrently(),
    foreignKey({
      name: 'shares_of_transcription',
      columns: [t.transcriptionId],
      foreignColumns: [transcriptions.id],
    }).onDelete('cascade'),
    check('shares_recording', sql`${t.recording} in ('none', 'sound', 'picture')`),
  ],
)

/** Which browsers opened a link on a day. Rows of days that are over are removed. */
export const shareOpenings = pgTable(
  'share_openings',
  {
    shareId: uuid().notNull(),
    day: date({ mode: 'string' }).notNull(),
    /** Hash of address, browser and link: it tells two visitors apart and names nobody. */
    visitorHash: text().notNull(),
  },
  (t) => [
    primaryKey({ name: 'share_openings_pkey', columns: [t.shareId, t.day, t.visitorHash] }),
    index('share_openings_by_day').on(t.day),
    foreignKey({
      name: 'share_openings_of_share',
      columns: [t.shareId],
      foreignColumns: [shares.id],
    }).onDelete('cascade'),
  ],
)
