import { expect, test } from 'vitest'

import { estimateFrom, estimateInWords, sightOf } from './estimate.ts'

const sight = (done: number, atS: number, of = 10) => ({ done, of, atMs: atS * 1000 })

test('nothing is promised before two chunks are known', () => {
  expect(estimateFrom(undefined, undefined, null)).toBeNull()
  expect(estimateFrom(sight(1, 0), sight(1, 60), null)).toBeNull()
  expect(estimateInWords(null, 0)).toBeNull()
})

test('the rest takes about as long for each chunk as those that are done', () => {
  const estimate = estimateFrom(sight(1, 0), sight(3, 40), null)
  expect(estimate?.leftMs).toBe(145_000)
  expect(estimateInWords(estimate, 40_000)).toBe('About 1–4 min left.')
})

test('it shrinks and never grows, and past its end it says so', () => {
  const good = estimateFrom(sight(1, 0), sight(5, 40), null)
  const slow = estimateFrom(sight(1, 0), sight(6, 300), good)
  expect(slow?.untilMs).toBe(good?.untilMs)
  expect(estimateInWords(slow, (slow?.untilMs ?? 0) + 1)).toBe('Taking longer than usual.')
  const fast = estimateFrom(sight(1, 0), sight(9, 45), good)
  expect(fast?.untilMs).toBeLessThan(good?.untilMs ?? 0)
})

test('the last minute is said as one', () => {
  expect(estimateInWords({ leftMs: 1, untilMs: 30_000 }, 0)).toBe('About a minute left.')
})

test('chunks are read from the status', () => {
  expect(sightOf('processing chunk 2/5', 7)).toEqual({ done: 2, of: 5, atMs: 7 })
  expect(sightOf('summarizing', 7)).toBeUndefined()
})
