import { expect, test } from 'vitest'

import { joinWords, speakerBounds, timingOf, type Word } from './contract.ts'

test('words are joined with spaces where their writing has them, and without where it has none', () => {
  expect(joinWords(['We', 'met', 'on', 'Monday.'])).toBe('We met on Monday.')
  expect(joinWords(['今日', 'は', 'いい', '天気', '。'])).toBe('今日はいい天気。')
  expect(joinWords(['我们', '用', 'Quoth', '记录'])).toBe('我们用 Quoth 记录')
  expect(joinWords(['', 'one', '', 'two', ''])).toBe('one two')
})

test('a number of speakers is found out, exact, or the most there are', () => {
  expect(['auto', '2', 'max:4', '50'].map(speakerBounds)).toEqual([
    {},
    { count: 2 },
    { max: 4 },
    { count: 50 },
  ])
  for (const wrong of ['', '0', '51', 'max:0', 'max', '2.5', '-1', 'many', 'min:2'])
    expect(speakerBounds(wrong)).toBeNull()
})

test('a text says how most of its words came to their times', () => {
  const at = { text: 'word', startMs: 0, endMs: 300, confidence: null }
  const estimated: Word = { ...at, isEstimated: true }
  const aligned: Word = { ...at, isAligned: true }
  const timing = (...turns: Word[][]) => timingOf(turns.map((words) => ({ words })))
  expect(timing([at, at], [at])).toBe('recognized')
  expect(timing([aligned, aligned], [estimated])).toBe('aligned')
  expect(timing([aligned], [estimated, estimated])).toBe('estimated')
  // Words corrected by hand are neither.
  expect(timing([aligned, at], [estimated])).toBe('aligned')
})
