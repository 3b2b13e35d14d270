import { expect, test } from 'vitest'

import { talkTime } from './talk-time.ts'

const sharesOf = (...times: [voice: string | null, ms: number][]) =>
  talkTime(times.map(([voice, ms]) => ({ voice, ms }))).map(({ voice, share }) => [voice, share])

test('voices stand in order of first speech, with all that each of them says', () => {
  expect(sharesOf(['B', 10_000], ['A', 30_000], ['B', 10_000])).toEqual([
    ['B', 40],
    ['A', 60],
  ])
})

test('shares add up to 100 where each rounded by itself would not', () => {
  expect(sharesOf(['A', 405], ['B', 353], ['C', 124], ['D', 114], ['E', 4])).toEqual([
    ['A', 41],
    ['B', 35],
    ['C', 13],
    ['D', 11],
    ['E', 0],
  ])
  expect(sharesOf(['A', 1_000], ['B', 1_000], [null, 1_000])).toEqual([
    ['A', 34],
    ['B', 33],
    [null, 33],
  ])
})

test('turns without length share nothing', () => {
  expect(sharesOf(['A', 0], ['B', -5])).toEqual([
    ['A', 0],
    ['B', 0],
  ])
})
