import { expect, test } from 'vitest'

import { howFar } from './how-far.ts'

test.each([
  ['generated generating generating', '2 being written.'],
  ['generated generated', 'All documents are ready.'],
  ['error', 'The document could not be written.'],
  ['error error', '2 could not be written.'],
  ['generated error', '1 is ready, 1 could not be written.'],
  ['generated error generated', '2 are ready, 1 could not be written.'],
] as const)('of documents that are %s is said: %s', (statuses, sentence) => {
  const documents = statuses.split(' ') as ('generated' | 'generating' | 'error')[]
  expect(howFar(documents.map((status) => ({ status })))).toBe(sentence)
})
