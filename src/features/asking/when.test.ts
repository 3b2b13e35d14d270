import { expect, test } from 'vitest'

import { stretchIn } from './when.ts'

const MINUTE = 60_000

test.each([
  ['en', 'What was decided at the end?', 51, 60],
  ['en', 'What did they say in the first ten minutes?', 0, 10],
  ['en', 'What happens in the last 5 minutes?', 55, 60],
  ['en', 'What is said at 12:30?', 10.5, 14.5],
  ['en', 'Who speaks after half an hour?', 28, 32],
  ['de', 'Was wurde am Anfang gesagt?', 0, 9],
  ['de', 'Worum ging es in den letzten zehn Minuten?', 50, 60],
  ['fr', 'Que dit-on à la fin ?', 51, 60],
  ['es', '¿Qué se dijo al principio?', 0, 9],
])('%s: “%s” names a part of the hour', (language, question, from, to) => {
  expect(stretchIn(question, language, 60 * MINUTE)).toEqual({
    fromMs: from * MINUTE,
    toMs: to * MINUTE,
  })
})

test.each(['What does the ferry cost?', 'Who sends the report at 9:45:00?', 'Was it endless?'])(
  '“%s” names none',
  (question) => {
    expect(stretchIn(question, 'en', 60 * MINUTE)).toBeNull()
  },
)
