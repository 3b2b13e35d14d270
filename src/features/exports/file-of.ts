/**
 * A text as a file. Hours of speech take seconds of arithmetic: this runs in a thread, or where nobody
 * else waits.
 */
import assert from 'node:assert/strict'

import type { FilmStart } from '#features/sound/film-start.ts'
import { checkBelowOf, doubtIn, exportedDoubt } from '#features/text/words-in-doubt.ts'
import { actionLine, actionsHeading, openFirst } from '#features/action-items/action-text.ts'
import { noteForReaders, summaryAsText } from '#features/transcriptions/summary-text.ts'
import { titleOf } from '#shared/file-names.ts'
import { formatTime } from '#shared/format.ts'
import { Refusal } from '#shared/refusals.ts'

import { asCut } from './as-cut.ts'
import { type ExportFormat, type ExportLook, type ExportOptions, honoured } from './contract.ts'
import { USUAL_RATE, filmStartOf, frameOf, rates } from './frames.ts'
import {
  chapterFormats,
  cutFormats,
  editorFormats,
  exportFormats,
  fileNameOf,
  honours,
} from './formats.ts'
import type { Source } from './source.ts'
import type { Exported, Look, Section, Write } from './writers/writer.ts'

export interface ExportFile {
  name: string
  type: string
  content: string | Uint8Array
}

/** @throws Refusal `no_such_timecode`, `without_chapters`, `too_few_chapters`, `without_cuts` */
export async function fileOf(source: Source, asked: ExportOptions): Promise<ExportFile> {
  const exported = exportedOf(askedOf(source, asked).source, asked)
  const { write } = await writerOf(asked.format)
  const { type } = exportFormats[asked.format]
  return { name: nameOf(source, asked), type, content: await write(exported) }
}

/** Of a text, so many letters at most. */
const LOOK = 2_048

/** How the same file begins. @throws Refusal `no_such_timecode`, `without_chapters`, `too_few_chapters`, `without_cuts` */
export async function lookOf(source: Source, asked: ExportOptions): Promise<ExportLook> {
  const { source: shown, chaptersLeftOut } = askedOf(source, asked)
  const exported = exportedOf(shown, asked)
  const { write, look } = await writerOf(asked.format)
  const lacks = isInChapters(asked) && chaptersLeftOut.length > 0 ? { chaptersLeftOut } : {}
  const about = { name: nameOf(source, asked), ...lacks }
  if (look) return { ...about, language: exported.language, ...(await look(exported)) }
  const content = await write(exported)
  assert(typeof content === 'string', `${asked.format} is no text, and has no page to look at`)
  const sizeBytes = Buffer.byteLength(content)
  if (content.length <= LOOK) return { ...about, sizeBytes, text: content, isWhole: true }
  const end = content.lastIndexOf('\n', LOOK - 1)
  // A line may be longer than that.
  const text = content.slice(0, end > 0 ? end + 1 : LOOK).toWellFormed()
  return { ...about, sizeBytes, text, isWhole: false }
}

/** With or without what is cut. */
export const askedOf = (source: Source, { format, cuts }: Pick<ExportOptions, 'format' | 'cuts'>) =>
  cuts === 'applied' && honours(format, 'cuts') ? asCut(source) : { source, chaptersLeftOut: [] }

const isInChapters = ({ format, chapters }: ExportOptions): boolean =>
  chapterFormats.includes(format) || (chapters && honours(format, 'chapters'))

const nameOf = ({ originalName, translation, language }: Source, { format }: ExportOptions) =>
  fileNameOf(originalName, format, translation ? language : null)

/**
 * The frames and the beginning that markers and cuts are counted by: what is asked for, else what the file says.
 * Captions begin at 0 where nothing is asked for: a player knows no time code.
 */
function filmOf(film: FilmStart | null, asked: ExportOptions) {
  const filmStart = filmStartOf(asked)
  const ofFile = filmStart === null ? film : null
  const frameRate = asked.frameRate ?? ofFile?.frameRate ?? USUAL_RATE
  const isThere = ofFile !== null && frameOf(ofFile.timecode, rates[frameRate]) !== null
  const own = isThere && editorFormats.includes(asked.format) ? ofFile.timecode : null
  return { frameRate, filmStart: filmStart ?? own }
}

function exportedOf(source: Source, asked: ExportOptions): Exported {
  const { format, ...options } = honoured(asked)
  const { frameRate, filmStart } = filmOf(source.film ?? null, { format, ...options })
  const { chapters, engine, isCorrected = false, spoken, translation } = source
  if (chapterFormats.includes(format) && chapters.length === 0)
    throw new Refusal('without_chapters')
  const { originalName, isFilm = false, cuts = [] } = source
  if (cutFormats.includes(format) && cuts.length === 0) throw new Refusal('without_cuts')
  const isAsked = options.doubt && engine !== null
  const doubt = isAsked ? doubtIn(spoken, checkBelowOf(engine)) : null
  const notes = [translation?.note, isAsked ? exportedDoubt(doubt) : null]
  const shown = shownOf(source.summary, options)
  const summary = summaryOf(shown)
  const { createdAt, recordedAt, language, durationMs, said, names, more = {} } = source
  return {
    title: titleOf(originalName),
    createdAt,
    recordedAt,
    language,
    translation,
    durationMs,
    engine,
    isCorrected,
    said,
    names,
    more,
    speakers: options.speakers,
    times: options.timestamps,
    ...(isAsked ? { doubt } : {}),
    note: notes.filter(Boolean).join(' ') || null,
    keyPoints: summary.keyPoints,
    chapters,
    headings: options.chapters ? chapters : [],
    lineNumbers: options.lineNumbers,
    captions: { profile: options.profile, mend: options.mend },
    markers: { at: options.markers, frameRate },
    filmStart,
    recording: { name: originalName, isFilm },
    cuts,
    ...(options.summary
      ? {
          summary,
          summaryText: summaryAsText(shown),
          sections: sectionsOf(summary, actionsHeading(shown.actionItems)),
        }
      : { summary: null, summaryText: '', sections: [] }),
  }
}

/** Fetched when it is needed: some load a large library that the others do not need. */
const writerOf = async (format: ExportFormat): Promise<{ write: Write; look?: Look }> =>
  import(`./writers/${format}.ts`)

/** Without speakers, action items do not say who is to do them. */
const shownOf = (
  { actionItems, ...all }: Source['summary'],
  { speakers }: Pick<ExportOptions, 'speakers'>,
): Source['summary'] => ({
  ...all,
  actionItems: speakers ? actionItems : actionItems.map((item) => ({ ...item, who: null })),
})

function summaryOf(shown: Source['summary']) {
  const { summary, heading, keyPoints, keyPointTimes, topics, summaryNote } = shown
  const isChanged = (shown.summaryChanged ?? []).length > 0
  const points = keyPoints.map((text, index) => ({ text, at: keyPointTimes[index] ?? null }))
  const actionItems = openFirst(shown.actionItems).map(
    ({ text, who, due, dueDate, at, isDone }) => ({ text, who, due, dueDate, at, isDone }),
  )
  const note = noteForReaders(summaryNote, { isChanged })
  return { text: summary, heading, keyPoints: points, actionItems, topics, note }
}

function sectionsOf(
  { text, heading, keyPoints, actionItems, topics, note }: ReturnType<typeof summaryOf>,
  tasksHeading: string,
): Section[] {
  const points = keyPoints.map((point) =>
    point.at === null ? point.text : `${point.text} (${formatTime(point.at)})`,
  )
  const isTold = Boolean(text?.trim())
  const told = [text, note].filter((line): line is string => Boolean(line?.trim()))
  const sections: Section[] = [
    { heading: isTold ? heading : null, lines: told, isList: false },
    { heading: 'Key points', lines: points, isList: true },
    {
      heading: tasksHeading,
      lines: actionItems.map((item) => actionLine(item)),
      isList: true,
      isDone: actionItems.map(({ isDone }) => isDone),
    },
    { heading: 'Topics covered', lines: topics, isList: true },
  ]
  const written = sections.filter(({ lines }) => lines.some((line) => line.trim() !== ''))
  // How it was made is told with something that was made.
  return written.some((section) => section.heading !== null) ? written : []
}
