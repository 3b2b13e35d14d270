import { expect, test } from 'vitest'

import {
  noOptions,
  optionsInWords,
  ownName,
  speakersOf,
  speakersText,
  stillHeard,
} from './options.ts'

test('options that are set are named in one line, and where none is the line is empty', () => {
  expect(optionsInWords(noOptions)).toBe('')
  const meeting = { ...noOptions, language: 'de', speakers: 'max:4', terms: ['a', 'b'] }
  expect(optionsInWords(meeting)).toBe('German, at most 4 speakers, 2 terms')
  expect(optionsInWords({ ...noOptions, speakers: '1', terms: ['a'] })).toBe('1 speaker, 1 term')
  expect(optionsInWords({ ...noOptions, channels: 'people' })).toBe('each channel is a person')
  const film = { ...noOptions, channels: 'people' } as const
  expect(optionsInWords(film, { areTracks: true })).toBe('each track is a person')
})

test('a language of the last recording that is not understood any more is not asked for again', () => {
  expect(stillHeard('de', ['en'])).toBe('auto')
  expect(stillHeard('en', ['en'])).toBe('en')
  // Not known yet, or any.
  expect([stillHeard('de', undefined), stillHeard('de', null)]).toEqual(['de', 'de'])
})

test('languages are called what their speakers call them', () => {
  expect(['de', 'en', 'fr'].map(ownName)).toEqual(['Deutsch', 'English', 'Français'])
})

test('a number of speakers is the same in the form and on its way', () => {
  for (const text of ['auto', '2', 'max:4']) expect(speakersText(speakersOf(text))).toBe(text)
})
