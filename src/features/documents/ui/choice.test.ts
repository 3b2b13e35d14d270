import { expect, test } from 'vitest'

import { isUndecided, noDocument, ofType, orderOf, wanting } from './choice.ts'

const article = { id: 'article' } as const

test('a document without a type cannot be started', () => {
  expect(isUndecided(noDocument)).toBe(false)
  expect(isUndecided(wanting(true))).toBe(true)
  expect(isUndecided(ofType(wanting(true), article))).toBe(false)
})

test('a document that is not wanted any more loses its type and its pictures', () => {
  const chosen = { ...ofType(wanting(true), article), withImages: true }
  expect(orderOf(chosen)).toEqual({ documentType: 'article', includeImages: true })
  expect(orderOf({ ...chosen, ...wanting(false) })).toBeNull()
  expect(wanting(true)).toEqual({ isWanted: true, type: null, withImages: false })
})

test('another type begins without pictures', () => {
  const chosen = { ...ofType(wanting(true), article), withImages: true }
  expect(ofType(chosen, { id: 'key-insights' }).withImages).toBe(false)
})
