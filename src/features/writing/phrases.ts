/**
 * The words that summaries and documents add to those of the transcript, in every language a summary
 * can be asked for. English stands in for other languages. A number stands behind a colon, so that no
 * noun has to agree with it.
 */
import { formatTime } from '#shared/format.ts'

import type { Doubt } from './certainty.ts'
import all from './phrases.json' with { type: 'json' }

export type Phrases = typeof all.en

const byLanguage: Partial<Record<string, Phrases>> = all

export const phraseLanguages: readonly string[] = Object.keys(all)

export const phrasesOf = (language: string): Phrases => byLanguage[language] ?? all.en

/** Puts values in the place of `{name}`. */
export const filled = (phrase: string, values: Record<string, string>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** The sentences about a recording whose words are not certain. */
export function sayDoubt({ spokenMs, speakers, mostBy, words }: Doubt, language: string): string {
  const { doubt, spokeMost } = phrasesOf(language)
  const facts = {
    time: formatTime(spokenMs / 1000),
    speakers: String(speakers),
    most: mostBy === null ? '' : filled(spokeMost, { name: mostBy }),
    words: roughly(words),
  }
  return filled(doubt, facts).replace('  ', ' ')
}

/** Rounds to two digits, because the count is an estimate. */
const roughly = (count: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 2, useGrouping: false }).format(count)
