import { expect, test } from 'vitest'

import { noOptions, optionsInWords, ownName, speakersOf, speakersText } from './options.ts'

test('options that are set are named in one line, and where none is the line is empty', () => {
  expect(optionsInWords(noOptions)).toBe('')
  const meeting = { ...noOptions, language: 'de', speakers: 'max:4', terms: ['a', 'b'] }
  expect(optionsInWords(meeting)).toBe('German, at most 4 speakers, 2 terms')
  expect(optionsInWords({ ...noOptions, speakers: '1', terms: ['a'] })).toBe('1 speaker, 1 term')
  expect(optionsInWords({ ...noOptions, channels: 'people' })).toBe('each channel is a person')
})

test('languages are called what their speakers call them', () => {
  expect(['de', 'en', 'fr'].map(ownName)).toEqual(['Deutsch', 'English', 'Français'])
})

test('a number of speakers is the same in the form and on its way', () => {
  for (const text of ['auto', '2', 'max:4']) expect(speakersText(speakersOf(text))).toBe(text)
})
