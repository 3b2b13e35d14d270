import { z } from 'zod'

import { DocumentTypeId } from '#features/documents/contract.ts'
import { DEFAULT_SUMMARY_LANGUAGE, summaryLanguageCodes } from '#shared/business.ts'

export const SummaryLanguage = z.enum(summaryLanguageCodes)
export type SummaryLanguage = z.infer<typeof SummaryLanguage>

/** What the form of an upload may say beside the file. Unknown fields are passed over. */
export const UploadFields = z.object({
  summaryLanguage: SummaryLanguage.default(DEFAULT_SUMMARY_LANGUAGE).describe(
    'Language of the summary; auto is the one that was spoken.',
  ),
  generateDocument: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: a document is written too, for one more credit. Professional and up.'),
  documentType: DocumentTypeId.optional().describe('One of GET /api/document-types.'),
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

/** POST /api/uploads: the fields of POST /api/upload, and the file that is going to come. */
export const BeginUpload = UploadFields.extend({
  name: z.string().min(1).max(1_000).describe('The name of the file, with its ending.'),
  sizeBytes: z.int().min(0).describe('The size of the whole file.'),
  generateDocument: flag('true: a document is written too, for one more credit.'),
  includeImages: flag('true: with suggestions for images, where the type has them.'),
})
export type BeginUpload = z.input<typeof BeginUpload>

/** What is still missing of an upload in parts. */
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
})
export type UploadInParts = z.infer<typeof UploadInParts>

/** POST /api/upload. `duration` in whole seconds; credits. */
export const UploadAnswer = z.object({
  transcriptionId: z.uuid(),
  filename: z.string(),
  duration: z.int(),
  creditsRequired: z.int(),
  creditsAvailable: z.int(),
})
export type UploadAnswer = z.infer<typeof UploadAnswer>

/** GET …/peaks: the loudest sample of each of up to 1,000 equal stretches, 0 to 255. */
export const Peaks = z.object({
  /** Null when the recording was deleted before they were made. */
  peaks: z.array(z.int()).nullable(),
  duration: z.number(),
})
export type Peaks = z.infer<typeof Peaks>

/** GET /api/engines: what recordings sent now will be worked on with. */
export const Engines = z.object({
  /** `languages` as ISO 639-1 codes; null when any language is recognised, or nobody here knows. */
  speech: z.object({
    name: z.string(),
    /** What the engine recognises with, where an operator chose it. */
    model: z.string().optional(),
    languages: z.array(z.string()).nullable(),
    /** Words come without times of their own, so that theirs are estimates. */
    estimatesTimes: z.literal(true).optional(),
    note: z.string().nullable(),
    /** A better model that is on its way; percent is null while it is unpacked and tried. */
    fetching: z.object({ model: z.string(), percent: z.int().nullable() }).optional(),
  }),
  writing: z.object({ name: z.string(), note: z.string().nullable() }),
})
export type Engines = z.infer<typeof Engines>
