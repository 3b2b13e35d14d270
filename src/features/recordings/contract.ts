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
  }),
  writing: z.object({ name: z.string(), note: z.string().nullable() }),
})
export type Engines = z.infer<typeof Engines>
