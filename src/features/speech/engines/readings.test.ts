import { expect, test } from 'vitest'

import { readingsOf } from './readings.ts'

const known = new Set([
  'hello',
  "don't",
  'well',
  'known',
  'mr.',
  'u.s.',
  'cafe',
  'and',
  "'cause",
  'example',
  'com',
])
const read = (written: string) =>
  readingsOf(written, (word) => known.has(word)).map((reading) => reading.join(' '))

test.each([
  ['“Hello,”', ['hello']],
  ['don’t', ["don't"]],
  ['’cause', ["'cause"]],
  ['café', ['cafe']],
  ['Mr.', ['mr.']],
  ['U.S.', ['u.s.']],
  ['well-known', ['well known']],
  ['2nd,', ['second']],
  ['21st', ['twenty first']],
  ['15%', ['fifteen percent']],
  ['3.5%', ['three point five percent']],
  ['9:30', ['nine thirty']],
  ['9:05', ['nine zero|oh five', 'nine five']],
  ['10:00am', ["ten o'clock a. m.", 'ten a. m.', 'ten hundred a. m.']],
  ['007', ['zero|oh zero|oh seven']],
  ['1,000,000', ['one million']],
  ["'90s", ['nineties']],
  ['1990s', ['one thousand nine hundred nineties', 'nineteen nineties']],
  ['$1.', ['one dollar']],
  ['MP3', ['m. p. three']],
  ['AT&T', ['a. t. and t.', 'at and t.']],
  ['a@example.com', ['a at example dot com']],
  ['Zelmira', ['zelmira']],
  ['…', []],
  ['♪', []],
])('%s is read as it is spoken', (written, readings) => {
  expect(read(written)).toEqual(expect.arrayContaining(readings))
  expect(read(written).length > 0).toBe(readings.length > 0)
})

test('a word that is spoken in several ways is read in each of them', () => {
  expect(read('1984')).toEqual([
    'one thousand nine hundred eighty four',
    'nineteen eighty four',
    'one nine eight four',
  ])
  expect(read('$5.20,')).toEqual([
    'five dollars twenty',
    'five dollars twenty cents',
    'five dollars and twenty cents',
    'five twenty',
  ])
})

test('a word of many numbers has no more readings than can be listened for', () => {
  expect(read('555-123-4567-890-1234').length).toBeLessThanOrEqual(12)
})
