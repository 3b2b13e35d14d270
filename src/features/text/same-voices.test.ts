import { expect, test } from 'vitest'

import { sameVoices } from './same-voices.ts'

/** Seconds of speech, one speaker after the other. */
const said = (...spoken: [speaker: number, seconds: number][]) => {
  let at = 0
  return spoken.map(([speaker, seconds]) => {
    const startMs = at
    at += seconds * 1000
    return { speaker, startMs, endMs: at }
  })
}
const ana = { speaker: 0, name: 'Ana' }
const ben = { speaker: 1, name: 'Ben' }

test('a name goes to the voice that speaks when its owner did', () => {
  const before = said([0, 10], [1, 10], [0, 5])
  const after = said([0, 9], [1, 11], [0, 5]).map((turn) => ({
    ...turn,
    speaker: 1 - turn.speaker,
  }))
  expect(sameVoices({ named: [ana, ben], before, after })).toEqual({
    names: [
      { speaker: 1, name: 'Ana' },
      { speaker: 0, name: 'Ben' },
    ],
    likely: [],
  })
})

test('a voice that had no name does not take one away; with more of the time it raises a doubt', () => {
  const after = said([0, 10])
  const isOf = (seconds: number) =>
    sameVoices({ named: [ana], before: said([0, seconds], [2, 10 - seconds]), after })
  expect(isOf(5)).toEqual({ names: [{ speaker: 0, name: 'Ana' }], likely: [] })
  expect(isOf(4)).toEqual({ names: [], likely: [{ speaker: 0, name: 'Ana' }] })
})

test('a voice of which half had a name may have it, and one of which a tenth had it has not', () => {
  const before = said([0, 5], [2, 5], [1, 1], [3, 9])
  const after = said([0, 10], [1, 10])
  const named = [ana, { ...ben, speaker: 3 }, { speaker: 2, name: 'Cleo' }]
  const { names, likely } = sameVoices({ named, before, after })
  expect(names).toEqual([{ speaker: 1, name: 'Ben' }])
  expect(likely).toEqual([{ speaker: 0, name: 'Ana' }])
})

test('of one person who is taken for two, the second may be the first', () => {
  const { names, likely } = sameVoices({
    named: [ana],
    before: said([0, 20]),
    after: said([0, 12], [1, 8]),
  })
  expect(names).toEqual([{ speaker: 0, name: 'Ana' }])
  expect(likely).toEqual([{ speaker: 1, name: 'Ana' }])
})

test('a speaker without a name gets none in the new text', () => {
  const before = said([0, 5], [1, 5])
  const found = sameVoices({ named: [{ speaker: 0, name: null }], before, after: before })
  expect(found).toEqual({ names: [], likely: [] })
})
