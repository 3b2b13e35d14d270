/**
 * The files a transcription is taken away in. A format is a line in formats.ts and its writer in
 * writers/. Hours of speech take seconds of arithmetic: this runs in a thread, as the task of tasks.ts.
 *
 * Public: as-cut.ts, captions/caption-profiles.ts, captions/cues.ts, file-of.ts, formats.ts, paper.ts, plain-text.ts, source.ts, text-formats.ts
 */
import { rangesOf } from '#features/cuts/cuts.ts'
import { namesOf } from '#features/text/named-speakers.ts'
import type { Owned } from '#features/row/row.ts'
import { toTranscription } from '#features/transcriptions/results.ts'
import {
  type FinishedForOthers,
  finished,
  finishedForOthers,
} from '#features/transcriptions/said.ts'
import { summaryHeading } from '#features/transcriptions/summary-text.ts'
import type { Deps } from '#features/transcriptions/transcriptions.ts'
import { inLanguage } from '#features/translations/translated-text.ts'
import { transcriptionFileName } from '#shared/file-names.ts'

import { checked } from './captions.ts'
import {
  type CaptionsChecked,
  type CaptionsQuery,
  type ExportLook,
  type ExportOptions,
  ExportQuery,
  type TextQuery,
  honoured,
} from './contract.ts'
import { isNamedAsFilm } from './formats.ts'
import { type ExportFile, askedOf, fileOf, lookOf } from './file-of.ts'
import type { Paper } from './paper.ts'
import type { Source } from './source.ts'
import type { Exported } from './writers/writer.ts'

/**
 * Whether it has what is hidden for others: the copy of everything that an account keeps does, and no
 * other file.
 */
interface Whole {
  isWhole?: boolean
}

/**
 * One file of a finished transcription, as it is now, or of its translation.
 *
 * @throws Refusal `not_found`, `not_finished`, `no_such_timecode`, `without_chapters`, `too_few_chapters`, `without_cuts`, `not_translated`
 */
export async function exportFile(
  deps: Pick<Deps, 'db'>,
  { userId, id, isWhole, ...asked }: Owned & ExportOptions & Whole,
): Promise<ExportFile> {
  const { language } = honoured(asked)
  return fileOf(await sourceOf(deps, { userId, id, language, isWhole }), asked)
}

/** How that file begins. @throws Refusal as `exportFile` */
export async function lookAtExport(
  deps: Pick<Deps, 'db'>,
  { userId, id, ...asked }: Owned & ExportOptions,
): Promise<ExportLook> {
  return lookOf(await sourceOf(deps, { userId, id, language: honoured(asked).language }), asked)
}

/** The TXT under the name that programs ask for: transcription-NAME.txt. @throws Refusal `not_found`, `not_finished` */
export async function textFile(
  deps: Pick<Deps, 'db'>,
  { userId, id, ...asked }: Owned & TextQuery,
): Promise<ExportFile> {
  const source = await sourceOf(deps, { userId, id })
  const file = await fileOf(source, { ...ExportQuery.parse({ format: 'txt' }), ...asked })
  return { ...file, name: transcriptionFileName(source.originalName) }
}

async function sourceOf(
  { db }: Pick<Deps, 'db'>,
  { userId, id, language, isWhole = false }: Owned & Pick<ExportOptions, 'language'> & Whole,
): Promise<Source> {
  const owned = { userId, id }
  const found = isWhole
    ? { ...(await finished(db, owned)), veil: null }
    : await finishedForOthers(db, owned)
  const { row, said: stored, veil } = found
  const spoken = stored.filter(({ text }) => text !== '')
  return {
    originalName: row.originalName,
    isFilm: row.picture !== null || (row.storageKey === null && isNamedAsFilm(row.originalName)),
    createdAt: row.createdAt,
    recordedAt: row.recordedAt,
    film: row.filmStart,
    durationMs: row.durationMs,
    engine: row.engine,
    isCorrected: stored.some(({ isEdited }) => isEdited),
    spoken,
    names: namesOf(row),
    chapters: row.chapters?.list ?? [],
    // An earlier text is one of the same recording.
    cuts: await rangesOf(db, row.againOf ?? row.id),
    summary: { ...toTranscription(row, []), heading: summaryHeading(row) },
    ...(await saidIn(db, { row, said: spoken, veil }, language)),
  }
}

/** The text in the language that is asked for. @throws Refusal `not_translated` */
async function saidIn(
  db: Deps['db'],
  { row, said, veil }: Pick<FinishedForOthers, 'row' | 'said' | 'veil'>,
  wanted: string | undefined,
): Promise<Pick<Exported, 'language' | 'translation'> & { said: FinishedForOthers['said'] }> {
  const spoken = row.language ?? 'und'
  if (wanted === undefined || wanted === spoken)
    return { said, language: spoken, translation: null }
  const owned = { userId: row.userId, id: row.id }
  const translated = await inLanguage(db, { ...owned, language: wanted, said, veil })
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
  { userId, id, format, speakers, profile, mend, language: wanted, cuts }: Owned & CaptionsQuery,
): Promise<CaptionsChecked> {
  const whole = await sourceOf({ db }, { userId, id, language: wanted })
  const { said, names, durationMs, language } = askedOf(whole, { format, cuts }).source
  const captions = { profile, mend }
  const captioned = { said, names, speakers, durationMs, language, captions }
  return checked(captioned, { hasVoices: format === 'vtt' })
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
