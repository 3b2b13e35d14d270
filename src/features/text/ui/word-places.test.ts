import { describe, expect, test } from 'vitest'

import { packWords } from '../packed-words.ts'
import {
  besideWord,
  placeAt,
  placeInTurn,
  placesOf,
  sentenceStart,
  silencesOf,
  toCheckOf,
  turnIndexAt,
} from './word-places.ts'

const word = (from: number, to: number, startMs: number, endMs: number, confidence = 90) => ({
  from,
  to,
  startMs,
  endMs,
  confidence,
})
// 'The cat, the hat.' and 'Yes!'
const turns = [
  {
    start: 0,
    words: packWords(
      [word(0, 3, 0, 200), word(4, 7, 250, 500, 30), word(9, 12, 600, 700), word(13, 16, 700, 990)],
      0,
    ),
  },
  { start: 4, words: packWords([word(0, 3, 4000, 4300, 10)], 4000) },
]
const places = placesOf(turns)

test('the word that is being said is found, in a long pause none is', () => {
  expect(placeAt(places, 300)?.from).toBe(4)
  expect(placeAt(places, 620)?.from).toBe(9)
  expect(placeAt(places, 1200)?.from).toBe(13)
  expect(placeAt(places, 2500)).toBeUndefined()
  expect(placeAt(places, -1)).toBeUndefined()
  expect(placeAt(places, 4100)?.turn).toBe(1)
})

test('pressing a letter finds its word, pressing behind a word finds that word', () => {
  expect(placeInTurn(places, 0, 5)?.index).toBe(1)
  expect(placeInTurn(places, 0, 7)?.index).toBe(1)
  expect(placeInTurn(places, 0, 16)?.index).toBe(3)
  expect(placeInTurn(places, 1, 0)?.startMs).toBe(4000)
  expect(placeInTurn(places, 2, 0)).toBeUndefined()
})

test('a moment lies in the sentence that is being said, and in a pause between two in none', () => {
  const text = 'Ask Dr. Hale. She knows'
  const words = [word(0, 3, 0, 200), word(4, 6, 250, 500), word(8, 12, 600, 900)]
  const said = [...words, word(14, 17, 1500, 1600), word(18, 23, 1700, 2000)]
  const spoken = [
    { start: 0, text, words: packWords(said, 0) },
    { start: 2.2, text: 'Yes!', words: packWords([word(0, 3, 2200, 2500)], 2200) },
  ]
  const startAt = (ms: number) => sentenceStart(spoken, placesOf(spoken), ms)
  expect([300, 550, 899].map(startAt)).toEqual([0, 0, 0])
  expect(startAt(1100)).toBe(1100)
  expect([1500, 1650, 1999].map(startAt)).toEqual([1500, 1500, 1500])
  expect([2100, 2300, 9000].map(startAt)).toEqual([2100, 2200, 9000])
})

test('the turn of a moment is the last one that has begun', () => {
  expect(turnIndexAt(turns, -1)).toBe(-1)
  expect(turnIndexAt(turns, 3.9)).toBe(0)
  expect(turnIndexAt(turns, 99)).toBe(1)
})

describe('a reply inside a turn that goes on', () => {
  // The first turn has a pause of two seconds, in which most of the reply is said.
  const text = 'We go now. Then we eat.'
  const said = [word(0, 2, 0, 400), word(3, 5, 500, 900), word(6, 10, 1000, 1500)]
  const later = [word(11, 15, 3500, 3900), word(16, 18, 4000, 4300), word(19, 23, 4400, 4900)]
  const both = [
    { start: 0, end: 4.9, text, words: packWords([...said, ...later], 0) },
    {
      start: 1.4,
      end: 3.2,
      text: 'Yes, go.',
      words: packWords([word(0, 3, 1400, 1700), word(5, 7, 2900, 3200)], 1400),
    },
  ]
  const all = placesOf(both)

  test('is marked while it is said, and then the words of that turn again', () => {
    const marked = [1200, 1450, 3000, 4100, 4800].map((ms) => placeAt(all, ms))
    expect(marked.map((place) => [place?.turn, place?.index])).toEqual([
      [0, 2],
      [1, 0],
      [1, 1],
      [0, 4],
      [0, 5],
    ])
    expect([1, 3, 4, 99].map((seconds) => turnIndexAt(both, seconds))).toEqual([0, 1, 0, 1])
  })

  test('leaves steps and sentences where they are, and is no silence', () => {
    expect(besideWord(all, { place: 0, seconds: 1.45, steps: -1 })?.index).toBe(1)
    expect(sentenceStart(both, all, 4500)).toBe(3500)
    expect(silencesOf(all)).toEqual([])
  })
})

test('only long pauses are silence', () => {
  const [silence, ...more] = silencesOf(places)
  expect(more).toEqual([])
  expect(silence?.[0]).toBeCloseTo(1.29)
  expect(silence?.[1]).toBeCloseTo(3.7)
})

test('words below the threshold are to be checked, and none where the engine gives no confidence', () => {
  expect(toCheckOf(places, 50).map(({ turn, index }) => [turn, index])).toEqual([
    [0, 1],
    [1, 0],
  ])
  expect(toCheckOf(places, null)).toEqual([])
})
