import { z } from 'zod'

import { askedChannels, speakerBounds } from '#features/speech/contract.ts'
import { DocumentTypeId } from '#features/documents/contract.ts'
import {
  DEFAULT_SUMMARY_LANGUAGE,
  LONGEST_TERM,
  MAX_BATCH,
  MOST_TERMS,
  summaryLanguageCodes,
} from '#shared/business.ts'
import { isRecordedAt, isTimeZone } from '#shared/recorded.ts'

export const SummaryLanguage = z.enum(summaryLanguageCodes)
export type SummaryLanguage = z.infer<typeof SummaryLanguage>

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const isLanguage = (code: string): boolean =>
  /^[a-z]{2,3}$/.test(code) && languageNames.of(code) !== undefined

/** What is spoken, as ISO 639-1; `auto` or nothing where the engine is to find out. */
export const SpokenLanguage = z
  .string()
  .trim()
  .toLowerCase()
  .refine((code) => code === '' || code === 'auto' || isLanguage(code), {
    error: 'The language is two letters of ISO 639-1, for example en. Nothing was charged.',
  })

const Speakers = z
  .string()
  .trim()
  .max(10)
  .refine((text) => speakerBounds(text) !== null, 'auto, a number such as 2, or max:4')

/** A name as browsers have it: `Europe/Berlin`. */
export const TimeZone = z.string().max(60).refine(isTimeZone, 'a time zone such as Europe/Berlin')

export const RecordedAt = z
  .string()
  .max(40)
  .refine(isRecordedAt, 'a day such as 2026-09-01, or a moment such as 2026-09-01T10:02:00Z')

/** When and where a recording was made, as its sender says. */
const Recorded = {
  recordedAt: RecordedAt.optional().describe(
    'When it was recorded: a day such as 2026-09-01, or a moment such as 2026-09-01T10:02:00Z. Without it, what the file says of itself. “By Friday” counts from that day.',
  ),
  timeZone: TimeZone.optional().describe(
    'The time zone of its owner, such as Europe/Berlin: of which day a moment in UTC is. It is remembered; without any, UTC.',
  ),
}

/** Whether the channels or tracks of a recording are people. */
export const Channels = z.enum(askedChannels)
export type Channels = z.infer<typeof Channels>

export const Terms = z.array(z.string().trim().min(1).max(LONGEST_TERM)).max(MOST_TERMS)

export const Ignored = z
  .array(z.string())
  .optional()
  .describe(
    'The fields that this server makes no use of: those it does not know, and terms where its engine takes none. Absent where there are none.',
  )

/** The facts that somebody knows of a recording before it is worked on. One that is left out is not known. */
export const RecordingOptions = z.object({
  language: SpokenLanguage.optional().describe(
    'What is spoken, as two letters. auto: the engine finds out.',
  ),
  speakers: Speakers.optional().describe(
    'How many people speak: 2 is exactly two, max:4 at most four. auto: it is found out.',
  ),
  channels: Channels.optional().describe(
    'Whether the channels of the file are people, or its tracks of sound where it has several. people: each is one, called as the file calls its track, and all that two say at once is kept. mixed: they are heard as one sound, in which voices are told apart; of tracks that are much alike, the first. auto: people where they plainly differ. Where speakers is a number that does not fit them, they are mixed.',
  ),
  terms: Terms.optional().describe(
    'Names and terms that may come up, for engines that take them: up to 100, of 60 letters each.',
  ),
})
export type RecordingOptions = z.infer<typeof RecordingOptions>

/** Those of the last recording that came with some. */
export const LastOptions = RecordingOptions.required()
z.globalRegistry.add(LastOptions, { id: 'RecordingOptions' })
export type LastOptions = z.infer<typeof LastOptions>

/** The fields of an upload's form beside the file. Unknown fields are passed over, and named in the answer. */
export const UploadFields = z.object({
  ...RecordingOptions.shape,
  ...Recorded,
  terms: z
    .string()
    .max(30_000)
    .optional()
    .describe(
      'Names and terms that may come up, for engines that take them: a JSON list of up to 100, of 60 letters each.',
    ),
  summaryLanguage: SummaryLanguage.default(DEFAULT_SUMMARY_LANGUAGE).describe(
    'Language of the summary; auto is the one that was spoken.',
  ),
  generateDocument: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: a document is written too, for one more credit. Professional and up.'),
  documentType: DocumentTypeId.optional().describe('The id of one of GET /api/document-types.'),
  includeImages: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: with suggestions for images, where the type has them.'),
})

/** A field of a form, or of JSON. */
const flag = (meaning: string) =>
  z
    .union([z.boolean(), z.enum(['true', 'false'])])
    .default(false)
    .describe(meaning)

/** The fields of POST /api/upload, and the file that is going to come. */
export const BeginUpload = UploadFields.extend({
  name: z.string().min(1).max(1_000).describe('The name of the file, with its ending.'),
  sizeBytes: z.int().min(0).describe('The size of the whole file.'),
  terms: RecordingOptions.shape.terms,
  generateDocument: flag('true: a document is written too, for one more credit.'),
  includeImages: flag('true: with suggestions for images, where the type has them.'),
  isSoundOfVideo: z
    .boolean()
    .default(false)
    .describe('It is the sound of a video that stays where it is.'),
})
export type BeginUpload = z.input<typeof BeginUpload>

/** POST /api/batches: several files that are going to come, and what holds for all of them. */
export const BeginBatch = BeginUpload.omit({
  name: true,
  sizeBytes: true,
  recordedAt: true,
}).extend({
  files: z
    .array(BeginUpload.pick({ name: true, sizeBytes: true, recordedAt: true }))
    .min(1)
    .max(MAX_BATCH)
    .describe(`Up to ${MAX_BATCH}.`),
})

/** An upload in parts, with the parts that are still missing. */
export const UploadInParts = z.object({
  id: z.uuid(),
  name: z.string(),
  sizeBytes: z.int(),
  partBytes: z.int().describe('What every part but the last holds.'),
  parts: z
    .array(
      z.object({
        number: z.int().describe('From 1, in the order of the file.'),
        url: z
          .string()
          .describe(
            'Where the part is put: a path of this server, called like every other, or an address in a bucket, called without credentials.',
          ),
        keptBytes: z
          .int()
          .describe('What has come of it: the rest alone may be put, with ?from= this number.'),
      }),
    )
    .describe('The parts that are missing.'),
  ignored: Ignored,
})
z.globalRegistry.add(UploadInParts, { id: 'UploadInParts' })
export type UploadInParts = z.infer<typeof UploadInParts>

/** The answer, file by file. A file that is refused does not stop the others. */
export const BegunBatch = z.object({
  files: z
    .array(
      z.object({
        name: z.string(),
        upload: UploadInParts.nullable().describe('As POST /api/uploads answers.'),
        refusal: z
          .object({ code: z.string(), message: z.string() })
          .nullable()
          .describe('Why this file is not taken.'),
      }),
    )
    .describe('In the order in which they were named.'),
  ignored: Ignored,
})

/** How loud a recording is. */
export const Levels = z
  .array(z.int())
  .nullable()
  .describe(
    'How loud it is: the loudest sample of each of up to 26 equal stretches, 0 to 255. All 0 is silence; null where nobody has measured it.',
  )

/** The same recording, which has a text already or is on the way to it. */
export const Same = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  hasSameBytes: z
    .boolean()
    .describe('False where only its name, size and length were compared: it is older than that.'),
})
z.globalRegistry.add(Same, { id: 'Same' })
export type Same = z.infer<typeof Same>

export const SameAs = Same.nullable().describe(
  'The newest transcription that the account has of the very same file, if there is one: by its bytes, or for older ones by name, size and length. Only while it waits for its confirmation.',
)

/** GET /api/recordings/same: a file that is not sent yet. */
export const SameQuery = z.object({
  name: z.string().min(1).max(1_000),
  sizeBytes: z.coerce.number().int().min(1),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
})

/** POST /api/upload. `duration` in whole seconds; credits. */
export const UploadAnswer = z.object({
  transcriptionId: z.uuid(),
  filename: z.string(),
  duration: z.int(),
  creditsRequired: z.int(),
  creditsAvailable: z.int(),
  recordedAt: z
    .string()
    .nullable()
    .optional()
    .describe('When it was recorded, as far as the file or its sender says.'),
  levels: Levels.optional(),
  sameAs: SameAs.optional(),
  ignored: Ignored,
})
export type UploadAnswer = z.infer<typeof UploadAnswer>

/** The loudest sample of each of up to 1,000 equal stretches, 0 to 255. */
export const Peaks = z.object({
  peaks: z.array(z.int()).nullable(),
  duration: z.number(),
})
export type Peaks = z.infer<typeof Peaks>

/** The engines that work on recordings that are sent now. */
export const Engines = z.object({
  /** `languages` as ISO 639-1 codes; null when any language is recognised, or nobody here knows. */
  speech: z.object({
    name: z.string(),
    /** What the engine recognises with, where an operator chose it. */
    model: z.string().optional(),
    languages: z.array(z.string()).nullable(),
    /**
     * Words come without times of their own: English ones are aligned to the sound, those of other
     * languages are estimated.
     */
    estimatesTimes: z.literal(true).optional(),
    /** Whether it makes use of names and terms; absent where nobody here knows. */
    takesTerms: z.boolean().optional(),
    note: z.string().nullable(),
    /** A better model that is on its way; percent is null while it is unpacked and tried. */
    fetching: z.object({ model: z.string(), percent: z.int().nullable() }).optional(),
  }),
  writing: z.object({ name: z.string(), note: z.string().nullable() }),
})
export type Engines = z.infer<typeof Engines>

/** What this server can do, see shared/capabilities.ts. */
export const Capabilities = z.object({
  languages: z
    .array(z.string())
    .nullable()
    .describe('Languages that are recognized, as two letters; null: any, or nobody here knows.'),
  summaryLanguages: z
    .array(SummaryLanguage)
    .describe(
      'What a summary may be asked for in. auto alone: no language model is set up, and a summary is made of sentences of the transcript, in the language that was spoken.',
    ),
  documentsByModel: z
    .boolean()
    .describe(
      'Whether a language model writes documents. Without one they are put together from sentences of the transcript, in the language that was spoken.',
    ),
  translations: z
    .boolean()
    .describe('Whether a language model translates transcriptions and their captions.'),
  googleDocs: z.boolean().describe('Whether a document can be made a Google Doc.'),
  googleSignIn: z.boolean().describe('Whether one can sign in with Google.'),
  doubt: z.boolean().describe('Whether the recognizer tells how sure it is of each word.'),
  terms: z.boolean().describe('Whether the recognizer makes use of names and terms.'),
  voices: z.boolean().describe('Whether speakers are told apart.'),
  recorder: z.boolean().describe('Whether browsers let this address use a microphone.'),
})
z.globalRegistry.add(Capabilities, { id: 'Capabilities' })
export type Capabilities = z.infer<typeof Capabilities>
