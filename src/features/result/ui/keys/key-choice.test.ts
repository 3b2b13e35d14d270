import { expect, test } from 'vitest'

import { holderOf, reasonAgainst, without } from './key-choice.ts'
import { keyTable } from './keys.ts'

const row = (id: string) =>
  Object.values(keyTable)
    .flat()
    .find((each) => each.id === id)!

test('a key that another act of the same place has is named with it, and can be taken from it', () => {
  expect(holderOf('k', row('reading.edit'))?.id).toBe('reading.toggle')
  expect(without(row('reading.toggle'), 'k')).toEqual(['Space'])
  expect(holderOf('Meta+h', row('reading.edit'))?.id).toBe('reading.replace')
  expect(holderOf('k', row('editing.replay'))).toBeNull()
  // A pedal acts everywhere.
  expect(holderOf('F1', row('pedal.play'))?.id).toBe('editing.back')
  expect(holderOf('F7', row('pedal.play'))).toBeNull()
})

test('keys that type text are no keys of a turn or a pedal, and some have a fixed meaning', () => {
  for (const chord of ['a', 'Space', 'ArrowUp', 'Backspace'])
    expect(reasonAgainst(chord, row('pedal.play'))).toMatch('types text')
  for (const chord of ['F7', 'MediaPlayPause', 'Alt+KeyP', 'Ctrl+ArrowUp'])
    expect(reasonAgainst(chord, row('pedal.play'))).toBeNull()
  expect(reasonAgainst('p', row('reading.edit'))).toBeNull()
  expect(reasonAgainst('Ctrl+k', row('reading.edit'))).toMatch('fixed meaning')
  expect(reasonAgainst('3', row('reading.edit'))).toMatch('fixed meaning')
  expect(reasonAgainst('Ctrl+z', row('editing.save'))).toMatch('fixed meaning')
})
