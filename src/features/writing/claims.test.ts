import { expect, test } from 'vitest'

import { claimsOf } from './claims.ts'
import { proverOf } from './proof.ts'

/** What is held against a turn at this time of a recording. */
function claimsAt(startMs: number, text: string, language = 'en') {
  const turns = [{ speaker: 'Ada', startMs, endMs: startMs + 5_000, text }]
  return claimsOf({ turns, spoken: language, written: language }, proverOf(turns))
}

test.each([
  ['The ferry leaves at 12:47.', false],
  ['There were 47 boats in the harbour.', true],
  ['There were 12 boats in the harbour.', true],
])('a time of the recording is no number that was said: %s', (sentence, isInvented) => {
  // The turn begins at 12:47.
  const claims = claimsAt(767_000, 'There were 3 boats in the harbour, and the ferry.')
  expect(claims.hold(sentence)).toBe(!isInvented)
})

test.each([
  ['We meet at 10:45.', true],
  ['We meet at 10.45.', true],
  ['We meet at 10 45.', true],
  ['They ordered 45 boats.', false],
  ['We close at 19:00.', true],
  ['We close at 19 for the night.', true],
])('of a clock time that was said, its parts prove nothing: %s', (sentence, holds) => {
  const claims = claimsAt(0, 'We meet at 10:45 in the harbour office, and close at 19:00.')
  expect(claims.hold(sentence)).toBe(holds)
})

test.each([
  ['fr', 'Nous fermons à 14:30.', 'Le bureau ferme à 14 h 30.', true],
  ['fr', 'Nous fermons à 14:30.', 'Le bureau a 30 chaises.', false],
  ['de', 'Wir schließen um 14:30 Uhr.', 'Geschlossen wird um 14 Uhr 30.', true],
  ['ja', '事務所は14:30に閉まります。', '事務所は14時30分に閉まる。', true],
])('%s: a clock time may be written in other ways', (language, said, sentence, holds) => {
  expect(claimsAt(0, said, language).hold(sentence)).toBe(holds)
})
