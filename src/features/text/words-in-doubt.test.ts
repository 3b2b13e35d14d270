import { expect, test } from 'vitest'

import {
  checkBelowOf,
  DOUBT_UNKNOWN,
  doubtIn,
  doubtSentence,
  exportedDoubt,
  isWorthSaying,
} from './words-in-doubt.ts'

test.each([
  [248, 41, 'About 1 word in 6 is in doubt.'],
  [200, 8, 'About 1 word in 25 is in doubt.'],
  [10, 5, 'About 1 word in 2 is in doubt.'],
  [10, 8, 'Most words are in doubt.'],
  [12_000, 1, 'About 1 word in 12,000 is in doubt.'],
])('of %i words %i are said as "%s"', (words, inDoubt, sentence) => {
  expect(doubtSentence({ words, inDoubt })).toBe(sentence)
})

test('a file says it in the past, because the text goes on being corrected', () => {
  expect(exportedDoubt({ words: 248, inDoubt: 41 })).toBe(
    'About 1 word in 6 was in doubt when this was exported.',
  )
  expect(exportedDoubt({ words: 10, inDoubt: 9 })).toBe(
    'Most words were in doubt when this was exported.',
  )
  expect(exportedDoubt({ words: 248, inDoubt: 7 })).toBeNull()
})

test.each([
  [200, 8, true],
  [201, 8, false],
  [20, 7, false],
  [8, 8, true],
])('of %i words %i in doubt are worth a note: %s', (words, inDoubt, isWorth) => {
  expect(isWorthSaying({ words, inDoubt })).toBe(isWorth)
})

test('a word is in doubt below the threshold of its engine; one without a confidence never is', () => {
  const words = [0.2, 0.494, 0.496, 0.5, 1, null].map((confidence) => ({ confidence }))
  expect(doubtIn([{ words }], checkBelowOf('a recogniser'))).toEqual({ words: 6, inDoubt: 2 })
  expect(doubtIn([{ words }], checkBelowOf('pocketsphinx'))).toEqual({ words: 6, inDoubt: 4 })
})

test('where the engine does not say how sure it is, doubt is not known, whatever was corrected', () => {
  const words = [null, null, 1].map((confidence) => ({ confidence }))
  expect(doubtIn([{ words }], 50)).toBeNull()
  expect(isWorthSaying(null)).toBe(false)
  expect(exportedDoubt(null)).toBe(DOUBT_UNKNOWN)
  // All of it was checked by hand: that is known.
  expect(doubtIn([{ words: [{ confidence: 1 }] }], 50)).toEqual({ words: 1, inDoubt: 0 })
})
