import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { creditsFor, priceParts } from './contract.ts'

test.each([
  [0, 1],
  [1, 1],
  [119.9, 1],
  [120, 1],
  [120.9, 1],
  [121, 2],
  [420, 2],
  [421, 3],
  [899.9, 3],
  [900, 3],
  [900.9, 3],
  [901, 6],
  [1200, 7],
  [1800, 10],
  [1801, 11],
  [2700, 15],
  [2470, 13],
  [3600, 20],
  [12 * 3600, 240],
])('%d seconds cost %d credits', (seconds, credits) => {
  expect(creditsFor(seconds)).toBe(credits)
})

test('a document costs one credit more', () => {
  expect(creditsFor(2470, { withDocument: true })).toBe(14)
})

test('41:10 is two batches for 10 and a remainder for 3', () => {
  expect(priceParts(2470)).toEqual({
    fullBatches: 2,
    batches: 10,
    remainderSeconds: 670,
    remainder: 3,
  })
})

test('a longer recording costs less only where a batch takes the place of a dearer remainder', () => {
  // Within one batch the price never falls; the next batch starts at its full price plus 1.
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 43_200 }), (seconds) => {
      const isSameBatch = priceParts(seconds).fullBatches === priceParts(seconds + 1).fullBatches
      if (isSameBatch) expect(creditsFor(seconds + 1)).toBeGreaterThanOrEqual(creditsFor(seconds))
      expect(creditsFor(seconds)).toBeGreaterThan(0)
    }),
  )
})
