import { expect, test } from 'vitest'

import { accuracySentence } from './accuracy.ts'

test.each([
  [1_328, 12, 'You corrected 12 of 1,328 words: 99.1% were right.'],
  [90_000, 1, 'You corrected 1 of 90,000 words: 99.9% were right.'],
  [40, 0, 'You corrected none of 40 words: 100% were right.'],
  [4, 9, 'You corrected 9 of 4 words: 0.0% were right.'],
])('of %i words %i corrected are said as "%s"', (words, corrected, sentence) => {
  expect(accuracySentence({ words, corrected })).toBe(sentence)
})
