import { expect, test } from 'vitest'

import * as speech from '#features/speech/speech.ts'

import * as engines from './engines.ts'

const told = (name: string, more: Partial<engines.EngineNames> = {}) =>
  engines.describe({ speech: name, writing: 'extractive', ...more })

test('users are told of the embedded engine what it can do', async () => {
  const { name, capabilities } = await speech.chooseEngine({ transcriber: 'pocketsphinx' })
  const { speech: said, writing } = told(name, { capabilities })
  expect(said.languages).toEqual(['en'])
  expect(said.note).toContain('English only')
  expect(said.estimatesTimes).toBeUndefined()
  expect(writing.note).toContain('No language model')
})

test('users are told the languages of a model, and that a server elsewhere gets their recordings', () => {
  const capabilities = {
    hasWordTimes: true,
    hasConfidence: true,
    hasPunctuation: true,
    longestChunkMs: 28_000,
  }
  const sherpa = (languages: string[]) =>
    told('sherpa', { speechModel: 'Parakeet', capabilities: { ...capabilities, languages } }).speech
  expect(sherpa(['en'])).toEqual({
    name: 'sherpa',
    model: 'Parakeet',
    languages: ['en'],
    takesTerms: false,
    note: 'Recognized on this server by Parakeet, which understands English only.',
  })
  const known = {
    speechModel: 'Parakeet',
    wordsPerError: 16,
    capabilities: { ...capabilities, languages: ['en'] },
  }
  expect(told('sherpa', known).speech.note).toMatch(
    /one word in 16 of clear English to be wrong\.$/,
  )
  expect(sherpa(['en', 'de', 'fr']).note).toContain('in English, German, and French')
  expect(sherpa('en de fr es it nl pl'.split(' ')).note).toContain('in 7 languages')
  const server = told('openai', {
    speechModel: 'gpt-4o-transcribe',
    capabilities: { ...capabilities, hasWordTimes: false, languages: null },
  }).speech
  expect(server).toMatchObject({ languages: null, estimatesTimes: true })
  expect(server.note).toContain('sent to another server')
})

test('a better model that is on its way is told', () => {
  const fetching = { model: 'Parakeet', percent: 62 }
  expect(told('pocketsphinx', { fetching }).speech).toMatchObject({ fetching })
})

test('nothing is claimed about engines in other processes', () => {
  expect(engines.describe({ speech: 'workers', writing: 'workers' })).toEqual({
    speech: { name: 'workers', languages: null, note: null },
    writing: { name: 'workers', note: null },
  })
  expect(told('none').speech).toMatchObject({ languages: [], note: expect.stringContaining('No') })
})
