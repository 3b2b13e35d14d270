import { expect, test } from 'vitest'

import { inLibraryOrder } from './library-order.ts'

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
