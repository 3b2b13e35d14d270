import { expect, test } from 'vitest'

import { templateOf } from './template.ts'

test('a page is filled with text, in parts that are there as often as they have values', () => {
  const page = templateOf(
    '<h1 title="[[title]]">[[title]]</h1><x-part name="turns"><p>[[text]]<x-part name="end">[[title]]</x-part></p></x-part>',
  )
  const turns = [
    { text: 'a < b', end: false },
    { text: '[[title]]', end: true },
  ]
  expect(page({ title: '"T"', turns })).toBe(
    '<h1 title="&quot;T&quot;">&quot;T&quot;</h1><p>a &lt; b</p><p>[[title]]&quot;T&quot;</p>',
  )
  expect(() => page({ title: 'T' })).toThrow('turns')
})
