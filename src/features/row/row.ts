/**
 * The row of a recording: what was uploaded, and what is made of it. The table `transcriptions` holds
 * three things. Each has a name by which it is asked for, which brings its conditions along:
 *
 * - `shownRows`: a recording with its text, or on the way to it. Lists and pages show these.
 * - `runRows`: hidden work on the recording of a row that is shown, which it names (`againOf`). One that
 *   failed is kept for a day, so that its owner is told.
 * - `earlierRows`: the text that another took the place of, kept for a while (`keptUntil`). Its row is
 *   that of the run which made the other text: the two have changed texts.
 *
 * `textRows` are what is shown and earlier texts. None of these have what its owner has deleted.
 *
 * `everyRow` is the table itself, with all three and what is deleted: for jobs, files and accounts, which
 * go by the id of a row whatever it is. `writeShown` writes to what is shown, `writeRow` to a row that
 * was locked before.
 *
 * Promise: a text, work on it and an earlier text are never taken for each other because a query forgot
 * a condition. Nothing but this room, and foreign keys, can name the table otherwise:
 * test/architecture.test.ts.
 *
 * Public: kept.ts, veil.ts
 */
import {
  type AnyColumn,
  type SQL,
  and,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  or,
} from 'drizzle-orm'
import { type PgUpdateSetSource, QueryBuilder } from 'drizzle-orm/pg-core'

import type { Queryable, Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import {
  batches,
  hidings,
  renders,
  tags,
  transcriptionTags,
  transcriptions,
  veils,
} from './tables.ts'

export { batches, hidings, renders, tags, transcriptionTags, veils }

export type Row = typeof transcriptions.$inferSelect
export type NewRow = typeof transcriptions.$inferInsert

export const everyRow = transcriptions

const { againOf, deletedAt, keptUntil } = transcriptions
// PostgreSQL reads through these as if their conditions stood in the query, indexes and locks included.
const ask = new QueryBuilder({ casing: 'snake_case' })
const rowsWhere = (...conditions: (SQL | undefined)[]) =>
  ask
    .select()
    .from(transcriptions)
    .where(and(isNull(deletedAt), ...conditions))

export const shownRows = rowsWhere(isNull(againOf)).as('shown')
export const runRows = rowsWhere(isNotNull(againOf), isNull(keptUntil)).as('runs')
export const earlierRows = rowsWhere(isNotNull(keptUntil)).as('earlier')
export const textRows = rowsWhere(or(isNull(againOf), isNotNull(keptUntil))).as('texts')

/** The columns of what is shown, for a query that reads other tables too, or not all of them. */
export const shownColumns = Object.fromEntries(
  Object.keys(getTableColumns(transcriptions)).map((name) => [name, shownRows[name as keyof Row]]),
) as Pick<typeof shownRows, keyof Row>

export interface Owned {
  userId: string
  id: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @throws Refusal `not_found` for what is no id at all: the database would answer it with an error */
export function requireId(id: string): void {
  if (!uuid.test(id)) throw new Refusal('not_found')
}

/** Which of these rows it is, if it is its owner's. @throws Refusal `not_found` for no id at all */
export function isThere(
  { userId, id }: Owned,
  rows: { id: AnyColumn; userId: AnyColumn } = shownRows,
) {
  requireId(id)
  return and(eq(rows.id, id), eq(rows.userId, userId))
}

/**
 * Which of `everyRow` it is, if it is its owner's and not deleted: what is shown, a run or an earlier
 * text. @throws Refusal `not_found` for no id at all
 */
export const isKnown = (owned: Owned) => and(isThere(owned, everyRow), isNull(deletedAt))

/** @throws Refusal `not_found` */
export async function lockOwned(tx: Tx, owned: Owned): Promise<Row> {
  const [row] = await tx.select().from(shownRows).where(isThere(owned)).for('update')
  if (!row) throw new Refusal('not_found')
  return row
}

/** The same where it is finished. @throws Refusal `not_found`, `not_finished` */
export async function lockFinished(tx: Tx, owned: Owned): Promise<Row> {
  const row = await lockOwned(tx, owned)
  if (row.status !== 'completed') throw new Refusal('not_finished')
  return row
}

type Values = PgUpdateSetSource<typeof transcriptions>

/** Writes to what is shown. Does nothing where its owner has no such one. */
export const writeShown = (db: Queryable, owned: Owned, values: Values) =>
  db
    .update(transcriptions)
    .set(values)
    .where(and(isKnown(owned), isNull(againOf)))

/** Writes to one row of any kind, which its caller has locked. */
export const writeRow = (db: Queryable, id: string, values: Values) =>
  db.update(transcriptions).set(values).where(eq(transcriptions.id, id))

/** Work that has not ended: it waits for a worker, or has one. */
export const isOpen = ({ status }: { status: AnyColumn }) =>
  notInArray(status, ['uploading', 'completed', 'error'])

/** The status that is shown: of work that has begun, how far it is. */
export const shownStatus = ({ status, progress }: Pick<Row, 'status' | 'progress'>): string =>
  status === 'processing' ? (progress ?? status) : status

/** A recording is needed while it is worked on again. The id is that of the row that has it. */
export const isWorkedOnAgain = (id: AnyColumn) =>
  inArray(id, ask.select({ id: runRows.againOf }).from(runRows).where(isOpen(runRows)))

/**
 * Whether a column goes with its text when another text takes its place (text/earlier.ts). The columns
 * that stay belong to the recording, to the work on it, or to the row itself. A new column does not
 * compile before this list says which it is.
 */
export const goesWithText = {
  id: false,
  userId: false,
  status: false,
  originalName: false,
  nameSearch: false,
  storageKey: false,
  recordingDeletedAt: false,
  sizeBytes: false,
  contentHash: false,
  mediaType: false,
  peaks: false,
  levels: false,
  sides: false,
  durationMs: false,
  recordedAt: false,
  filmStart: false,
  spokenLanguage: true,
  askedSpeakers: true,
  askedChannels: true,
  terms: true,
  summaryLanguage: true,
  withDocument: false,
  documentOrder: false,
  creditsRequired: false,
  attempt: false,
  lease: false,
  progress: false,
  confirmAnswer: false,
  transcriptionText: true,
  language: true,
  wordCount: true,
  speakerCount: true,
  speakers: true,
  speakerSearch: false,
  revision: false,
  engine: true,
  isSample: false,
  summary: true,
  summaryNote: true,
  summaryKind: true,
  summaryPending: false,
  keyPoints: true,
  topics: true,
  summaryOwn: true,
  chapters: true,
  actionItems: true,
  errorMessage: false,
  errorCode: false,
  creditsReturned: false,
  failure: false,
  againOf: false,
  againWhat: false,
  keptUntil: false,
  textSince: true,
  hasFault: true,
  isTelephone: false,
  isNoisy: false,
  wordsInDoubt: true,
  picture: false,
  batchId: false,
  watchedAt: false,
  createdAt: false,
  confirmedAt: false,
  finishedAt: true,
  deletedAt: false,
} satisfies Record<keyof Row, boolean>
