/**
 * The files a transcription is taken away in. A format is a line in formats.ts and its writer in
 * writers/. Hours of speech take seconds of arithmetic: this runs in a thread, as the task of tasks.ts.
 *
 * Public: captions/caption-profiles.ts, captions/cues.ts, formats.ts, letters.ts, paper.ts, text-formats.ts
 */
import { namesOf } from '#features/text/named-speakers.ts'
import { checkBelowOf, doubtIn, exportedDoubt } from '#features/text/words-in-doubt.ts'
import { actionLine, actionsHeading, openFirst } from '#features/action-items/action-text.ts'
import type { Owned } from '#features/row/row.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { toTranscription } from '#features/transcriptions/results.ts'
import { finished } from '#features/transcriptions/said.ts'
import { summaryAsText, summaryHeading } from '#features/transcriptions/summary-text.ts'
import type { Deps } from '#features/transcriptions/transcriptions.ts'
import { inLanguage } from '#features/translations/translated-text.ts'
import { exportFileName, titleOf } from '#shared/file-names.ts'
import { formatTime } from '#shared/format.ts'
import { Refusal } from '#shared/refusals.ts'

import { checked } from './captions.ts'
import type { CaptionsChecked, CaptionsQuery, ExportFormat, ExportOptions } from './contract.ts'
import { filmStartOf } from './frames.ts'
import { chapterFormats, endingOf, exportFormats } from './formats.ts'
import type { Paper } from './paper.ts'
import type { Exported, Section, Write } from './writers/writer.ts'

export interface ExportFile {
  name: string
  type: string
  content: string | Uint8Array
}

/**
 * One file of a finished transcription, as it is now, or of its translation.
 *
 * @throws Refusal `not_found`, `not_finished`, `no_such_timecode`, `without_chapters`, `too_few_chapters`, `not_translated`
 */
export async function exportFile(
  { db }: Pick<Deps, 'db'>,
  { format, userId, id, ...options }: Owned & ExportOptions,
): Promise<ExportFile> {
  const filmStart = filmStartOf(options)
  const { row, said: stored } = await finished(db, { userId, id })
  const chapters = row.chapters?.list ?? []
  const isOfChapters = chapterFormats.includes(format)
  if (isOfChapters && chapters.length === 0) throw new Refusal('without_chapters')
  const spoken = stored.filter(({ text }) => text !== '')
  const shown = shownOf(toTranscription(row, []), options)
  const isAsked = options.doubt && row.engine !== null
  const doubt = isAsked ? doubtIn(spoken, checkBelowOf(row.engine)) : null
  // Chapters are not translated, so a file of them alone is none.
  const wanted = isOfChapters ? undefined : options.language
  const { said, language, translation } = await saidIn(db, { row, said: spoken }, wanted)
  const notes = [translation?.note, isAsked ? exportedDoubt(doubt) : null]
  const summary = summaryOf(shown)
  const exported: Exported = {
    title: titleOf(row.originalName),
    createdAt: row.createdAt,
    recordedAt: row.recordedAt,
    language,
    translation,
    durationMs: row.durationMs,
    engine: row.engine,
    said,
    names: namesOf(row),
    speakers: options.speakers,
    times: options.timestamps,
    ...(isAsked ? { doubt } : {}),
    note: notes.filter(Boolean).join(' ') || null,
    keyPoints: summary.keyPoints,
    chapters,
    headings: options.chapters ? chapters : [],
    captions: { profile: options.profile, mend: options.mend },
    markers: { at: options.markers, frameRate: options.frameRate },
    filmStart,
    ...(options.summary
      ? {
          summary,
          summaryText: summaryAsText(shown),
          sections: sectionsOf(summary, actionsHeading(shown.actionItems)),
        }
      : { summary: null, summaryText: '', sections: [] }),
  }
  const { write } = await writerOf(format)
  const content = await write(exported)
  return {
    name: exportFileName(
      row.originalName,
      translation ? `${language}.${endingOf(format)}` : endingOf(format),
    ),
    type: exportFormats[format].type,
    content,
  }
}

type Finished = Awaited<ReturnType<typeof finished>>

/** What was said, in the language that is asked for. @throws Refusal `not_translated` */
async function saidIn(
  db: Deps['db'],
  { row, said }: Finished,
  wanted: string | undefined,
): Promise<Pick<Exported, 'language' | 'translation'> & { said: Finished['said'] }> {
  const spoken = row.language ?? 'und'
  if (wanted === undefined || wanted === spoken)
    return { said, language: spoken, translation: null }
  const owned = { userId: row.userId, id: row.id }
  const translated = await inLanguage(db, { ...owned, language: wanted, said })
  const translation = { from: spoken, note: translated.note }
  return { said: translated.said, language: wanted, translation }
}

/**
 * How captions keep the rules of their profile.
 *
 * @throws Refusal `not_found`, `not_finished`, `not_translated`
 */
export async function checkCaptions(
  { db }: Pick<Deps, 'db'>,
  { userId, id, format, speakers, profile, mend, language: wanted }: Owned & CaptionsQuery,
): Promise<CaptionsChecked> {
  const { row, said: spoken } = await finished(db, { userId, id })
  const { durationMs } = row
  const captions = { profile, mend }
  const { said, language } = await saidIn(db, { row, said: spoken }, wanted)
  const captioned = { said, names: namesOf(row), speakers, durationMs, language, captions }
  return checked(captioned, { hasVoices: format === 'vtt' })
}

/** Fetched when it is needed: some load a large library that the others do not need. */
const writerOf = async (format: ExportFormat): Promise<{ write: Write }> =>
  import(`./writers/${format}.ts`)

/** Who is to do something is left out where speakers are. */
const shownOf = (
  { actionItems, ...all }: Transcription,
  { speakers }: Pick<ExportOptions, 'speakers'>,
): Transcription => ({
  ...all,
  actionItems: speakers ? actionItems : actionItems.map((item) => ({ ...item, who: null })),
})

function summaryOf(shown: Transcription) {
  const { summary, summaryKind, keyPoints, keyPointTimes, topics, summaryNote } = shown
  const points = keyPoints.map((text, index) => ({ text, at: keyPointTimes[index] ?? null }))
  const heading = summaryHeading(summaryKind)
  const actionItems = openFirst(shown.actionItems).map(
    ({ text, who, due, dueDate, at, isDone }) => ({ text, who, due, dueDate, at, isDone }),
  )
  return { text: summary, heading, keyPoints: points, actionItems, topics, note: summaryNote }
}

function sectionsOf(
  { text, heading, keyPoints, actionItems, topics, note }: ReturnType<typeof summaryOf>,
  tasksHeading: string,
): Section[] {
  const points = keyPoints.map((point) =>
    point.at === null ? point.text : `${point.text} (${formatTime(point.at)})`,
  )
  const sections: Section[] = [
    { heading, lines: [text, note].filter((line) => line !== null), isList: false },
    { heading: 'Key points', lines: points, isList: true },
    {
      heading: tasksHeading,
      lines: actionItems.map((item) => actionLine(item)),
      isList: true,
      isDone: actionItems.map(({ isDone }) => isDone),
    },
    { heading: 'Topics covered', lines: topics, isList: true },
  ]
  return sections.filter(({ lines }) => lines.some((line) => line.trim() !== ''))
}

export interface DrawRequest {
  format: 'docx' | 'pdf'
  paper: Paper
}

/** A document of another room, as a file. */
export async function draw({ format, paper }: DrawRequest): Promise<Uint8Array> {
  switch (format) {
    case 'docx':
      return (await import('./writers/docx.ts')).draw(paper)
    case 'pdf':
      return (await import('./writers/pdf.ts')).draw(paper)
  }
}
