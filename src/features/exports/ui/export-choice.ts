/** The format and options of exports, as they were chosen last in this browser. */
import type { TextChoice } from '#features/transcriptions/calls.ts'
import type { TranslationLanguage } from '#features/translations/contract.ts'

import type { CaptionsQuery, ExportOptions } from '../contract.ts'
import { captionProfiles, formatNames, frameRates, markerKinds } from '../formats.ts'

/** The language belongs to one recording, and is not remembered. */
export interface ExportChoice extends Omit<ExportOptions, 'language'> {
  /** In SRT a name takes room in the lines and time to be read, so it is asked for by itself. */
  labels: boolean
}

/** The server leaves out what a format has no place for. */
const usual: ExportChoice = {
  format: 'srt',
  speakers: true,
  labels: false,
  timestamps: true,
  doubt: true,
  summary: false,
  chapters: true,
  profile: 'netflix',
  mend: true,
  frameRate: '25',
  markers: 'turns',
}
const KEY = 'exported-as'

export function lastChoice(kept = localStorage.getItem(KEY)): ExportChoice {
  if (kept === null) return usual
  const [named, ...options] = kept.split(' ')
  const format = formatNames.find((one) => one === named)
  if (!format) return usual
  const of = <Value extends string>(values: readonly Value[], otherwise: Value): Value =>
    values.find((value) => options.includes(value)) ?? otherwise
  const filmStart = options.find((word) => /^[\d:;.]{11}$/.test(word))
  return {
    format,
    speakers: options.includes('speakers'),
    labels: options.includes('labels'),
    timestamps: options.includes('timestamps'),
    doubt: options.includes('doubt'),
    summary: options.includes('summary'),
    chapters: options.includes('chapters'),
    profile: of(captionProfiles, usual.profile),
    mend: options.includes('mend'),
    frameRate: of(frameRates, usual.frameRate),
    markers: of(markerKinds, usual.markers),
    ...(filmStart === undefined ? {} : { filmStart }),
  }
}

export function keepChoice(choice: ExportChoice): void {
  localStorage.setItem(KEY, choiceAsText(choice))
}

/** The format, the names of what is on, and what was picked of several: no two of them are one word. */
export function choiceAsText({ format, ...options }: ExportChoice): string {
  const words = Object.entries(options).flatMap(([name, value]) =>
    typeof value === 'string' ? [value.replace(/\s/g, '')] : value ? [name] : [],
  )
  return [format, ...words].join(' ')
}

/** As the server is asked. */
export const optionsOf = ({ labels, ...choice }: ExportChoice): ExportOptions => ({
  ...choice,
  speakers: choice.format === 'srt' ? labels : choice.speakers,
})

/** What a file is asked for with. An empty field for the start of the film asks for none. */
export function exportQuery(
  choice: ExportChoice,
  language: TranslationLanguage | null = null,
): ExportOptions {
  const { filmStart, ...asked } = optionsOf(choice)
  return {
    ...asked,
    ...(filmStart ? { filmStart } : {}),
    ...(language === null ? {} : { language }),
  }
}

/** The query for the text that is downloaded with the summary: as a TXT of the same choice. */
export const textQuery = ({ speakers, timestamps, doubt, chapters }: ExportChoice): TextChoice => ({
  speakers,
  timestamps,
  doubt,
  chapters,
})

/** The file of captions that is looked at: the one that was taken last. */
export const captionsFormat = ({ format }: ExportChoice): 'vtt' | 'srt' =>
  format === 'vtt' ? 'vtt' : 'srt'

/** What the check of the captions is asked for with: both formats differ only in names. */
export function captionsQuery(
  choice: ExportChoice,
  language: TranslationLanguage | null = null,
): CaptionsQuery {
  const format = captionsFormat(choice)
  const { speakers, profile, mend } = optionsOf({ ...choice, format })
  return { format, speakers, profile, mend, ...(language === null ? {} : { language }) }
}

/** The name that the server gives a file; its own letters where there are more than ASCII. */
export function fileNameIn(disposition: string | null): string | null {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (coded) return decodeURIComponent(coded)
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null
}
