/** Words about translations that need no schema library. */
import { summaryLanguages } from '#shared/business.ts'
import { languageName } from '#shared/format.ts'

type Code = Exclude<(typeof summaryLanguages)[number]['code'], 'auto'>

/** The languages that summaries can be written in. */
export const translationLanguages = summaryLanguages.flatMap(({ code }): Code[] =>
  code === 'auto' ? [] : [code],
)

/** Stands wherever a translation does. */
export const translatedNote = (language: string): string =>
  `Translated into ${languageName(language)} by a language model from the transcript. Check it before you quote it.`
