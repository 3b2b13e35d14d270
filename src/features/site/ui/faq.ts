/** Questions and their answers: all of them on /faq, some beside the prices. */
import { z } from 'zod'

import text from './faq.md?raw'
import { readSiteProse } from './prose.ts'

const Front = z.strictObject({
  title: z.string(),
  description: z.string(),
  /** Ids of questions. */
  besidePrices: z.array(z.string()),
})

export const faq = readSiteProse(text, Front)

export const priceQuestions = faq.sections.filter(({ id }) => faq.besidePrices.includes(id))
