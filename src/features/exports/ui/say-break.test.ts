import { expect, test } from 'vitest'

import { sayBreak, sayFit } from './say-break.ts'

test('a check of captions is said in three words', () => {
  const said = (broken: number, cues = 1_210) => sayFit({ cues, broken })
  expect(said(0)).toBe('All 1,210 fit')
  expect(said(0, 1)).toBe('It fits')
  expect(said(1)).toBe('1 does not fit')
  expect(said(1_002)).toBe('1,002 do not fit')
})

test('each break says what is and what ought to be', () => {
  expect(sayBreak({ rule: 'too_fast', is: 1_200, limit: 1_650 })).toBe(
    'Shown for 1.2 s. Reading it takes 1.65 s.',
  )
  expect(sayBreak({ rule: 'line_too_long', is: 51, limit: 42 })).toBe(
    'A line of 51 letters, where 42 fit.',
  )
  expect(sayBreak({ rule: 'too_long', is: 10_000, limit: 7_000 })).toBe(
    'Shown for 10 s, more than 7 s.',
  )
})
