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

test('files that wait in a batch are taken to be as fast as those that run, and as many at once', () => {
  // Half of the first took 60 s: 600 s of sound. So 1,200 s more take 120 s.
  const estimate = estimateFrom(sight(0, 0), sight(5, 60), null)
  const running = { duration: 1_200, sight: sight(5, 60), estimate }
  const waiting = { duration: 1_200, sight: undefined, estimate: null }
  expect(estimateOfAll([running, waiting], 60_000)?.leftMs).toBe(190_000)
  expect(estimateOfAll([running, running, waiting, waiting], 60_000)?.leftMs).toBe(190_000)
  expect(estimateOfAll([waiting], 60_000)).toBeNull()
})

/**
 * An hour of sound, in chunks of 6 to 24 s and groups of a minute, the first two of one chunk each. Until
 * all of it was heard, after 40 s, the recogniser has to share the processor, and how many chunks there
 * are is what the finished part lets expect. After the last chunk the voices are told apart.
 */
function anHour(pace: { whileHearing: number; afterwards: number }) {
  const lengths: number[] = [8, 7]
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0)
  while (sum(lengths) < 3600) lengths.push(6 + ((lengths.length * 7) % 19))
  const told = [{ atS: 5, status: `processing chunk 0/${lengths.length}` }]
  let [atS, heardS, done] = [8, 0, 0]
  while (done < lengths.length) {
    const from = done
    do heardS += lengths[done++] ?? 0
    while (from > 1 && done < lengths.length && sum(lengths.slice(from, done)) < 60)
    atS += sum(lengths.slice(from, done)) / (atS < 40 ? pace.whileHearing : pace.afterwards)
    const of = atS < 40 ? Math.round((done * 3600) / heardS) : lengths.length
    told.push({ atS, status: `processing chunk ${done}/${of}` })
  }
  return { told, endS: atS + 10 }
}

test.each([
  ['two idle cores', { whileHearing: 25, afterwards: 35 }],
  ['a busy machine', { whileHearing: 6, afterwards: 6 }],
  ['a machine that is slow while it hears', { whileHearing: 15, afterwards: 30 }],
])('the rest of an hour is known within a third after one minute, on %s', (_, pace) => {
  const { told, endS } = anHour(pace)
  let seen: Watched | undefined
  let firstS = 0
  for (let atS = 0; atS <= 60; atS += 2) {
    const status = told.findLast((each) => each.atS <= atS)?.status ?? 'transcribing: chunks'
    seen = watched(seen, status, atS * 1000)
    if (seen.last && firstS === 0) firstS = atS
  }
  expect(firstS).toBeLessThanOrEqual(20)
  expect(seen!.last!.leftMs / 1000 / (endS - 60)).toBeGreaterThan(0.67)
  expect(seen!.last!.leftMs / 1000 / (endS - 60)).toBeLessThan(1.33)
})
