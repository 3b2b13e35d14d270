import { expect, test } from 'vitest'

import { speakerColours } from './speaker-badge.tsx'

test('A, B and C have colours of their own, and the others repeat five', () => {
  const colours = Array.from(
    { length: 14 },
    (_, speaker) => speakerColours(speaker)['data-speaker'],
  )
  expect(colours).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 3, 4, 5, 6, 7, 3])
})
