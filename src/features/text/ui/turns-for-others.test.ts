import { expect, test } from 'vitest'

import { noVeil } from '#shared/bars.ts'
import { BAR } from '#shared/hidden-words.ts'
import { veilOf } from '#shared/veil.ts'

import { packWords, unpackWords } from '../packed-words.ts'
import { turnsForOthers } from './turns-for-others.ts'

/** A word every second. */
function turn(start: number, text: string) {
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }, place) => {
    const startMs = 1000 * (start + place)
    return { from: index, to: index + word.length, startMs, endMs: startMs + 800, confidence: 90 }
  })
  return { start, text, words: packWords(words, 1000 * start) }
}

const said = (one: ReturnType<typeof turn>) =>
  unpackWords(one).map(({ from, to, startMs, endMs }) => [one.text.slice(from, to), startMs, endMs])

test('a hidden name is one word with the time of all its words, and others keep theirs', () => {
  const turns = [turn(0, 'Ask Margaret Hale, or Margaret Hale again.'), turn(9, 'No name here.')]
  const [first, second] = turnsForOthers(
    turns,
    veilOf([{ words: ['Margaret Hale'], mark: 'bar' }], 'en'),
  )
  expect(first?.text).toBe(`Ask ${BAR}, or ${BAR} again.`)
  expect(first && said(first)).toEqual([
    ['Ask', 0, 800],
    [BAR, 1000, 2800],
    ['or', 3000, 3800],
    [BAR, 4000, 5800],
    ['again.', 6000, 6800],
  ])
  expect(second).toBe(turns[1])
})

test('a name at the end of one turn and the beginning of the next is hidden in both', () => {
  const turns = [turn(0, 'I rang Margaret'), turn(3, 'Hale today.')]
  const hidden = turnsForOthers(turns, veilOf([{ words: ['Margaret Hale'], mark: 'name' }], 'en'))
  expect(hidden.map(({ text }) => text)).toEqual(['I rang [name]', '[name] today.'])
})

test('where nothing is hidden the turns are the same', () => {
  const turns = [turn(0, 'Ask Margaret.')]
  expect(turnsForOthers(turns, noVeil)).toBe(turns)
})
