import { expect, test } from 'vitest'

import { choiceInWords, fittingTerms } from './fitting.ts'

const now = Date.parse('2026-11-23T09:00:00.000Z')
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()

test.each([
  ['Okafor', 'field-notes-12-ben-okafor.m4a', true],
  ['Field Notes', 'field_notes12.m4a', true],
  ['Okafor', 'okaforia.m4a', false],
  ['Ngũgĩ', 'NGUGI 2.mp3', true],
  ['東京', '第3回東京会議.wav', true],
  ['m4a', 'notes.m4a', false],
  ['+', 'a + b.wav', false],
])('%s and %s: fits is %s', (term, fileName, fits) => {
  expect(fittingTerms({ terms: [term], used: [] }, { fileName, now })).toEqual(fits ? [term] : [])
})

test('terms used in the last 14 days fit every file, behind those in its name', () => {
  const terms = ['Ampex', 'Kendal', 'binder', 'Ulverston']
  const used = [
    { term: 'Ampex', times: 2, lastAt: daysAgo(13) },
    { term: 'Kendal', times: 9, lastAt: daysAgo(15) },
    { term: 'binder', times: 1, lastAt: daysAgo(1) },
  ]
  const asked = { fileName: 'ulverston and ampex.wav', now }
  expect(fittingTerms({ terms, used }, asked)).toEqual(['Ampex', 'Ulverston', 'binder'])
  const many = Array.from({ length: 120 }, (_, index) => ({ ...used[2]!, term: `term ${index}` }))
  expect(fittingTerms({ terms, used: many }, asked)).toHaveLength(100)
})

test.each([
  [23, 'a b c d e', 'a b c d e f', 'Five of your 23 terms that fit this file.'],
  [23, 'A', 'a', 'One of your 23 terms that fits this file.'],
  [6, 'a b', 'a b', 'Two of your six terms that fit this file.'],
  [23, 'a b new', 'a', 'Two of your 23 terms are chosen.'],
  [23, 'b', 'a', 'One of your 23 terms is chosen.'],
  [23, 'new', 'a', 'None of your 23 terms is chosen.'],
  [1, 'a', 'a', 'Your one term, which fits this file.'],
  [1, 'a', '', 'Your one term is chosen.'],
  [1, '', 'a', 'Your one term is not chosen.'],
])('of %i terms are %j chosen, and %j fit: %s', (count, chosen, fitting, said) => {
  const terms = [...'abcdefghijklmnopqrstuvw'].slice(0, count)
  const list = (text: string) => text.split(' ').filter((term) => term !== '')
  expect(choiceInWords({ terms, fitting: list(fitting), chosen: list(chosen) })).toBe(said)
})
