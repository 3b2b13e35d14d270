import { describe, expect, test } from 'vitest'

import {
  type Watched,
  estimateFrom,
  estimateInWords,
  estimateOfAll,
  sightOf,
  watched,
} from './estimate.ts'

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

describe('a page that looks at a job', () => {
  const wordsAfter = (...looks: [status: string, atS: number][]) => {
    let seen: Watched | undefined
    for (const [status, atS] of looks) seen = watched(seen, status, atS * 1000)
    return estimateInWords(seen?.last ?? null, (looks.at(-1)?.[1] ?? 0) * 1000)
  }

  test('measures from the beginning of the first chunk when it saw that', () => {
    expect(
      wordsAfter(
        ['transcribing: chunks', 0],
        ['processing chunk 0/10', 2],
        ['processing chunk 2/10', 62],
      ),
    ).toBe('About 3–6 min left.')
  })

  test('that was opened in the middle of a chunk does not take the rest of it for a whole one', () => {
    expect(wordsAfter(['processing chunk 5/10', 0], ['processing chunk 6/10', 1])).toBeNull()
    expect(
      wordsAfter(
        ['processing chunk 5/10', 0],
        ['processing chunk 6/10', 1],
        ['processing chunk 7/10', 61],
      ),
    ).toBe('About 2–5 min left.')
  })
})

test('what waits in a batch is worked on as fast as what runs, and as much of it at once', () => {
  // Half of the first took 60 s: 600 s of sound. So 1,200 s more take 120 s.
  const estimate = estimateFrom(sight(0, 0), sight(5, 60), null)
  const running = { duration: 1_200, sight: sight(5, 60), estimate }
  const waiting = { duration: 1_200, sight: undefined, estimate: null }
  expect(estimateOfAll([running, waiting], 60_000)?.leftMs).toBe(190_000)
  expect(estimateOfAll([running, running, waiting, waiting], 60_000)?.leftMs).toBe(190_000)
  expect(estimateOfAll([waiting], 60_000)).toBeNull()
})
