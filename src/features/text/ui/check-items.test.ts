import { expect, test } from 'vitest'

import { timeFor } from '#features/result/ui/checking/check-memory.ts'

import { alikeTo, contextOf, corrected, itemsOf } from './check-items.ts'
import type { WordPlace } from './word-places.ts'

/** Turns of plain text; words that end in `?` are in doubt, others are sure or (`!`) confirmed. */
function read(...written: string[]) {
  const places: WordPlace[] = []
  const turns = written.map((line, turn) => {
    let text = ''
    for (const [index, token] of line.split(' ').entries()) {
      const word = token.replace(/[?!]$/, '')
      const from = text === '' ? 0 : text.length + 1
      text = text === '' ? word : `${text} ${word}`
      const startMs = places.length * 1_000
      const confidence = token.endsWith('?') ? 20 : token.endsWith('!') ? 100 : 90
      places.push({ turn, index, from, to: text.length, startMs, endMs: startMs + 900, confidence })
    }
    return { text }
  })
  return { turns, places, inDoubt: places.filter(({ confidence }) => confidence === 20) }
}

test('words that were written alike are one item, short ones each their own', () => {
  const { turns, inDoubt } = read('the? bender? goes', '“Bender,”? and the? reels?')
  const items = itemsOf(turns, inDoubt)
  expect(items.map(({ word, places }) => [word, places.length])).toEqual([
    ['the', 1],
    ['bender', 2],
    ['the', 1],
    ['reels', 1],
  ])
})

test('a correction of all is meant for equal words, but for those that somebody confirmed', () => {
  const { turns, places, inDoubt } = read('a bender? a bender', 'Bender,! bender,?')
  const [item] = itemsOf(turns, inDoubt)
  const alike = alikeTo(item!, { turns, places })
  expect(alike.places.map(({ turn, wordFrom }) => [turn, wordFrom])).toEqual([
    [0, 2],
    [0, 11],
    [1, 8],
  ])
  expect(alike.isMostlyDoubtful).toBe(true)
  const rare = read('reels reels reels?')
  const [one] = itemsOf(rare.turns, rare.inDoubt)
  expect(alikeTo(one!, rare).isMostlyDoubtful).toBe(false)
})

test('a word is replaced without the marks around it, and leaves no gap when it is taken out', () => {
  const { turns, inDoubt } = read('The “bender,”? goes')
  const [item] = itemsOf(turns, inDoubt)
  expect(corrected(turns[0]!.text, item!, 'binder')).toBe('The “binder,” goes')
  const last = read('goes sticky uh?')
  expect(corrected(last.turns[0]!.text, itemsOf(last.turns, last.inDoubt)[0]!, '')).toBe(
    'goes sticky',
  )
})

test('the words around it are whole ones', () => {
  const { turns, inDoubt } = read('one two three four? five six seven')
  const [item] = itemsOf(turns, inDoubt)
  expect(contextOf(turns, item!, 6)).toEqual({ before: '… three ', after: ' five …' })
  expect(contextOf(turns, item!, 70)).toEqual({
    before: 'one two three ',
    after: ' five six seven',
  })
})

test.each([
  [7, 'less than a minute'],
  [41, 'about 4 min'],
  [1_000, 'about 100 min'],
  [2_000, 'about 3 h'],
])('%i words take %s', (items, said) => {
  expect(timeFor(items)).toBe(said)
})
