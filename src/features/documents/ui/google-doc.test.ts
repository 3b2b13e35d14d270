import { expect, test } from 'vitest'

import { messageIn } from './google-doc.ts'

const good = { source: 'quoth-google-docs', type: 'success', state: 's', token: 't' }

test('a message of our callback page is understood', () => {
  expect(messageIn(good)).toEqual({ state: 's', token: 't' })
  expect(messageIn({ ...good, type: 'error', message: 'no' })).toEqual({
    state: 's',
    token: null,
    words: 'no',
  })
})

test.each([
  null,
  'token',
  [],
  {},
  { ...good, source: 'react-devtools' },
  { ...good, source: undefined },
  { ...good, state: 7 },
  { ...good, token: '' },
  { ...good, token: { toString: () => 't' } },
  { ...good, type: 'error' },
  { ...good, type: 'toString' },
])('anything else that is posted to a window is not: %j', (data) => {
  expect(messageIn(data)).toBeNull()
})
