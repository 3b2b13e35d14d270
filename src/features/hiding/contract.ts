import { z } from 'zod'

import { foldedWords } from '#shared/hidden-words.ts'

const MOST_WORDS = 50
const LONGEST = 100
/** So many places are listed; all are counted. */
export const MOST_LISTED = 500

/** So many spellings are hidden for others in one recording: each is looked for whenever it is read. */
export const MOST_FOR_OTHERS = 200

/** A single letter is in every text, unless it is a whole word. */
export const isEnough = (text: string): boolean => {
  const letters = foldedWords(text).join('')
  return letters.length > 1 || !/^[\p{Script=Latin}\p{N}]*$/u.test(letters)
}

const Words = z
  .array(
    z
      .string()
      .trim()
      .max(LONGEST, `Words to hide have at most ${LONGEST} characters`)
      .refine(isEnough, 'Please type a name or a number'),
  )
  .min(1, 'Please type a name')
  .max(MOST_WORDS, `At most ${MOST_WORDS} spellings are hidden at once`)
  .describe(
    'A name, a number or other words, and its other spellings. Capitals, accents, the possessive, the plural, and signs between the words make no difference.',
  )

export const FindWords = z.object({ words: Words })

export const WordPlace = z.object({
  turnId: z.uuid(),
  start: z.number().describe('In seconds of the recording.'),
  end: z.number(),
  before: z.string().describe('Some words before it.'),
  text: z.string(),
  after: z.string(),
})
export type WordPlace = z.infer<typeof WordPlace>

export const HiddenCounts = z.object({
  text: z.int().describe('Places in the text, and so in captions.'),
  seconds: z.number().describe('How much of the sound they are; 0 where there is no recording.'),
  summary: z.int().describe('In summary, key points, topics and action items.'),
  chapters: z.int(),
  documents: z.int(),
  translations: z.int(),
  questions: z.int(),
  others: z
    .int()
    .describe('In its name and tags, in what can be undone, and in what programs were told.'),
})
export type HiddenCounts = z.infer<typeof HiddenCounts>

export const FoundWords = z.object({
  counts: HiddenCounts,
  places: z.array(WordPlace).max(MOST_LISTED).describe('In the text, the first of them.'),
  proposals: z
    .array(
      z.object({
        text: z.string(),
        kind: z
          .enum(['part', 'near'])
          .describe('part: one of the words alone. near: what a recogniser may have heard.'),
        isLikely: z.boolean().describe('Whether it is most probably meant.'),
        count: z.int(),
        places: z.array(WordPlace).describe('The first of them.'),
      }),
    )
    .describe(
      'Other ways in which they may stand in the text. Nothing of it is hidden unless it is asked for.',
    ),
})
export type FoundWords = z.infer<typeof FoundWords>

const Mark = z.enum(['bar', 'name'])
export const HideFor = z.enum(['good', 'others'])
export type HideFor = z.infer<typeof HideFor>

export const HideWords = z.object({
  words: Words,
  for: HideFor.default('good').describe(
    'good: taken out of everything, and nothing brings it back. others: links and files are without it; the recording keeps it, for its owner alone, until it is put back.',
  ),
  mark: Mark.default('bar').describe(
    'What stands in their place: a bar that is as long for every name, or "[name]".',
  ),
  sound: z
    .enum(['tone', 'silence'])
    .default('tone')
    .describe(
      'What is heard in their place, from 50 ms before to 50 ms after. For others, the last choice is that of all that is hidden in the recording.',
    ),
  confirmation: z
    .string()
    .optional()
    .describe('For good: the first of the words once more, because nothing brings them back.'),
})

export const Hidden = z.object({
  id: z.uuid(),
  for: HideFor,
  words: z
    .array(z.string())
    .nullable()
    .describe('What is hidden for others; null for good, because nothing keeps it.'),
  mark: Mark,
  places: z.int().describe('In how many places of the text words were hidden.'),
  sound: z
    .enum(['making', 'made', 'gone'])
    .describe(
      'making: nobody hears the recording until it is without the words; for others, nobody but its owner. gone: there is no recording any more, and one that cannot be written anew is deleted. For others it stays, and nobody else hears it.',
    ),
  progress: z.int().describe('How much of the sound is done, in percent.'),
  createdAt: z.iso.datetime(),
})
z.globalRegistry.add(Hidden, { id: 'Hidden' })
export type Hidden = z.infer<typeof Hidden>

export const HiddenList = z.object({
  hidden: z.array(Hidden).describe('The newest first.'),
  olderFiles: z
    .array(z.uuid())
    .describe(
      'Files made of the recording before this was hidden for others. They still have it, and no link shows them.',
    ),
})
export type HiddenList = z.infer<typeof HiddenList>
