import { expect, test } from 'vitest'

import { cursorIn, inLibraryOrder } from './library-queries.ts'

test('the next page is where the server says, and after the last there is none', () => {
  expect(cursorIn('</api/transcriptions?limit=50&cursor=a%2Bb>; rel="next"')).toBe('a+b')
  expect(cursorIn('<https://x/api?cursor=1>; rel="prev", </api?cursor=2>; rel="next"')).toBe('2')
  expect(cursorIn('</api?cursor=1>; rel="prev"')).toBeNull()
  expect(cursorIn(null)).toBeNull()
})

const ids = (rows: { id: string }[]) => rows.map((row) => row.id).join('')

test('running jobs come first, then uploads to confirm, then the rest as they were', () => {
  const rows = inLibraryOrder([
    [
      { id: 'a', status: 'completed' },
      { id: 'b', status: 'uploading' },
      { id: 'c', status: 'error' },
      { id: 'd', status: 'processing chunk 1/2' },
      { id: 'e', status: 'completed' },
    ],
  ])
  expect(ids(rows)).toBe('dbace')
})

test('a row that is part of two pages is listed once', () => {
  const rows = inLibraryOrder([
    [
      { id: 'a', status: 'completed' },
      { id: 'b', status: 'completed' },
    ],
    [
      { id: 'b', status: 'completed' },
      { id: 'c', status: 'completed' },
    ],
  ])
  expect(ids(rows)).toBe('abc')
})
