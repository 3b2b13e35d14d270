import { expect, test } from 'vitest'

import { type Player, changeSpeed, silenceAt } from './player.ts'

test('a silence is leapt over from anywhere inside it, but not from its end', () => {
  const silences = [
    [1, 3],
    [10, 12],
  ] as const
  expect(silenceAt(silences, 0.5)).toBeUndefined()
  expect(silenceAt(silences, 1)).toEqual([1, 3])
  expect(silenceAt(silences, 3)).toBeUndefined()
  expect(silenceAt(silences, 11)).toEqual([10, 12])
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
