import { expect, test } from 'vitest'

import { addressOf, call } from './call.ts'

test('the parts of an address are put into its path, encoded', () => {
  const read = call('GET', '/api/things/:id/parts/:partId')
  expect(addressOf(read, { params: { id: 'a/b', partId: 'ü' } })).toBe(
    '/api/things/a%2Fb/parts/%C3%BC',
  )
  const file = call('GET', '/api/things/:id.ics')
  expect(addressOf(file, { params: { id: '7' } })).toBe('/api/things/7.ics')
})

test('a query is put behind the path without the values that are not there', () => {
  const list = call('GET', '/api/things')
  expect(addressOf(list)).toBe('/api/things')
  expect(addressOf(list, { query: { q: undefined, before: null } })).toBe('/api/things')
  expect(addressOf(list, { query: { q: 'a&b', limit: 2, isNew: false } })).toBe(
    '/api/things?q=a%26b&limit=2&isNew=false',
  )
  expect(addressOf(list, { query: { tag: ['a', 'b'], of: [] } })).toBe('/api/things?tag=a&tag=b')
})
