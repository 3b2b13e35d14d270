import { expect, test } from 'vitest'

import * as speech from '#features/speech/speech.ts'

import * as engines from './engines.ts'

test('what users are told about the embedded engine is what it can', async () => {
  const { name, capabilities } = await speech.chooseEngine({ transcriber: 'pocketsphinx' })
  const told = engines.describe({ speech: name, writing: 'extractive' })
  expect(told.speech.languages).toEqual(capabilities.languages)
  expect(told.speech.note).toContain('English only')
  expect(told.writing.note).toContain('No language model')
})

test('of engines in other processes nothing is claimed', () => {
  expect(engines.describe({ speech: 'workers', writing: 'workers' })).toEqual({
    speech: { name: 'workers', languages: null, note: null },
    writing: { name: 'workers', note: null },
  })
})
