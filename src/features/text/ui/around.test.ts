import { expect, test } from 'vitest'

import { packWords } from '../packed-words.ts'
import { textAround } from './around.ts'
import { placesOf } from './word-places.ts'

/** A turn of which every word takes a second, from `start` on. */
function turn(start: number, text: string) {
  const words = [...text.matchAll(/\S+/g)].map((match, place) => ({
    from: match.index,
    to: match.index + match[0].length,
    startMs: (start + place) * 1_000,
    endMs: (start + place) * 1_000 + 900,
    confidence: 90,
  }))
  return {
    id: String(start),
    position: start,
    revision: 0,
    speaker: 0,
    start,
    end: start + words.length,
    text,
    isEdited: false,
    words: packWords(words, start * 1_000),
  }
}
const turns = [
  turn(0, 'Nobody asked.'),
  turn(
    10,
    'And then, after the second reel, the leather tape was still blue, after four long years.',
  ),
]
const text = { turns, places: placesOf(turns) }

test('the words around a place are those of its turn, cut where it is long', () => {
  expect(textAround(text, { start: 17, end: 18.9 })).toEqual({
    before: '… then, after the second reel, the',
    after: 'was still blue, after four long …',
  })
})

test('a place between two words has both beside it, and one at an end has nothing there', () => {
  expect(textAround(text, { start: 11, end: 11 })).toEqual({
    before: 'And',
    after: 'then, after the second reel, the …',
  })
  expect(textAround(text, { start: 0, end: 0.9 })).toEqual({ before: '', after: 'asked.' })
  expect(textAround({ turns: [], places: [] }, { start: 1, end: 2 })).toEqual({
    before: '',
    after: '',
  })
})
