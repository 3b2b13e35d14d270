import { expect, test } from 'vitest'

import { cursorIn } from './library-queries.ts'

test('the next page is where the server says, and after the last there is none', () => {
  expect(cursorIn('</api/transcriptions?limit=50&cursor=a%2Bb>; rel="next"')).toBe('a+b')
  expect(cursorIn('<https://x/api?cursor=1>; rel="prev", </api?cursor=2>; rel="next"')).toBe('2')
  expect(cursorIn('</api?cursor=1>; rel="prev"')).toBeNull()
  expect(cursorIn(null)).toBeNull()
})
