import { expect, test } from 'vitest'

import { sayBreak, sayCount } from './say-break.ts'

test('a check of captions is said in a sentence', () => {
  const said = (broken: number, isMended = false, shortNames: string[] = []) =>
    sayCount({ cues: 1_210, broken, shortNames }, { file: 'SRT', isMended })
  expect(said(0, true)).toBe('0 of 1,210 captions in SRT break the rules.')
  expect(said(1)).toBe('1 of 1,210 captions in SRT breaks the rules.')
  expect(said(2, true, ['Ada', 'B'])).toBe(
    '2 of 1,210 captions in SRT break the rules still: the speech there is too fast. Names are shortened: Ada, B.',
  )
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
