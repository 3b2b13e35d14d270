import { expect, test } from 'vitest'

import { type Chosen, chosenAfter } from './choice.ts'

const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, status: 'completed', duration: 60 }))
const ids = (chosen: Chosen) => [...chosen.keys()].join('')
const press = (chosen: Chosen, id: string, from: string | null = null) =>
  chosenAfter(chosen, { rows, id, from })

test('a press chooses a row, a second one takes it out again', () => {
  const one = press(new Map(), 'b')
  expect(ids(one)).toBe('b')
  expect(ids(press(one, 'b'))).toBe('')
})

test('with Shift all rows between two presses are chosen, in either direction, or let go', () => {
  expect(ids(press(press(new Map(), 'b'), 'd', 'b'))).toBe('bcd')
  const upwards = press(press(new Map(), 'd'), 'b', 'd')
  expect([...upwards.keys()].toSorted().join('')).toBe('bcd')
  expect(ids(press(press(upwards, 'e'), 'c', 'e'))).toBe('b')
})

test('a range that began at a row that is gone chooses the one row', () => {
  expect(ids(press(new Map(), 'c', 'gone'))).toBe('c')
})
