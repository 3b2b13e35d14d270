import { expect, test } from 'vitest'

import type { SaidTurn } from '#features/text/word-places.ts'

import { placesOf, proposalsFor } from './proposals.ts'

/** Turns of these texts; each word takes 300 ms, and 100 ms lie between two. */
function saidOf(...texts: string[]): SaidTurn[] {
  let atMs = 0
  return texts.map((text, number) => {
    const words = text.split(' ').map((word) => {
      const startMs = atMs
      atMs += 400
      return { text: word, startMs, endMs: startMs + 300 }
    })
    return { id: String(number), text, words, startMs: words[0]!.startMs, endMs: atMs - 100 }
  })
}

const proposed = (words: string, ...texts: string[]) =>
  proposalsFor([words], saidOf(...texts)).map(({ text, isLikely, places }) => [
    text,
    isLikely,
    places.length,
  ])

test('a place has its words and their times, also with a sign at its end', () => {
  expect(placesOf(['Margaret Hale'], saidOf('Then Margaret Hale, she said.'))).toEqual([
    { turnId: '0', from: 5, to: 18, startMs: 400, endMs: 1_100, isEstimated: false },
  ])
})

test('a name that two turns share has a place in each', () => {
  expect(placesOf(['Margaret Hale'], saidOf('It was Margaret', 'Hale, I think.'))).toEqual([
    { turnId: '0', from: 7, to: 15, startMs: 800, endMs: 1_100, isEstimated: false },
    { turnId: '1', from: 0, to: 4, startMs: 1_200, endMs: 1_500, isEstimated: false },
  ])
})

test('parts of a name are proposed, as often as they stand alone', () => {
  expect(
    proposed(
      'Margaret Hale',
      'Margaret Hale was here.',
      'So Margaret, Mrs Hale, and Margaret’s cat.',
    ),
  ).toEqual([
    ['Margaret', true, 2],
    ['Hale', true, 1],
  ])
})

test('spellings that a recogniser may have made are proposed', () => {
  expect(
    proposed('Margaret Hale', 'I asked Margret Hail twice, and Maragret, and mar garet.'),
  ).toEqual([
    ['Margret', true, 1],
    ['Maragret', true, 1],
    ['mar garet', true, 1],
    ['Hail', false, 1],
  ])
})

test.each([
  ['Hale', 'We inhale the whole half of it and have a hat.'],
  ['Margaret', 'The market target is a garment.'],
  ['Anna', 'And any ant.'],
  ['555 0199', 'Five hundred of 555 others.'],
])('nothing is proposed for %s in “%s”', (words, text) => {
  expect(proposed(words, text)).toEqual([])
})

test('another writing bends a name', () => {
  expect(proposed('Маргарита', 'Я видел Маргариту и Маргариты.')).toEqual([['Маргариту', true, 1]])
})
