import { expect, test } from 'vitest'

import { BAR } from './hidden-words.ts'
import { type HiddenForOthers, veilOf } from './veil.ts'

const hale: HiddenForOthers = { words: ['Margaret Hale', 'Margaret'], mark: 'bar' }
const castle: HiddenForOthers = { words: ['Hale Castle'], mark: 'name' }

test('a name that is hidden for others has a bar wherever it stands, and the text is kept', () => {
  const { hide, say, barsIn } = veilOf([hale], 'en')
  const text = 'I asked Margaret. MARGARET HALE’s ferry is no Hale.'
  expect(hide(text)).toBe(`I asked ${BAR}. ${BAR} ferry is no Hale.`)
  expect(say(text)).toBe('I asked redacted. redacted ferry is no Hale.')
  expect(barsIn(text).map(({ from, to }) => text.slice(from, to))).toEqual([
    'Margaret',
    'MARGARET HALE’s',
  ])
})

test('where two hidden names overlap there is one bar', () => {
  expect(veilOf([hale, castle], 'en').hide('Margaret Hale Castle, and Hale Castle')).toBe(
    `${BAR}, and [name]`,
  )
})

test('a bar that stands in the text for good is a bar too, with nothing under it', () => {
  const text = `Is ${BAR} Margaret?`
  expect(veilOf([], 'en').barsIn(text)).toEqual([{ from: 3, to: 8, mark: BAR, isForGood: true }])
  expect(
    veilOf([hale], 'en')
      .barsIn(text)
      .map(({ isForGood }) => isForGood),
  ).toEqual([true, false])
  expect(veilOf([], 'en').hide(text)).toBe(text)
})
