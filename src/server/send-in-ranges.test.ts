import { expect, test } from 'vitest'

import { rangeOf } from './send-in-ranges.ts'

test('a range is what the header asks for, within the recording', () => {
  expect(rangeOf('bytes=0-99', 1000)).toEqual({ start: 0, end: 99 })
  expect(rangeOf('bytes=900-', 1000)).toEqual({ start: 900, end: 999 })
  expect(rangeOf('bytes=900-5000', 1000)).toEqual({ start: 900, end: 999 })
  expect(rangeOf('bytes=-100', 1000)).toEqual({ start: 900, end: 999 })
  expect(rangeOf('bytes=-5000', 1000)).toEqual({ start: 0, end: 999 })
  expect(rangeOf('bytes=0-0', 1000)).toEqual({ start: 0, end: 0 })
})

test('a range beyond the end cannot be had', () => {
  for (const header of ['bytes=1000-', 'bytes=99999999-', 'bytes=-0'])
    expect(rangeOf(header, 1000)).toBe('unsatisfiable')
})

test('a header that is not understood is answered with the whole', () => {
  for (const header of [
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=0-1,5-6',
    'lines=1-2',
  ])
    expect(rangeOf(header, 1000)).toBe('whole')
})
