/**
 * The files a transcription is taken away in. Captions come from the one builder of cues, text from
 * the one writer of text. Hours of speech take seconds of arithmetic: this runs in a thread, as the
 * task of tasks.ts.
 */

import { doubtIn, exportedDoubt } from '#features/editor/words-in-doubt.ts'
import { type Owned } from '#features/recordings/recordings.ts'
import type { transcriptions } from '#features/recordings/tables.ts'
import type { Turn } from '#features/speech/contract.ts'
import * as speech from '#features/speech/speech.ts'
import { toTranscription } from '#features/transcriptions/results.ts'
import { finished } from '#features/transcriptions/said.ts'
import { namesOf } from '#features/transcriptions/speakers.ts'
import { summaryAsText } from '#features/transcriptions/summary-text.ts'
import type { Deps } from '#features/transcriptions/transcriptions.ts'
import { exportFileName } from '#shared/file-names.ts'
import { formatTime, formatTimecode } from '#shared/format.ts'
import { Refusal } from '#shared/refusals.ts'

import type { ExportFormat } from './contract.ts'
import { NotDrawable, type Paper } from './paper.ts'

export interface ExportOptions {
  format: ExportFormat
  speakers: boolean
  timestamps: boolean
  /** The line that says how many words are in doubt, where they are many. */
  doubt: boolean
  summary: boolean
}

export interface ExportFile {
  name: string
  type: string
  content: string | Uint8Array
}

const types: Record<ExportFormat, string> = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
}

/**
 * One file of a finished transcription, as it is now.
 *
 * @throws Refusal `not_found`, `not_finished`, `not_drawable`
 */
export async function exportFile(
  { db }: Pick<Deps, 'db'>,
  { format, speakers, timestamps, doubt, summary, ...owned }: Owned & ExportOptions,
): Promise<ExportFile> {
  const { row, said: stored } = await finished(db, owned)
  const said = stored.filter(({ text }) => text !== '')
  const content = await write(format, said, row, { speakers, timestamps, doubt, summary })
  return { name: exportFileName(row.originalName, format), type: types[format], content }
}

type Row = typeof transcriptions.$inferSelect

async function write(
  format: ExportFormat,
  said: readonly Turn[],
  row: Row,
  { speakers, timestamps: times, doubt, summary }: Omit<ExportOptions, 'format'>,
): Promise<string | Uint8Array> {
  const names = namesOf(row)
  const note = doubt ? exportedDoubt(doubtIn(said)) : null
  const described = {
    title: row.originalName,
    language: row.language ?? 'und',
    durationMs: row.durationMs,
    engine: row.engine,
    names,
  }
  switch (format) {
    case 'srt':
      return speech.toSrt(speech.buildCues(said, { names, hasNames: speakers }))
    case 'vtt':
      return speech.toVtt(speech.buildCues(said, { names, hasNames: speakers }), described)
    case 'csv':
      return speech.toCsv(said, names, { speakers })
    case 'json':
      return speech.toJson(said, {
        ...described,
        speakers,
        indent: 2,
        ...(summary ? { more: { summary: summaryOf(row) } } : {}),
      })
    case 'txt': {
      const text = speech.toPlainText(said, names, { times, speakers })
      const short = summary ? summaryAsText(toTranscription(row, [])) : ''
      const head = note === null ? '' : `${note}\n\n`
      return head + (short === '' ? text : `${short}\n\n\n${text}`)
    }
    case 'md':
      return speech.toMarkdown(said, {
        ...described,
        times,
        speakers,
        note,
        before: summary ? sectionsOf(row) : [],
      })
    case 'docx':
    case 'pdf': {
      const nameOf = speakers ? speech.readersNames(said, names) : () => null
      const paper = {
        title: row.originalName,
        facts: [...speech.factsOf(described), ...(note === null ? [] : [note])],
        language: described.language,
        sections: summary ? sectionsOf(row) : [],
        turns: said.map((turn) => ({
          at: times ? formatTimecode(turn.startMs / 1000) : null,
          name: nameOf(turn.speaker),
          text: turn.text,
        })),
      }
      return draw({ format, paper })
    }
  }
}

function summaryOf(row: Row) {
  const { summary, keyPoints, keyPointTimes, topics, summaryNote } = toTranscription(row, [])
  const points = keyPoints.map((text, index) => ({ text, at: keyPointTimes[index] ?? null }))
  return { text: summary, keyPoints: points, topics, note: summaryNote }
}

function sectionsOf(row: Row): Paper['sections'] {
  const { text, keyPoints, topics, note } = summaryOf(row)
  const points = keyPoints.map((point) =>
    point.at === null ? point.text : `${point.text} (${formatTime(point.at)})`,
  )
  const sections = [
    { heading: 'Summary', lines: [text, note].filter((line) => line !== null), isList: false },
    { heading: 'Key points', lines: points, isList: true },
    { heading: 'Topics covered', lines: topics, isList: true },
  ]
  return sections.filter(({ lines }) => lines.some((line) => line.trim() !== ''))
}

export interface DrawRequest {
  format: 'docx' | 'pdf'
  paper: Paper
}

/** @throws Refusal `not_drawable` */
export async function draw({ format, paper }: DrawRequest): Promise<Uint8Array> {
  try {
    // Each of the two loads a large library that the other does not need.
    switch (format) {
      case 'docx':
        return await (await import('./paper-docx.ts')).toDocx(paper)
      case 'pdf':
        return await (await import('./paper-pdf.ts')).toPdf(paper)
    }
  } catch (error) {
    if (error instanceof NotDrawable) throw new Refusal('not_drawable', { cause: error })
    throw error
  }
}
