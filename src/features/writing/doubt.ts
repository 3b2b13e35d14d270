/** Says what is certain of a recording whose words are not. */
import { formatTime } from '#shared/format.ts'

import type { Doubt } from './certainty.ts'
import { filled, phrasesOf } from './phrases.ts'

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

/** Two figures are as many as such a count deserves. */
const roughly = (count: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 2, useGrouping: false }).format(count)
