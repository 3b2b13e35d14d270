import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { spelledOut, withNumbers } from './numbers.ts'

function heard(script: string) {
  let at = 0
  return script.split(' ').flatMap((token) => {
    if (/^\d+$/.test(token)) {
      at += Number(token)
      return []
    }
    const startMs = at
    at += 200
    return [{ text: token, startMs, endMs: at, confidence: token === 'forty' ? 0.4 : 0.9 }]
  })
}
const read = (script: string) =>
  withNumbers(heard(script))
    .map(({ text }) => text)
    .join(' ')

test.each([
  ['it was twenty five miles', 'it was 25 miles'],
  ['three hundred and five people', '305 people'],
  ['two thousand three hundred', '2,300'],
  ['in nineteen eighty four', 'in 1984'],
  ['twenty twenty was a year', '2020 was a year'],
  ['ninety nine percent of five dollars', '99% of $5'],
  ['page eleven', 'page 11'],
])('%s is written %s', (said, written) => {
  expect(read(said)).toBe(written)
})

test.each([
  'one of the two',
  'one two three four',
  'twenty one two',
  'ten eleven twelve',
  'it is nineteen oh five',
  'a hundred times',
  'three point five',
  'twenty 700 five',
])('%s is left as it is', (said) => {
  expect(read(said)).toBe(said.replace(' 700', ''))
})

test('a number lasts as long as its words, and is as sure as the least sure of them', () => {
  expect(withNumbers(heard('so forty two it is'))[1]).toEqual({
    text: '42',
    startMs: 200,
    endMs: 600,
    confidence: 0.4,
  })
})

test('a number in digits is spelled out as it was said', () => {
  expect(spelledOut('1984')).toEqual(['nineteen', 'eighty', 'four'])
  expect(spelledOut('1,984')).toEqual('one thousand nine hundred eighty four'.split(' '))
  expect(spelledOut('$5')).toEqual(['five', 'dollars'])
  expect(spelledOut('99%')).toEqual(['ninety', 'nine', 'percent'])
  expect(['b2', '007', '5551234', '1,2', ''].map(spelledOut)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
})

test('every number up to a million is written as it was spelled', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 999_999 }), (value) => {
      const words = spelledOut(value.toLocaleString('en-US'))!
      expect(read(words.join(' '))).toBe(value.toLocaleString('en-US'))
    }),
  )
})
