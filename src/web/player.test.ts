import { expect, test } from 'vitest'

import { type Player, changeSpeed, leapAt, leapsOf } from './player.ts'

test('a stretch is leapt over from anywhere inside it, but not from its end', () => {
  const leaps = [
    [1, 3],
    [10, 12],
  ] as const
  expect(leapAt(leaps, 0.5)).toBeUndefined()
  expect(leapAt(leaps, 1)).toEqual([1, 3])
  expect(leapAt(leaps, 2.96)).toBeUndefined()
  expect(leapAt(leaps, 3)).toBeUndefined()
  expect(leapAt(leaps, 11)).toEqual([10, 12])
})

test('a leap begins before the next frame would be too late, and earlier at a higher speed', () => {
  expect(leapAt([[1, 1.2]], 0.96)).toBeUndefined()
  expect(leapAt([[1, 1.2]], 0.98)).toEqual([1, 1.2])
  expect(leapAt([[1, 1.2]], 0.96, 2)).toEqual([1, 1.2])
})

test('stretches that touch, or have hardly anything between them, are one leap', () => {
  expect(
    leapsOf([
      [4, 5],
      [1, 3],
      [2, 2.5],
      [3.02, 3.5],
      [3.6, 3.8],
    ]),
  ).toEqual([
    [1, 3.5],
    [3.6, 3.8],
    [4, 5],
  ])
})

test.each([
  [-1, 0.5],
  [1, 3],
] as const)('steps of %i end at %f times the speed', (step, last) => {
  let rate = 1
  const player = {
    getState: () => ({ rate }),
    setRate: (next: number) => (rate = next),
  } as unknown as Player
  for (let press = 0; press < 12; press += 1) changeSpeed(player, step)
  expect(rate).toBe(last)
})
