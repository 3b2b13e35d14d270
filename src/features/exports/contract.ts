import { z } from 'zod'

import { TranslationLanguage } from '#features/translations/contract.ts'

import { frameRates } from '#shared/frame-rates.ts'

import {
  type ExportOption,
  captionFormats,
  captionProfiles,
  captionRules,
  cutChoices,
  exportOptions,
  formatNames,
  formatsWith,
  honours,
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

/** By which formats an option is honoured, in words. */
const formatsOf = (option: ExportOption): string =>
  `For ${new Intl.ListFormat('en-GB').format(formatsWith(option))}.`

/** The options of a file. A format passes over those that it does not honour. */
const options = <Flag extends z.ZodType<boolean>>(flag: (usual: boolean) => Flag) =>
  ({
    format: ExportFormat.describe(
      'The kind of file. Each honours the options that name it, and passes over the others.',
    ),
    speakers: flag(true).describe(`Whether it says who speaks. ${formatsOf('speakers')}`),
    timestamps: flag(true).describe(`Whether it has times. ${formatsOf('timestamps')}`),
    doubt: flag(true).describe(
      `Whether it says how many words are in doubt, where they are many. ${formatsOf('doubt')}`,
    ),
    summary: flag(false).describe(`Whether the summary comes first. ${formatsOf('summary')}`),
    chapters: flag(true).describe(
      `Whether chapters, where there are some, are headings in the text, or a list of their own. ${formatsOf('chapters')}`,
    ),
    language: TranslationLanguage.optional().describe(
      `The language of a translation that is there: the file says that it is one. By default, and for the language that was spoken, the text as it was said. Chapters are never translated. ${formatsOf('language')}`,
    ),
    lineNumbers: flag(false).describe(
      `Whether lines are numbered, 25 on each page, so that page and line can be cited. ${formatsOf('lineNumbers')}`,
    ),
    profile: z
      .enum(captionProfiles)
      .default('netflix')
      .describe(`Whose reading rules the captions keep. ${formatsOf('profile')}`),
    mend: flag(false).describe(
      `Whether captions that break a reading rule are cut and timed anew: they may come a little before or after what is said, and srt may shorten names. ${formatsOf('mend')}`,
    ),
    frameRate: z
      .enum(frameRates)
      .optional()
      .describe(
        `Frames a second of the film; \`df\` is drop-frame timecode. By default 25, or what the file says where \`filmStart\` is not given. Captions count frames only where \`filmStart\` is given. ${formatsOf('frameRate')}`,
      ),
    filmStart: z
      .string()
      .max(11)
      .optional()
      .describe(
        `The timecode at which the film begins, as \`10:00:00:00\`. By default 0 for captions; for markers and cuts what the file says, else 01:00:00:00 for edl and cutlist, and 0 for xml and otio. ${formatsOf('filmStart')}`,
      ),
    markers: z
      .enum(markerKinds)
      .default('turns')
      .describe(
        `Where there is a marker: at each turn of a speaker, or each key point. ${formatsOf('markers')}`,
      ),
    cuts: z
      .enum(cutChoices)
      .default('applied')
      .describe(
        `Whether the cuts of the recording apply: \`applied\` leaves their words out, and times are those of what remains; \`ignored\` is the whole recording. Turns of a translation of which a part is cut stay whole, which is said there. ${formatsOf('cuts')}`,
      ),
  }) satisfies Record<ExportOption | 'format', z.ZodType>

export const ExportQuery = z.object(options(inQuery))
export type ExportOptions = z.output<typeof ExportQuery>

export const ExportOrLookQuery = ExportQuery.extend({
  look: z
    .literal('1')
    .optional()
    .describe(
      'How the file begins, in place of the file, as JSON: `name` and `isWhole`, and `text` with `sizeBytes` of the whole, or `page` with the lines of docx, pdf or html.',
    ),
})

/** A line of a first page, in the order in which the file has them. */
export type LookLine =
  | { as: 'title' | 'facts' | 'heading' | 'chapter' | 'item' | 'text'; text: string }
  | { as: 'who'; parts: { as: 'time' | 'name'; text: string }[] }

/** How a file begins. */
export type ExportLook = {
  /** Of the file. */
  name: string
  /** Nothing comes after it. */
  isWhole: boolean
  /** Chapters that are not in it, because all of them is cut. */
  chaptersLeftOut?: string[]
} & ({ text: string; sizeBytes: number } | { page: LookLine[]; language: string })

/** The options that the format honours; the others are as if they had not been asked for. */
export function honoured({ format, ...asked }: ExportOptions): ExportOptions {
  const heeded = exportOptions.filter((option) => honours(format, option))
  return {
    ...ExportQuery.parse({ format }),
    ...Object.fromEntries(heeded.map((option) => [option, asked[option]])),
  }
}

/** For the text as a TXT. */
export const TextQuery = ExportQuery.pick({
  speakers: true,
  timestamps: true,
  doubt: true,
  chapters: true,
  cuts: true,
})
export type TextQuery = z.output<typeof TextQuery>

/** The same captions as an export has, looked at and not sent. */
export const CaptionsQuery = ExportQuery.pick({
  speakers: true,
  profile: true,
  mend: true,
  language: true,
  cuts: true,
}).extend({
  format: z.enum(captionFormats).default('srt').describe('In vtt names are not read.'),
})
export type CaptionsQuery = z.output<typeof CaptionsQuery>

export const CaptionsChecked = z.object({
  cues: z.int().describe('How many captions there are.'),
  broken: z
    .int()
    .describe('How many of them break a rule. Times may miss one by a tenth of a second.'),
  places: z
    .array(
      z.object({
        cue: z.int().describe('The number of the caption in the file.'),
        start: z.number().describe('In seconds, as the file has it.'),
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

/** Of the recording with chapters that players show. */
export const SoundFormat = z.enum(['m4a', 'mp3'])
export type SoundFormat = z.infer<typeof SoundFormat>
export const SoundQuery = z.object({
  format: SoundFormat.default('m4a').describe('AAC in MP4, or MP3.'),
})

/** How many transcriptions one archive may hold. */
export const MOST_IN_ARCHIVE = 500

/** Many transcriptions as one archive. */
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
