import { expect, test } from 'vitest'

import { fold } from '#shared/fold.ts'
import { searches } from '#test/searches.ts'

import { findWords, wantedIn } from './find-searched.ts'
import { findIn } from './find.ts'

const found = (texts: string[], wanted: string) =>
  findIn(
    texts.map((text) => fold(text)),
    wanted,
  ).map(({ turn, from, to }) => texts[turn]?.slice(from, to))

test('hits of all turns come in order and never overlap', () => {
  expect(
    findIn(
      ['aaaa', '', 'aa'].map((text) => fold(text)),
      'aa',
    ),
  ).toEqual([
    { turn: 0, from: 0, to: 2 },
    { turn: 0, from: 2, to: 4 },
    { turn: 2, from: 0, to: 2 },
  ])
})

test('several words are found as they stand, and an empty search finds nothing', () => {
  expect(found(['one two three'], ' two three ')).toEqual(['two three'])
  expect(found(['one two three'], '   ')).toEqual([])
})

test('words of a search in the library are found where most of them are', () => {
  const texts = ['The binder goes sticky', 'A sticky, old binder', 'A bookbinder']
  const words = (wanted: string) =>
    findWords(
      texts.map((text) => fold(text)),
      wanted,
    ).map(({ turn, from, to }) => texts[turn]?.slice(from, to))
  expect(words('binder sticky')).toEqual(['binder', 'sticky', 'sticky', 'binder'])
  expect(words('“goes sticky”')).toEqual(['goes sticky'])
  expect(words('the bind')).toEqual(['The bind'])
  expect(findWords([fold('Upon, then on the reel, on Monday')], 'on the')).toEqual([
    { turn: 0, from: 11, to: 17 },
  ])
  expect(words('a binde')).toEqual(['A', 'binde'])
  expect(words('binder unicorn')).toEqual(['binder', 'binder'])
  expect(words('unicorn')).toEqual([])
  expect(findWords([fold('今日は東京で')], '東京')).toEqual([{ turn: 0, from: 3, to: 5 }])
})

test('of a search in the library, what its turn says is filled in', () => {
  const turn = fold('The binder goes sticky')
  expect(wantedIn(turn, '"goes sticky"')).toBe('goes sticky')
  expect(wantedIn(turn, 'binder ben')).toBe('binder')
  expect(wantedIn(turn, 'ben')).toBe('')
})

test.each(searches)('in "$text", "$wanted" finds $found', ({ text, wanted, found: places }) => {
  expect(found([text], wanted)).toEqual(places)
  expect(findWords([fold(text)], wanted).map(({ from, to }) => text.slice(from, to))).toEqual(
    places,
  )
})
