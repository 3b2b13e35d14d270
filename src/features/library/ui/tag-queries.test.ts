import { expect, test } from 'vitest'

import { tagState, whyNot } from './tag-queries.ts'

const tag = (name: string) => ({ id: name, name, colour: 0 })
const loaded = [
  { id: 'a', tags: [tag('Radio'), tag('Kendal')] },
  { id: 'b', tags: [tag('Radio')] },
]

test('a tag is half on when some of the chosen recordings have it', () => {
  const chosen = new Set(['a', 'b'])
  expect(tagState({ name: 'radio', count: 2 }, { chosen, loaded })).toBe('all')
  expect(tagState({ name: 'Kendal', count: 1 }, { chosen, loaded })).toBe('some')
  expect(tagState({ name: 'Mail', count: 3 }, { chosen, loaded })).toBe('none')
})

test('recordings that are not loaded may have a tag that is on more than the loaded ones', () => {
  const chosen = new Set(['b', 'not loaded'])
  expect(tagState({ name: 'Kendal', count: 4 }, { chosen, loaded })).toBe('some')
  expect(tagState({ name: 'Kendal', count: 1 }, { chosen, loaded })).toBe('none')
})

test('a tag has 30 letters, whatever they are made of, and an account has 50 tags', () => {
  expect(whyNot('ж'.repeat(30), 49)).toBeNull()
  expect(whyNot('🎙'.repeat(31), 0)).toBe('A tag has at most 30 letters.')
  expect(whyNot('None', 0)).toBe('No tag can be called that.')
  expect(whyNot('Radio', 50)).toBe('You have 50 tags, which is the most.')
})
