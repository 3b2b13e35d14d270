import { expect, test } from 'vitest'

import { addedInWords, spellingsIn, termsInFile, withTerms } from './term-list.ts'

test('a list has one term a line, and a table has them in its first column', () => {
  expect(termsInFile('\ufeffAmpex\r\n\n Ulverston \n"Field, Notes";x\nKendal,Kendall')).toEqual([
    'Ampex',
    'Ulverston',
    'Field, Notes',
    'Kendal',
  ])
  expect(spellingsIn('Okafer, , O’Cafor')).toEqual(['Okafer', 'O’Cafor'])
})

test('imported terms are added once, and the rest is counted', () => {
  const { terms, ...counts } = withTerms(['Ampex'], ['ampex', 'Kendal', 'kendal', 'x'.repeat(61)])
  expect(terms).toEqual(['Ampex', 'Kendal'])
  expect(addedInWords(counts)).toBe(
    '1 added, 2 were there already, 1 left out: too long, or more than 500',
  )
})
