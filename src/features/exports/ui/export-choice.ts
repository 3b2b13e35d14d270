/** The format and options of exports, as they were at the last download in this browser. */
import type { TextChoice } from '#features/transcriptions/calls.ts'
import type { TranslationLanguage } from '#features/translations/contract.ts'
import { type FrameRate, frameRates } from '#shared/frame-rates.ts'

import type { CaptionsQuery, ExportFormat, ExportOptions } from '../contract.ts'
import { captionProfiles, cutChoices, editorFormats, markerKinds } from '../formats.ts'
import { type Film, type Kind, isWritten, kinds } from './menu.ts'

/** The language belongs to one recording, and is not remembered. */
export interface ExportChoice extends Omit<ExportOptions, 'language' | 'format'> {
  kind: Kind
  frameRate: FrameRate
  /** In SRT a name takes room in the lines and time to be read, so it is asked for by itself. */
  labels: boolean
}

/** The server leaves out what a format has no place for. */
const usual: ExportChoice = {
  kind: 'docx',
  speakers: true,
  labels: false,
  timestamps: true,
  doubt: true,
  summary: false,
  chapters: true,
  lineNumbers: false,
  profile: 'netflix',
  mend: true,
  frameRate: '25',
  markers: 'turns',
  cuts: 'applied',
}
const TAKEN = 'exported-as'
const CHOSEN = 'exporting'

/**
 * As it was chosen of this recording in this window, also while another tab was looked at. What its file
 * says of its film goes before what was typed for another.
 */
export function choiceFor(id: string, film: Film | null = null): ExportChoice {
  const [of, ...chosen] = sessionStorage.getItem(CHOSEN)?.split(' ') ?? []
  if (of === id) return lastChoice(chosen.join(' '))
  const { filmStart, ...last } = lastChoice()
  if (film) return { ...last, frameRate: film.frameRate ?? last.frameRate }
  return filmStart === undefined ? last : { ...last, filmStart }
}

/** The beginning that a file of markers or cuts gets where none is typed; captions begin at 0. */
export const ownStart = (kind: Kind, film: Film | null): string | null =>
  film && isWritten(kind) && editorFormats.includes(kind) ? film.timecode : null

export function lastChoice(kept = localStorage.getItem(TAKEN)): ExportChoice {
  if (kept === null) return usual
  const [named, ...options] = kept.split(' ')
  const kind = kinds.find((one) => one === named)
  if (!kind) return usual
  const of = <Value extends string>(values: readonly Value[], otherwise: Value): Value =>
    values.find((value) => options.includes(value)) ?? otherwise
  const filmStart = options.find((word) => /^[\d:;.]{11}$/.test(word))
  return {
    kind,
    speakers: options.includes('speakers'),
    labels: options.includes('labels'),
    timestamps: options.includes('timestamps'),
    doubt: options.includes('doubt'),
    summary: options.includes('summary'),
    chapters: options.includes('chapters'),
    lineNumbers: options.includes('lineNumbers'),
    profile: of(captionProfiles, usual.profile),
    mend: options.includes('mend'),
    frameRate: of(frameRates, usual.frameRate),
    markers: of(markerKinds, usual.markers),
    cuts: of(cutChoices, usual.cuts),
    ...(filmStart === undefined ? {} : { filmStart }),
  }
}

export const keepChosen = (id: string, choice: ExportChoice): void =>
  sessionStorage.setItem(CHOSEN, `${id} ${choiceAsText(choice)}`)

/** What is cut of one recording is left out of the next, also after the whole of one was taken. */
export const keepTaken = (choice: ExportChoice): void =>
  localStorage.setItem(TAKEN, choiceAsText({ ...choice, cuts: usual.cuts }))

/** The kind, the names of what is on, and what was picked of several: no two of them are one word. */
export function choiceAsText({ kind, ...options }: ExportChoice): string {
  const words = Object.entries(options).flatMap(([name, value]) =>
    typeof value === 'string' ? [value.replace(/\s/g, '')] : value ? [name] : [],
  )
  return [kind, ...words].join(' ')
}

/** The option by which a format says who speaks. */
export const namesOption = (kind: Kind): 'labels' | 'speakers' =>
  kind === 'srt' ? 'labels' : 'speakers'

/** What a file is asked for with. An empty field for the start of the film asks for none. */
export function exportQuery(
  { kind: _kind, labels, filmStart, ...choice }: ExportChoice,
  format: ExportFormat,
  language: TranslationLanguage | null = null,
): ExportOptions {
  return {
    format,
    ...choice,
    speakers: format === 'srt' ? labels : choice.speakers,
    ...(filmStart ? { filmStart } : {}),
    ...(language === null ? {} : { language }),
  }
}

/** The query for the text that is downloaded with the summary: as a TXT of the same choice. */
export const textQuery = ({
  speakers,
  timestamps,
  doubt,
  chapters,
  cuts,
}: ExportChoice): TextChoice => ({
  speakers,
  timestamps,
  doubt,
  chapters,
  cuts,
})

/** What the check of captions is asked for with. */
export function captionsQuery(
  choice: ExportChoice,
  format: CaptionsQuery['format'],
  language: TranslationLanguage | null = null,
): CaptionsQuery {
  const { speakers, profile, mend, cuts } = exportQuery(choice, format)
  return { format, speakers, profile, mend, cuts, ...(language === null ? {} : { language }) }
}

/** The name that the server gives a file; its own letters where there are more than ASCII. */
export function fileNameIn(disposition: string | null): string | null {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (coded) return decodeURIComponent(coded)
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null
}
