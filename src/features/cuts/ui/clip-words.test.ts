import { expect, test } from 'vitest'

import { lengthInWords, moved, saidIn, snapped, stepped, wordAt } from './clip-words.ts'

const text = 'Right, everybody is here.'
const turn = { id: 'a', speaker: 1, start: 0, end: 2, text }
const words = ['Right', 'everybody', 'is', 'here']
/** Each of 300 ms, with 100 ms between two. */
const places = words.map((word, index) => {
  const from = text.indexOf(word)
  return {
    turn: 0,
    index,
    from,
    to: from + word.length,
    startMs: 400 * index,
    endMs: 400 * index + 300,
    confidence: 1,
  }
})
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what else a turn has is not read
const turns = [turn] as unknown as Parameters<typeof saidIn>[0]['turns']
const passage = { startMs: 400, endMs: 1_100 }

test('a clip has the words of its passage with their marks, in its own times, but for those that are cut', () => {
  const durationMs = 2_000
  const all = { startMs: 0, endMs: 1_500 }
  const list = [{ startMs: 350, endMs: 750 }]
  expect(saidIn({ turns, places }, { passage: all, list, durationMs })).toEqual([
    { text: 'Right,', startMs: 0, endMs: 300, speaker: 1 },
    { text: 'is', startMs: 400, endMs: 700, speaker: 1 },
    { text: 'here.', startMs: 800, endMs: 1_100, speaker: 1 },
  ])
})

test('a word beyond the end of the recording is in no clip', () => {
  const durationMs = 1_000
  expect(
    saidIn({ turns, places }, { passage, list: [], durationMs }).map((word) => word.text),
  ).toEqual(['everybody', 'is'])
})

test('the length of a clip is told without what is cut in it', () => {
  const list = [
    { startMs: 0, endMs: 500 },
    { startMs: 700, endMs: 900 },
    { startMs: 1_300, endMs: 1_500 },
  ]
  expect(lengthInWords(passage, [])).toBe('0.7 s')
  expect(lengthInWords(passage, list)).toBe('0.4 s')
})

test('an edge lies where the nearest word begins or ends, and never beyond the other one', () => {
  expect(snapped(places, passage, { edge: 'startMs', ms: 130 })).toEqual({ ...passage, startMs: 0 })
  expect(snapped(places, passage, { edge: 'endMs', ms: 9_000 })).toEqual({
    ...passage,
    endMs: 1_500,
  })
  expect(snapped(places, passage, { edge: 'startMs', ms: 9_000 })).toEqual({
    ...passage,
    startMs: 800,
  })
})

test('an edge goes by one word, or by a tenth of a second to anywhere', () => {
  const next = stepped(places, passage, { edge: 'endMs', by: 1 })
  expect(next.endMs).toBe(1_500)
  expect(stepped(places, next, { edge: 'endMs', by: 1 })).toEqual(next)
  expect(stepped(places, passage, { edge: 'startMs', by: -1 }).startMs).toBe(0)
  const fine = { by: -100, durationMs: 2_000 }
  expect(moved(passage, { edge: 'endMs', ...fine }).endMs).toBe(1_000)
  expect(moved({ startMs: 50, endMs: 900 }, { edge: 'startMs', ...fine }).startMs).toBe(0)
})

test('an edge is said with its word', () => {
  expect(wordAt({ turns, places }, passage, 'startMs')).toBe('everybody')
  expect(wordAt({ turns, places }, passage, 'endMs')).toBe('is')
})
