import { describe, expect, test } from 'vitest'

import { parseSegments, segmentAt, speakerIndex, ticksFor, voicesOf } from './segments.ts'

const segment = (speaker: string, start: number, end: number) => ({
  speaker,
  start,
  end,
  text: 'x',
})

describe('reading segments', () => {
  test('a list of segments comes back as it is', () => {
    const segments = [segment('Speaker A', 0, 4.5), segment('Speaker B', 4.5, 9)]
    expect(parseSegments(JSON.stringify(segments))).toEqual(segments)
  })

  test.each([
    ['nothing', null],
    ['an empty text', ''],
    ['half a list', '[{"start":0'],
    ['no list', '{"start":0,"end":1,"speaker":"A","text":"x"}'],
    ['a list of something else', '[1,2]'],
    ['a segment without a time', '[{"speaker":"A","text":"x"}]'],
    ['a time that is text', '[{"start":"0","end":1,"speaker":"A","text":"x"}]'],
    ['null inside', '[null]'],
  ])('%s gives no segments and no error', (_, json) => {
    expect(parseSegments(json)).toEqual([])
  })
})

describe('talk time', () => {
  test('is summed per speaker in order of first speech', () => {
    const voices = voicesOf([
      segment('Speaker B', 0, 10),
      segment('Speaker A', 10, 40),
      segment('Speaker B', 40, 50),
    ])
    expect(voices.map(({ speaker, seconds, share }) => [speaker, seconds, share])).toEqual([
      ['Speaker B', 20, 40],
      ['Speaker A', 30, 60],
    ])
  })

  test('shares add up to 100 when thirds do not', () => {
    const shares = voicesOf([segment('A', 0, 1), segment('B', 1, 2), segment('C', 2, 3)]).map(
      (voice) => voice.share,
    )
    expect(shares).toEqual([34, 33, 33])
  })

  test('segments without length share nothing', () => {
    expect(voicesOf([segment('A', 1, 1)])[0]).toMatchObject({ seconds: 0, share: 0 })
  })
})

test.each([
  [0, 1],
  [31, 7],
  [402, 7],
  [2470, 5],
  [43_200, 7],
])('an axis of %i s has %i round labels', (duration, count) => {
  expect(ticksFor(duration)).toHaveLength(count)
})

test('a moment belongs to the segment that began last', () => {
  const segments = [segment('A', 0, 4), segment('B', 6, 9)]
  expect(segmentAt(segments, 5)?.speaker).toBe('A')
  expect(segmentAt(segments, 6)?.speaker).toBe('B')
  expect(segmentAt(segments, 100)?.speaker).toBe('B')
  expect(segmentAt([], 1)).toBeUndefined()
})

test.each([
  ['Speaker A', 0],
  ['Speaker H', 7],
  ['Speaker AA', 26],
  ['Unknown speaker', null],
])('%s has colour %s', (speaker, index) => {
  expect(speakerIndex(speaker)).toBe(index)
})
