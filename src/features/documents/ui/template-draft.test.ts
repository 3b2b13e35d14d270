import { expect, test } from 'vitest'

import { isSame, newDraft, problemsWith, rangeOf } from './template-draft.ts'

test('a type without a name or instructions says what is missing', () => {
  expect(problemsWith(newDraft)).toEqual({
    name: 'Please give the type a name.',
    instructions: 'Please say what the document is to be.',
  })
  expect(problemsWith({ ...newDraft, name: 'Report', instructions: ' \n' })).toEqual({
    name: undefined,
    instructions: 'Please say what the document is to be.',
  })
})

test('the order in which parts were ticked is no change', () => {
  expect(isSame(newDraft, { ...newDraft, parts: newDraft.parts.toReversed() })).toBe(true)
  expect(isSame(newDraft, { ...newDraft, parts: ['times'] })).toBe(false)
  expect(isSame(newDraft, { ...newDraft, instructions: 'Begin' })).toBe(false)
})

test('a length is told in words', () => {
  expect(rangeOf('long')).toBe('400–1,200 words')
})
