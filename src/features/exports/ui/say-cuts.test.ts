import { expect, test } from 'vitest'

import { sayCuts } from './say-cuts.ts'

test('it is said how many cuts apply, how much is left, and which chapters are not', () => {
  const cut = { start: 0, end: 1 }
  expect(sayCuts({ cuts: [cut, cut], remaining: 595 })).toBe('2 cuts are applied: 9:55 is left.')
  expect(sayCuts({ cuts: [cut], remaining: 4_000 }, ['One'])).toBe(
    '1 cut is applied: 1:06:40 is left. Chapter left out: “One”.',
  )
  expect(sayCuts({ cuts: [cut], remaining: 4 }, ['One', 'Two'])).toMatch(
    /Chapters left out: “One” and “Two”\.$/,
  )
})
