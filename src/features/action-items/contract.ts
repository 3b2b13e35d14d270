import { z } from 'zod'

import { LONGEST_ACTION, LONGEST_WHO } from '#shared/business.ts'
import { tidyText } from '#shared/written.ts'

/** Something that somebody is to do: found with the summary, or added by its owner. */
export const ActionItem = z.object({
  id: z.uuid(),
  text: z.string().describe('What is to be done.'),
  who: z.string().nullable().describe('Who is to do it; null where nobody was named.'),
  speaker: z
    .int()
    .nullable()
    .describe('The number of that speaker; null where it is none of them.'),
  due: z.string().nullable().describe('By when, as it was said: by Friday.'),
  dueDate: z.iso
    .date()
    .nullable()
    .describe(
      'That day. Null where it is not sure, such as for “next Friday” or “3/4”, or where nobody knows when it was recorded.',
    ),
  at: z.number().nullable().describe('Where it was said, in seconds; null for what was added.'),
  quote: z.string().nullable().describe('The words it was found in, as they were said.'),
  isSentence: z
    .boolean()
    .describe('Whether the text is as it was said: made without a language model.'),
  isDone: z.boolean(),
  isOwn: z.boolean().describe('Whether it was added by the owner.'),
})
z.globalRegistry.add(ActionItem, { id: 'ActionItem' })
export type ActionItem = z.infer<typeof ActionItem>

const writtenWithin = (least: number, most: number) =>
  z
    .string()
    .max(4 * most)
    .refine((text) => {
      const { length } = [...tidyText(text)]
      return length >= least && length <= most
    })

const ActionWords = {
  text: writtenWithin(1, LONGEST_ACTION).describe(`1 to ${LONGEST_ACTION} characters.`),
  who: writtenWithin(0, LONGEST_WHO)
    .nullable()
    .describe(`A speaker by name, or anybody: up to ${LONGEST_WHO} characters. Null: nobody.`),
  dueDate: z.iso.date().nullable().describe('A day as YYYY-MM-DD. Null: none.'),
  isDone: z.boolean(),
}

/** POST …/action-items */
export const AddAction = z.object({
  text: ActionWords.text,
  who: ActionWords.who.default(null),
  dueDate: ActionWords.dueDate.default(null),
})
export type AddAction = z.infer<typeof AddAction>

/** PATCH …/action-items/{itemId}: what is left out stays. */
export const ChangeAction = z
  .object({
    ...ActionWords,
    before: z
      .uuid()
      .nullable()
      .describe('Moves it: the action item that it is to stand before. Null: to the end.'),
  })
  .partial()
export type ChangeAction = z.infer<typeof ChangeAction>
