import { z } from 'zod'

import { formatNames } from './formats.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

export const ExportFormat = z.enum(formatNames)
export type ExportFormat = z.infer<typeof ExportFormat>

/** GET …/export. What a format has no place for is passed over. */
export const ExportQuery = z.object({
  format: ExportFormat.describe('The kind of file.'),
  speakers: flag.default(true).describe('Whether it says who speaks.'),
  timestamps: flag.default(true).describe('Whether it has times, where the format can do without.'),
  doubt: flag
    .default(true)
    .describe(
      'Whether txt, md, docx and pdf say how many words are in doubt, where they are many.',
    ),
  summary: flag.default(false).describe('Whether the summary comes first.'),
})
