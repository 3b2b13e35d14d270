import { expect, test } from 'vitest'

import { noOptions, optionsInWords, ownName, speakersOf, speakersText } from './options.ts'

test('options that are set are named in one line, and where none is the line is empty', () => {
  expect(optionsInWords(noOptions)).toBe('')
  expect(optionsInWords({ language: 'de', speakers: 'max:4', terms: ['a', 'b'] })).toBe(
    'German, at most 4 speakers, 2 terms',
  )
  expect(optionsInWords({ language: 'auto', speakers: '1', terms: ['a'] })).toBe(
    '1 speaker, 1 term',
  )
})

test('languages are called what their speakers call them', () => {
  expect(['de', 'en', 'fr'].map(ownName)).toEqual(['Deutsch', 'English', 'Français'])
})

test('a number of speakers is the same in the form and on its way', () => {
  for (const text of ['auto', '2', 'max:4']) expect(speakersText(speakersOf(text))).toBe(text)
})
