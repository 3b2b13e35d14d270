/** How rows are shown: the API's transcription, and the text files a user downloads. */
import { and, eq, inArray, sql } from 'drizzle-orm'

import * as actionItems from '#features/action-items/action-items.ts'
import { SummaryLanguage } from '#features/recordings/contract.ts'
import { keptUntil } from '#features/recordings/recordings.ts'
import {
  type Row,
  shownColumns,
  shownRows,
  shownStatus,
  tags,
  transcriptionTags,
} from '#features/row/row.ts'
import type { KeptChapters } from '#features/row/kept.ts'
import { type Turn, speakerName } from '#features/speech/contract.ts'
import { type Names, namesOf, shownAs, speakersOf } from '#features/text/named-speakers.ts'
import { readShown } from '#features/text/speaker-marks.ts'
import type { turns } from '#features/text/tables.ts'
import { without } from '#server/columns.ts'
import type { Db } from '#server/db.ts'
import { wholeSeconds } from '#shared/format.ts'

import type {
  ChangedSummary,
  Chapters,
  SpeakerSegment,
  Tag,
  Transcription,
  TranscriptionRow,
} from './contract.ts'
import { isNotUnderstood } from './status.ts'
import { summaryAsText } from './summary-text.ts'

type TurnRow = Pick<typeof turns.$inferSelect, 'speaker' | 'startMs' | 'endMs' | 'text'>

export const labelOf = (speaker: Turn['speaker'], names?: Names): string =>
  speakerName(speaker, speaker === null ? null : names?.get(speaker))

/** The columns that a list leaves in the database: the long texts, and those that are never shown. */
const unlisted = [
  'transcriptionText',
  'summary',
  'summaryNote',
  'summaryKind',
  'summaryPending',
  'failure',
  'keyPoints',
  'topics',
  'summaryOwn',
  'chapters',
  'actionItems',
  'confirmAnswer',
  'peaks',
  'sides',
  'nameSearch',
  'speakerSearch',
] as const satisfies (keyof Row)[]

export type LightRow = Omit<Row, (typeof unlisted)[number]>

/** A recording that failed this often on our side would fail again, so it is not tried again. */
const MOST_ATTEMPTS = 10

/**
 * Why a transcription cannot be tried again; null when it can. One in which nothing was understood can
 * be heard in another language.
 */
export function whyNotRetried(
  { status, errorCode, attempt, storageKey, ...row }: LightRow,
  spokenLanguage = row.spokenLanguage,
) {
  if (status !== 'error') return 'not_retryable'
  const isHeardOtherwise = isNotUnderstood({ errorCode }) && spokenLanguage !== row.spokenLanguage
  if (errorCode !== null && !isHeardOtherwise) return 'refused_before'
  if (attempt >= MOST_ATTEMPTS) return 'given_up'
  return storageKey === null ? 'recording_deleted' : null
}

/** A row of the library, but for what a later room knows of it. */
export type LibraryRow = Omit<TranscriptionRow, 'isShared'>

export function toLibraryRow(
  row: LightRow & { firstWords: string | null; tags: Tag[] },
): LibraryRow {
  const firstWords = row.firstWords?.replace(/\s+/g, ' ').trim()
  const { tags, wordsInDoubt } = row
  return { ...toRow(row), tags, firstWords: firstWords || null, wordsInDoubt }
}

function toRow(row: LightRow) {
  return {
    id: row.id,
    status: shownStatus(row),
    originalName: row.originalName,
    duration: wholeSeconds(row.durationMs),
    levels: row.levels,
    wordCount: row.wordCount,
    language: row.language,
    speakers: speakersOf(row).map(shownAs),
    errorMessage: row.errorMessage,
    errorCode: row.errorCode,
    canRetry: whyNotRetried(row) === null,
    creditsRequired: row.creditsRequired,
    isSample: row.isSample,
    batchId: row.batchId,
    createdAt: row.createdAt.toISOString(),
    recordedAt: row.recordedAt,
    filmStart: row.filmStart,
    recordingKeptUntil: row.storageKey ? keptUntil(row.createdAt).toISOString() : null,
    recordingDeletedAt: row.recordingDeletedAt?.toISOString() ?? null,
    picture: row.storageKey ? pictureIn(row) : null,
  }
}

export function toTranscription(
  row: Omit<Row, 'peaks' | 'sides' | 'confirmAnswer' | 'nameSearch' | 'speakerSearch'>,
  said: TurnRow[],
): Transcription {
  const names = namesOf(row)
  return {
    ...toRow(row),
    transcriptionText: row.transcriptionText,
    ...shownSummary(row),
    topics: readShown(row).topics ?? [],
    ...shownChapters(row.chapters),
    actionItems: actionItems.shown(row),
    speakerSegments:
      said.length > 0 ? JSON.stringify(said.map((turn) => toSegment(turn, names))) : null,
    engine: row.engine,
    summaryLanguage: SummaryLanguage.parse(row.summaryLanguage),
    summaryNote: row.summaryNote,
    summaryKind: row.summaryKind ?? 'summary',
    summaryPending: row.summaryPending !== null,
    creditsReturned: row.creditsReturned,
    failedAlike: row.status === 'error' ? (row.failure?.times ?? 0) : 0,
    mediaType: row.storageKey ? row.mediaType : null,
    recordingBytes: row.storageKey ? row.sizeBytes : null,
  }
}

/** The summary and its key points, as its owner has left them. */
export function shownSummary(
  row: Pick<Row, 'summary' | 'keyPoints' | 'topics' | 'summaryOwn' | 'speakers' | 'speakerCount'>,
): ChangedSummary {
  const { summary, keyPoints: points } = readShown(row)
  const keyPoints = points ?? []
  const { text: ownText, keyPoints: ownPoints } = row.summaryOwn ?? {}
  return {
    summary,
    keyPoints: keyPoints.map(({ text }) => text),
    keyPointTimes: keyPoints.map(({ startMs }) => (startMs === null ? null : seconds(startMs))),
    keyPointQuotes: keyPoints.map(({ quote }) => quote),
    keyPointsOwn: keyPoints.map(({ isOwn }) => isOwn === true),
    summaryChanged: [
      ...(ownText === undefined ? [] : ['summary' as const]),
      ...(ownPoints === undefined ? [] : ['keyPoints' as const]),
    ],
  }
}

export const shownChapters = (kept: KeptChapters | null): Chapters => ({
  chapters: (kept?.list ?? []).map(({ title, startMs }) => ({ title, start: seconds(startMs) })),
  chaptersBy: kept?.by ?? null,
})

/** Nobody looked at the pictures of what was uploaded before they were shown. */
const pictureIn = ({ picture, mediaType }: Pick<Row, 'picture' | 'mediaType'>) =>
  picture ?? (mediaType?.startsWith('video/') ? 'shown' : null)

/** summary-NAME.txt: what the page copies too. */
export const summaryFile = (row: Row): string => `${summaryAsText(toTranscription(row, []))}\n`

function toSegment(turn: TurnRow, names: Names): SpeakerSegment {
  return {
    start: seconds(turn.startMs),
    end: seconds(turn.endMs),
    speaker: labelOf(turn.speaker, names),
    text: turn.text,
  }
}

const seconds = (ms: number): number => ms / 1000

/** The tags of what is shown, by name. */
export const tagsOfRow = sql<Tag[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', tag.id, 'name', tag.name, 'colour', tag.colour)
    order by tag.name_key), '[]')
  from ${transcriptionTags} of_it join ${tags} tag on tag.id = of_it.tag_id
  where of_it.transcription_id = shown.id and tag.user_id = shown.user_id)`

/** How much of a text a row shows: more than fits into its line. */
const FIRST_CHARACTERS = 200

/** Lists are polled, so they leave the long texts out. */
export const lightColumns = {
  ...without(shownColumns, unlisted),
  firstWords: sql<
    string | null
  >`left(${shownRows.transcriptionText}, ${sql.raw(String(FIRST_CHARACTERS))})`,
  tags: tagsOfRow,
}

/** Rows of the list, in the order of their ids. A row that is not there is left out. */
export async function rowsOf(
  db: Db,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<LibraryRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select(lightColumns)
    .from(shownRows)
    .where(and(eq(shownRows.userId, userId), inArray(shownRows.id, [...ids])))
  const byId = new Map(rows.map((row) => [row.id, toLibraryRow(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
