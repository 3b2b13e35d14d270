import { expect, test } from 'vitest'

import { whoSpeaks } from './said-by.ts'

test('two who speak are named, more of them or nameless ones are counted', () => {
  expect(whoSpeaks({ speakers: ['Ada Lovett', 'Ben Okafor'] })).toEqual([
    'Ada Lovett',
    'Ben Okafor',
  ])
  expect(whoSpeaks({ speakers: ['Ada Lovett', 'Speaker B'] })).toEqual(['2 speakers'])
  expect(whoSpeaks({ speakers: ['Speaker A'] })).toEqual(['1 speaker'])
  expect(whoSpeaks({ speakers: ['Ada', 'Ben', 'Ruth'] })).toEqual(['3 speakers'])
  expect(whoSpeaks({ speakers: [] })).toEqual(['No speakers'])
})
