import { describe, expect, test } from 'vitest'

import { nameOf } from '#features/text/ui/speaker-name.ts'

import { ticksFor, voicesOf, withEdited, wordsFromSegments } from './spoken.ts'

const turn = (id: string, position: number, speaker: number | null, start = 0, end = 1) => ({
  id,
  position,
  revision: 0,
  speaker,
  start,
  end,
  text: id,
  isEdited: false,
  words: [],
})
const speakers = [
  { speaker: 0, label: 'Speaker A', name: 'Ada', talkTime: 1 },
  { speaker: 1, label: 'Speaker B', name: null, talkTime: 1 },
]

test('the answer to a change takes out, puts in and replaces, in the order of the positions', () => {
  const words = {
    revision: 4,
    checkBelow: 50,
    speakers,
    turns: [turn('a', 1, 0), turn('b', 2, 1), turn('c', 3, 0)],
  }
  const edited = withEdited(words, {
    revision: 5,
    undo: 9,
    turns: [turn('new', 1.5, 1), { ...turn('c', 3, 1), text: 'changed' }],
    removed: ['b'],
    speakers: speakers.slice(0, 1),
    wordCount: 3,
    reload: false,
  })
  expect(edited.turns.map(({ text }) => text)).toEqual(['a', 'new', 'changed'])
  expect(edited).toMatchObject({ revision: 5, checkBelow: 50, speakers: [{ name: 'Ada' }] })
})

test('a speaker is called by the given name, else by letter, and nobody "Unknown speaker"', () => {
  expect([0, 1, 7, null].map((speaker) => nameOf(speaker, speakers))).toEqual([
    'Ada',
    'Speaker B',
    'Speaker H',
    'Unknown speaker',
  ])
})

test('plain segments become turns whose speakers keep their names and letters', () => {
  const called = ['Speaker B', 'Unknown speaker', 'Ada', 'Speaker A', 'Ben', 'Speaker E']
  const words = wordsFromSegments({
    speakerSegments: JSON.stringify(
      called.map((speaker, start) => ({ start, end: start + 1, speaker, text: 'x' })),
    ),
  })
  expect(words.turns.map(({ speaker }) => nameOf(speaker, words.speakers))).toEqual(called)
  expect(words.turns.map(({ speaker }) => speaker)).toEqual([1, null, 2, 0, 3, 4])
})

describe('talk time', () => {
  test('is summed per speaker in order of first speech', () => {
    const turns = [turn('x', 0, 1, 0, 10), turn('y', 1, 0, 10, 40), turn('z', 2, 1, 40, 50)]
    expect(
      voicesOf({ turns, speakers }).map(({ name, seconds, share }) => [name, seconds, share]),
    ).toEqual([
      ['Speaker B', 20, 40],
      ['Ada', 30, 60],
    ])
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
