import { describe, expect, test } from 'vitest'

import { parseSegments, speakerIndex } from './segments.ts'

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

test.each([
  ['Speaker A', 0],
  ['Speaker H', 7],
  ['Speaker AA', 26],
  ['Unknown speaker', null],
])('%s has colour %s', (speaker, index) => {
  expect(speakerIndex(speaker)).toBe(index)
})
