import { expect, test } from 'vitest'

import { idsOf } from './shelf.ts'

test('a recording in two files is on the server when both have arrived, whichever was sent twice', () => {
  expect(idsOf({})).toBeNull()
  expect(idsOf({ sentAs: { parts: 2, ids: { 1: 'later than before' } } })).toBeNull()
  expect(idsOf({ sentAs: { parts: 2, ids: { 1: 'a', 2: 'b' } } })).toEqual(['a', 'b'])
})
