import { describe, expect, test } from 'vitest'

import { creditsFor } from '#features/credits/contract.ts'

import { formatCredits } from '#shared/format.ts'

import { balanceInWords, priceLines } from './credit-words.ts'

test.each([
  [0, 'No credits left to process a file'],
  [1, 'One note of 2 minutes'],
  [4, 'Four notes of 2 minutes'],
  [5, '15 minutes of long recordings, or five notes of 2 minutes'],
  [10, 'Half an hour of long recordings, or ten notes of 2 minutes'],
  [15, '45 minutes of long recordings, or 15 notes of 2 minutes'],
  [20, 'About 1 hour of long recordings'],
  [142, 'About 7 hours of long recordings'],
  [99_999, 'About 4,999 hours of long recordings'],
])('%i credits are good for: %s', (available, sentence) => {
  expect(balanceInWords(available)).toBe(sentence)
})

test.each([
  [0, '0 credits'],
  [1, '1 credit'],
  [1000, '1,000 credits'],
])('%i is written %s', (count, text) => {
  expect(formatCredits(count)).toBe(text)
})

describe('how a price is made', () => {
  test.each([59, 120, 121, 900, 901, 1200, 2470, 2700])('adds up for %i seconds', (seconds) => {
    const sum = priceLines(seconds).reduce((sum, line) => sum + line.credits, 0)
    expect(sum).toBe(creditsFor(seconds))
  })

  test('41:10 with a document is two batches, the rest and the document', () => {
    expect(priceLines(2470, { withDocument: true })).toEqual([
      { what: 'Two full 15 minutes, 5 each', time: null, credits: 10 },
      { what: 'The rest,', time: '11:10', credits: 3 },
      { what: 'Document', time: null, credits: 1 },
    ])
  })

  test('45:00 has no rest', () => {
    expect(priceLines(2700)).toHaveLength(1)
  })

  test('a short file names its tier', () => {
    expect(priceLines(200)).toEqual([{ what: 'Up to 7 minutes,', time: '3:20', credits: 2 }])
  })
})
