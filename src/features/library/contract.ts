import { z } from 'zod'

import { Tag } from '#features/transcriptions/contract.ts'
import { LONGEST_TAG, MOST_CHOSEN, MOST_TAGS } from '#shared/business.ts'
import { Instant } from '#shared/instant.ts'
import { tidyText } from '#shared/written.ts'

/** `none` asks for what has no tag, so no tag is called so. */
export const NO_TAG = 'none'

const hasTagLength = (name: string): boolean => {
  const { length } = [...tidyText(name)]
  return length > 0 && length <= LONGEST_TAG
}

/** Tags are one if they differ in capitals, accents and spaces only. */
export const TagName = z
  .string()
  .max(4 * LONGEST_TAG)
  .refine(hasTagLength)
  .describe(`1 to ${LONGEST_TAG} characters.`)

/** A new name, which is not what asks for recordings without a tag. */
const NewTagName = TagName.refine((name) => tidyText(name).toLowerCase() !== NO_TAG)

/** The list of tags, which every change of them answers too. */
export const Tags = z.object({
  /** By name. */
  tags: z.array(Tag.extend({ count: z.int().describe('How many transcriptions have it.') })),
  all: z.int().describe('All transcriptions of the account.'),
  none: z.int().describe('Those without a tag.'),
})
z.globalRegistry.add(Tags, { id: 'Tags' })
export type Tags = z.infer<typeof Tags>

export const NameTag = z.object({ name: NewTagName })

const TagNames = z.array(NewTagName).max(MOST_TAGS)

/** These, and no others. Those that are new are made. */
export const SetTags = z.object({ tags: TagNames })

const Chosen = z
  .array(z.uuid())
  .min(1)
  .max(MOST_CHOSEN)
  .describe(`Transcriptions, at most ${MOST_CHOSEN}.`)

export const TagMany = z.object({
  ids: Chosen,
  add: TagNames.default([]).describe('Tags that all of them get. Those that are new are made.'),
  remove: z.array(TagName).max(MOST_TAGS).default([]).describe('Tags that none of them keeps.'),
})

export const Many = z.object({ ids: Chosen })

/** Names that were given, the most frequent first. */
export const KnownSpeakers = z.array(
  z.object({
    name: z.string().describe('As it was written most recently.'),
    count: z.int().describe('Transcriptions in which somebody of this name speaks.'),
  }),
)
export type KnownSpeakers = z.infer<typeof KnownSpeakers>

export const SpeakersQuery = z.object({
  q: z.string().max(200).optional().describe('Only names that have words beginning so.'),
})

/** `open`: waiting for confirmation or worked on; `finished`: completed or failed. */
export const ListStatus = z.enum(['all', 'open', 'finished', 'completed', 'error'])
export type ListStatus = z.infer<typeof ListStatus>
/** `best` is for searches: names first, then where most was said. */
export const ListSort = z.enum(['newest', 'oldest', 'longest', 'shortest', 'name', 'best'])
export type ListSort = z.infer<typeof ListSort>

/** The filters and the order of a list; its page is asked for beside them. */
const ListFilters = z.object({
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Words to search for, in names, tags and everything that was said; all of them in one turn, where the name of who speaks counts too. Words in quotation marks stand together.',
    ),
  tag: z
    .union([TagName, z.array(TagName).max(5)])
    .optional()
    .describe('Only what has this tag, or all of these; none: what has no tag.'),
  speaker: z
    .string()
    .max(200)
    .optional()
    .describe('Only where somebody of this name speaks; with q, what they said.'),
  since: Instant.optional().describe('Only what was sent at this moment or later.'),
  status: ListStatus.default('all').describe(
    'open: being worked on. finished: completed or error.',
  ),
  sort: ListSort.default('newest').describe(
    'Order of the list. best: the best match, where there is a q.',
  ),
})

/** `cursor` comes from the Link header of the answer before. */
export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('1 to 100 rows.'),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe('Rows to pass over. A cursor is faster and misses nothing.'),
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .describe('X-Next-Cursor of the page before; everything else stays the same.'),
  ...ListFilters.shape,
})
export type ListQuery = z.infer<typeof ListQuery>

/** The rows of a list in all its pages, for a user who chooses all of it. */
export const IdsQuery = ListFilters
export type IdsQuery = z.infer<typeof IdsQuery>
/** In the order of the list, and no more than one call can change. `total`: how many there are. */
export const Ids = z.object({
  rows: z.array(z.object({ id: z.uuid(), status: z.string(), duration: z.int() })),
  total: z.int(),
})
export type Ids = z.infer<typeof Ids>
