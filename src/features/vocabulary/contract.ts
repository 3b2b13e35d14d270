import { z } from 'zod'

import {
  MOST_FIND_CHARACTERS,
  MOST_HEARD_AS,
  MOST_REPLACEMENTS,
  MOST_VOCABULARY_TERMS,
  LONGEST_TERM,
} from '#shared/business.ts'

const Term = z.string().trim().min(1).max(LONGEST_TERM)

/** The text that a replacement looks for, letter for letter. It is not only spaces. */
export const Find = z
  .string()
  .max(MOST_FIND_CHARACTERS)
  .refine((text) => text.trim() !== '')

/** Empty: the found text is deleted. */
export const ReplaceWith = z.string().max(MOST_FIND_CHARACTERS)

export const FixedReplacement = z.object({
  from: Find,
  to: ReplaceWith,
  matchCase: z.boolean().default(false),
  wholeWord: z.boolean().default(true),
})
export type FixedReplacement = z.infer<typeof FixedReplacement>

/** How a recogniser often writes a term. Written so, it is corrected. */
const HeardAs = z.object({ term: Term, as: z.array(Term).min(1).max(MOST_HEARD_AS) })

export const Vocabulary = z.object({
  /** Counts the changes; sent back with one, so that nobody's work is overwritten. */
  revision: z.int(),
  terms: z.array(z.string()),
  heardAs: z.array(z.object({ term: z.string(), as: z.array(z.string()) })),
  /**
   * In how many recordings a term was found since it is here, and when it was last; a term that came
   * with a recording is listed from then on. Terms without a use are not listed.
   */
  used: z.array(z.object({ term: z.string(), times: z.int(), lastAt: z.iso.datetime() })),
  /** In the order in which they are made. */
  replacements: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      matchCase: z.boolean(),
      wholeWord: z.boolean(),
    }),
  ),
})
z.globalRegistry.add(Vocabulary, { id: 'Vocabulary' })
export type Vocabulary = z.infer<typeof Vocabulary>

/** A list that is left out stays as it is. */
export const SetVocabulary = z.object({
  revision: z
    .int32()
    .min(0)
    .optional()
    .describe('Of the vocabulary that was read; without it nobody is asked what changed since.'),
  terms: z.array(Term).max(MOST_VOCABULARY_TERMS).optional(),
  heardAs: z.array(HeardAs).max(MOST_VOCABULARY_TERMS).optional(),
  replacements: z.array(FixedReplacement).max(MOST_REPLACEMENTS).optional(),
})
export type SetVocabulary = z.infer<typeof SetVocabulary>
