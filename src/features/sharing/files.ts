/**
 * The transcript of a link as files, by the writers of exports: with all that the link shows, and no
 * more.
 */
import { ExportQuery } from '#features/exports/contract.ts'
import { type ExportFile, fileOf } from '#features/exports/file-of.ts'
import {
  type ExportFormatName,
  cutFormats,
  endingOf,
  formatNames,
} from '#features/exports/formats.ts'

import type { Shown } from './shown.ts'

const formats = new Map(
  formatNames
    .filter((format) => !cutFormats.includes(format))
    .map((format) => [endingOf(format), format]),
)

/** The format of `/s/TOKEN.ending`. */
export const formatWith = (ending: string): ExportFormatName | undefined => formats.get(ending)

/** Programs read these in place; the others are saved. */
const readInPlace: readonly ExportFormatName[] = ['txt', 'vtt', 'json']
export const isReadInPlace = (format: ExportFormatName): boolean => readInPlace.includes(format)

/** @throws Refusal `without_chapters`, `too_few_chapters` */
export function sharedFile(
  { title, said, summary, ...shown }: Shown,
  { format, recording }: { format: ExportFormatName; recording: string | null },
): Promise<ExportFile> {
  const { text = null, heading = '', keyPoints = [], actionItems = [], topics = [] } = summary ?? {}
  const source = {
    ...shown,
    originalName: title,
    language: shown.language ?? 'und',
    translation: null,
    // The owner did not choose to show which engine wrote the text, or how sure it was.
    engine: null,
    said,
    spoken: said,
    summary: {
      summary: text,
      heading,
      keyPoints: keyPoints.map((point) => point.text),
      keyPointTimes: keyPoints.map(({ startMs }) => (startMs === null ? null : startMs / 1000)),
      actionItems,
      topics,
      summaryNote: summary?.note ?? null,
    },
    more: {
      recordedAt: shown.recordedAt,
      addedAt: shown.createdAt.toISOString(),
      ...(recording === null ? {} : { recording }),
    },
  }
  return fileOf(source, ExportQuery.parse({ format, summary: String(summary !== null) }))
}
