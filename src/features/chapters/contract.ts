import { z } from 'zod'

import { Chapter } from '#features/transcriptions/contract.ts'
import { MOST_CHAPTERS } from '#shared/business.ts'

/** The chapters to have from now on, and no others. */
export const SetChapters = z.object({
  chapters: z
    .array(Chapter)
    .max(MOST_CHAPTERS)
    .describe(`In any order, at most ${MOST_CHAPTERS}, and at least 5 seconds apart.`),
  was: z
    .array(Chapter)
    .max(MOST_CHAPTERS)
    .optional()
    .describe('The chapters as they were read. Where there are others by now, nothing is changed.'),
})
