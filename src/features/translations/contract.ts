import { z } from 'zod'

import { translationLanguages } from './status.ts'

export const TranslationLanguage = z.enum(translationLanguages)
export type TranslationLanguage = z.infer<typeof TranslationLanguage>

export const OrderTranslation = z.object({
  language: TranslationLanguage.describe('The language to translate into, as ISO 639-1.'),
})

const facts = {
  id: z.uuid(),
  language: TranslationLanguage,
  status: z
    .enum(['translating', 'translated', 'error'])
    .describe(
      'With `error` it could not be made, or what was changed could not be translated again: what was there before stays.',
    ),
  progress: z.int().describe('How much is done, in percent.'),
  turnsInAll: z.int().describe('How many turns of the text have words.'),
  turnsDone: z.int().describe('How many of them are translated as they are now.'),
  ahead: z
    .int()
    .describe(
      'How many translations were ordered before this one and are not there yet, while it waits.',
    ),
  creditsReserved: z.int().describe('Set aside, and taken when it is there.'),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  isReadable: z.boolean().describe('Whether there is a translation of the text as it is now.'),
  changed: z
    .int()
    .describe('Turns that were changed or added since; translating them again costs nothing.'),
  untranslated: z.int().describe('Turns that could not be translated and stay as they were said.'),
  problem: z.string().nullable().describe('Why it failed, where the reason lies in the text.'),
  isCreditReturned: z.boolean(),
  note: z.string().describe('To be shown with the translation: who made it.'),
}

export const Translation = z.object(facts)
z.globalRegistry.add(Translation, { id: 'Translation' })
export type Translation = z.infer<typeof Translation>

export const TranslationText = z.object({
  ...facts,
  turns: z
    .array(
      z.object({
        id: z.uuid().describe('The turn, as in `…/words`.'),
        text: z.string().nullable().describe('Null where it could not be translated.'),
        isChanged: z.boolean().describe('Whether the turn has another text since.'),
        isUnsure: z
          .boolean()
          .describe(
            'Whether it could not all be compared with what was said, and is worth a look.',
          ),
      }),
    )
    .describe('In order. A turn that is not among them was added since.'),
})
z.globalRegistry.add(TranslationText, { id: 'TranslationText' })
export type TranslationText = z.infer<typeof TranslationText>
