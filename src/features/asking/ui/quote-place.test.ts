import { expect, test } from 'vitest'

import { placesOf } from '#features/text/ui/word-places.ts'
import { packWords } from '#features/text/packed-words.ts'

import { doubtsOfQuote, placeOfQuote } from './quote-place.ts'

/** A word each second. */
const turn = (id: string, start: number, text: string) => ({
  id,
  start,
  text,
  words: packWords(
    [...text.matchAll(/\S+/g)].map((word, place) => ({
      from: word.index,
      to: word.index + word[0].length,
      startMs: (start + place) * 1000,
      endMs: (start + place) * 1000 + 900,
      confidence: word[0] === 'tape' ? 20 : 96,
    })),
    start * 1000,
  ),
})
const turns = [
  turn('a', 0, 'So we have it'),
  turn('b', 10, 'The tape, the tape and the tape again'),
]
const places = placesOf(turns)
const placed = (quote: { turnId: string; at: number; text: string }) => {
  const place = placeOfQuote(quote, turns, places)
  return place && [place.turn, place.from, turns[place.turn]?.text.slice(place.from, place.to)]
}

test('a quote is found in its turn, where it was said and not where the same words stand too', () => {
  expect(placed({ turnId: 'b', at: 15, text: 'the tape' })).toEqual([1, 23, 'the tape'])
  expect(placed({ turnId: 'b', at: 12, text: 'the tape' })).toEqual([1, 10, 'the tape'])
})

test('where the words were changed, or the turn is gone, its moment is gone to', () => {
  expect(placed({ turnId: 'b', at: 14, text: 'and a tape' })).toEqual([1, 19, 'and'])
  expect(placed({ turnId: 'gone', at: 2, text: 'have it' })).toEqual([0, 6, 'have it'])
  expect(placeOfQuote({ turnId: 'b', at: 14, text: 'and' }, [], [])).toBeNull()
})

test('words in doubt are those of the quote', () => {
  const toCheck = places.filter(({ confidence }) => (confidence ?? 100) < 50)
  const doubts = doubtsOfQuote(
    { turnId: 'b', at: 14, text: 'and the tape' },
    { turns, places, toCheck },
  )
  expect(doubts).toEqual([[8, 12]])
})
