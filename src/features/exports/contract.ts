import { z } from 'zod'

import { TranslationLanguage } from '#features/translations/contract.ts'

import {
  captionFormats,
  captionProfiles,
  captionRules,
  formatNames,
  frameRates,
  markerKinds,
} from './formats.ts'

export const ExportFormat = z.enum(formatNames)
export type ExportFormat = z.infer<typeof ExportFormat>

const inQuery = (usual: boolean) =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(usual)
const inBody = (usual: boolean) => z.boolean().default(usual)

/** What a file is made like. What a format has no place for is passed over. */
const options = <Flag extends z.ZodType<boolean>>(flag: (usual: boolean) => Flag) => ({
  format: ExportFormat.describe('The kind of file.'),
  speakers: flag(true).describe('Whether it says who speaks.'),
  timestamps: flag(true).describe('Whether it has times, where the format can do without.'),
  doubt: flag(true).describe(
    'Whether txt, md, html, docx and pdf say how many words are in doubt, where they are many.',
  ),
  summary: flag(false).describe('Whether the summary comes first.'),
  chapters: flag(true).describe(
    'Whether chapters, where there are some, are headings of txt, md, html, docx and pdf, and a list in json.',
  ),
  language: TranslationLanguage.optional().describe(
    'The language of a translation that is there: the file says that it is one. By default, and for the language that was spoken, the text as it was said. Chapters are never translated.',
  ),
  profile: z
    .enum(captionProfiles)
    .default('netflix')
    .describe('Whose reading rules the captions of srt and vtt keep.'),
  mend: flag(false).describe(
    'Whether captions that break a reading rule are cut and timed anew: they may come a little before or after what is said, and srt may shorten names.',
  ),
  frameRate: z
    .enum(frameRates)
    .default('25')
    .describe('Frames a second of the film that edl and xml are for; `df` is drop-frame timecode.'),
  filmStart: z
    .string()
    .max(11)
    .optional()
    .describe(
      'The timecode at which the film begins, as `10:00:00:00`, for srt, vtt, edl and xml. By default 01:00:00:00 for edl, and 0 for the others.',
    ),
  markers: z
    .enum(markerKinds)
    .default('turns')
    .describe('Where edl and xml have a marker: at each turn of a speaker, or each key point.'),
})

/** GET …/export. */
export const ExportQuery = z.object(options(inQuery))
export type ExportOptions = z.output<typeof ExportQuery>

/** GET …/captions: the same captions as an export, looked at and not sent. */
export const CaptionsQuery = ExportQuery.pick({
  speakers: true,
  profile: true,
  mend: true,
  language: true,
}).extend({
  format: z.enum(captionFormats).default('srt').describe('In vtt names are not read.'),
})
export type CaptionsQuery = z.output<typeof CaptionsQuery>

export const CaptionsChecked = z.object({
  cues: z.int().describe('How many captions there are.'),
  broken: z.int().describe('How many of them break a rule.'),
  places: z
    .array(
      z.object({
        cue: z.int().describe('The number of the caption in the file.'),
        start: z.number().describe('In seconds.'),
        rule: z.enum(captionRules),
        is: z.int().describe('Letters, lines or milliseconds.'),
        limit: z.int(),
        text: z.string(),
      }),
    )
    .describe('Where and how, the first hundred.'),
  shortNames: z
    .array(z.string())
    .describe('The names that mending has shortened, as they stand in the file.'),
})
export type CaptionsChecked = z.infer<typeof CaptionsChecked>

/** GET …/export/sound: the recording with chapters that players show. */
export const SoundFormat = z.enum(['m4a', 'mp3'])
export type SoundFormat = z.infer<typeof SoundFormat>
export const SoundQuery = z.object({
  format: SoundFormat.default('m4a').describe('AAC in MP4, or MP3.'),
})

/** How many transcriptions one archive may hold. */
export const MOST_IN_ARCHIVE = 500

/** POST /api/exports: many transcriptions as one archive. */
export const ArchiveRequest = z.object({
  ids: z
    .array(z.uuid())
    .min(1)
    .max(MOST_IN_ARCHIVE)
    .describe('The transcriptions. What is not finished is left out, and named in `left-out.txt`.'),
  ...options(inBody),
})
/** As it is sent: what is usual may be left out. */
export type ArchiveRequest = z.input<typeof ArchiveRequest>
