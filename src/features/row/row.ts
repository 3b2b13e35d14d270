/**
 * The row of a recording: what was uploaded, and what is made of it.
 *
 * Public: kept.ts, tables.ts
 */
import { and, eq, isNull, notInArray, sql } from 'drizzle-orm'

import type { Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { transcriptions } from './tables.ts'

export type Row = typeof transcriptions.$inferSelect

export interface Owned {
  userId: string
  id: string
}

export async function lockOwned(tx: Tx, owned: Owned): Promise<Row> {
  const [row] = await tx.select().from(transcriptions).where(isThere(owned)).for('update')
  if (!row) throw new Refusal('not_found')
  return row
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @throws Refusal `not_found` for what is no id at all: the database would answer it with an error */
export function requireId(id: string): void {
  if (!uuid.test(id)) throw new Refusal('not_found')
}

/** Whose it is, whether they have deleted it or not. @throws Refusal `not_found` for no id at all */
export function isOwned({ userId, id }: Owned) {
  requireId(id)
  return and(eq(transcriptions.id, id), eq(transcriptions.userId, userId))
}

/** What its owner has, work on it and earlier texts included. @throws Refusal `not_found` for no id at all */
export const isKnown = (owned: Owned) => and(isOwned(owned), isNull(transcriptions.deletedAt))

/** All that a user sees of theirs. */
export const areThere = (userId: string) =>
  and(
    eq(transcriptions.userId, userId),
    isNull(transcriptions.deletedAt),
    isNull(transcriptions.againOf),
  )

/** What its owner sees. @throws Refusal `not_found` for no id at all */
export const isThere = (owned: Owned) => and(isKnown(owned), isNull(transcriptions.againOf))

/**
 * A recording is needed while it is worked on again. Its table is named: among the columns of a select,
 * Drizzle would write the id without it, and that would be the id of the run.
 */
export const isWorkedOnAgain = sql<boolean>`exists (
  select from ${transcriptions} run
  where run.again_of = ${transcriptions}.id and run.status not in ('uploading', 'completed', 'error'))`

/** Work that has not ended: it waits for a worker, or has one. */
export const isOpen = notInArray(transcriptions.status, ['uploading', 'completed', 'error'])

/**
 * Whether a column goes with its text when another takes the place of that (text/earlier.ts). What
 * does not is of the recording, of the work on it, or of the row itself. A new column does not
 * compile before this says which it is.
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
  mediaType: false,
  peaks: false,
  durationMs: false,
  recordedAt: false,
  spokenLanguage: true,
  askedSpeakers: true,
  terms: true,
  summaryLanguage: true,
  withDocument: false,
  documentOrder: false,
  creditsRequired: false,
  attempt: false,
  lease: false,
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
  chapters: true,
  actionItems: true,
  errorMessage: false,
  errorCode: false,
  creditsReturned: false,
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
} satisfies Record<keyof typeof transcriptions.$inferSelect, boolean>
