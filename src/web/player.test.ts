import { expect, test } from 'vitest'

import { silenceAt } from './player.ts'

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
