import { expect, test } from 'vitest'

import { searches } from '#test/searches.ts'

import { findTerms, snippetOf, termsOf } from './find-words.ts'

const found = (text: string, query: string) =>
  findTerms(text, termsOf(query)).map(([from, to]) => text.slice(from, to))

test('words are found without case and accents, and the last by how it begins', () => {
  expect(found('The Café in Zürich', 'cafe zur')).toEqual(['Café', 'Zür'])
  expect(found('The Zürich café', 'zur cafe')).toEqual(['café'])
  expect(found('unhappy happy', 'happy')).toEqual(['happy'])
  expect(found('ﬁne words', 'fine')).toEqual(['ﬁne'])
  expect(found('今日は東京です', '東京')).toEqual(['東京'])
})

test.each(searches)('in "$text", "$wanted" finds $found', ({ text, wanted, found: places }) => {
  expect(found(text, wanted)).toEqual(places)
})

test('where the words stand together, single ones elsewhere are not marked', () => {
  const text = 'Then, on Monday, the talk was on the record, and on the tape'
  expect(found(text, 'on the record')).toEqual(['on the record'])
  expect(found('and on then, on the', 'on the')).toEqual(['on the'])
  expect(found('notes on paper, I left the paper', 'left the paper ben')).toEqual([
    'left the paper',
  ])
  expect(found('and on then', 'on the')).toEqual(['on the'])
  expect(found(text, 'the monday')).toEqual(['Monday', 'the', 'the', 'the'])
  expect(findTerms('goes sticky', ['goes', 'stick'], false)).toEqual([[0, 4]])
})

test('a search of signs only has no words', () => {
  expect(termsOf(' "%_\\ ')).toEqual([])
})

test('a snippet is cut between words around what was found, and marks it', () => {
  const text = `${'before '.repeat(30)}needle ${'after '.repeat(60)}`.trim()
  const { snippet, marks } = snippetOf(text, findTerms(text, ['needle']))
  expect(snippet.startsWith('…before')).toBe(true)
  expect(snippet.endsWith('after…')).toBe(true)
  expect(snippet.length).toBeLessThan(200)
  expect(marks.map(([from, to]) => snippet.slice(from, to))).toEqual(['needle'])
})

test('a short text is its own snippet', () => {
  expect(snippetOf('just this', [[5, 9]])).toEqual({ snippet: 'just this', marks: [[5, 9]] })
  expect(snippetOf('just this', [])).toEqual({ snippet: 'just this', marks: [] })
})

test('a snippet without a single space is cut all the same', () => {
  const { snippet, marks } = snippetOf('東'.repeat(500) + '京', [[500, 501]])
  expect(marks.map(([from, to]) => snippet.slice(from, to))).toEqual(['京'])
})
