/**
 * The words that summaries and documents add to what was said, in every language a summary can be
 * asked for. English stands in for other languages. A number stands behind a colon, so that no
 * noun has to agree with it.
 */
import all from './phrases.json' with { type: 'json' }

export type Phrases = typeof all.en

const byLanguage: Partial<Record<string, Phrases>> = all

export const phraseLanguages: readonly string[] = Object.keys(all)

export const phrasesOf = (language: string): Phrases => byLanguage[language] ?? all.en

/** Puts values in the place of `{name}`. */
export const filled = (phrase: string, values: Record<string, string>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
