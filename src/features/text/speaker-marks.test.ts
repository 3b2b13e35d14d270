import { expect, test } from 'vitest'

import type { NamedSpeaker } from '#features/row/kept.ts'

import { markSpeakers, readSpeakers } from './speaker-marks.ts'

const rowOf = (...names: (string | null)[]) => ({
  speakers: names.map((name, speaker): NamedSpeaker => ({ speaker, name })),
  speakerCount: names.length,
})

test('a speaker who is named later has that name in what was written before', () => {
  const before = { speakers: null, speakerCount: 28 }
  const text =
    'Speaker A asks Speaker AB. “Speaker A’s list”, says Speaker B; speaker b is no name.'
  const kept = markSpeakers(text, before)
  expect(readSpeakers(kept, before)).toBe(text)
  const named = rowOf('Ada $& Lovett', 'Ben')
  expect(readSpeakers(kept, named)).toBe(
    'Ada $& Lovett asks Speaker AB. “Ada $& Lovett’s list”, says Ben; speaker b is no name.',
  )
})

test('one who had a name has the next one, also where the next word stands against it', () => {
  const before = rowOf('田中', 'Anna', 'Speaker (2)')
  const text = '田中さんは Annaが話す. Anna und Annas Hund. Speaker (2) too.'
  const kept = markSpeakers(text, before)
  expect(readSpeakers(kept, before)).toBe(text)
  expect(readSpeakers(kept, rowOf('佐藤', 'Eva', null))).toBe(
    '佐藤さんは Evaが話す. Eva und Annas Hund. Speaker C too.',
  )
})

test('somebody else with the same first name is not renamed', () => {
  const kept = markSpeakers('Anna has read Anna Karenina.', rowOf('Anna'))
  expect(readSpeakers(kept, rowOf('Eva'))).toBe('Eva has read Anna Karenina.')
})

test('a speaker who is gone is called as the text called them, and no text can make a mark', () => {
  const kept = markSpeakers('Speaker B \uE0000|nobody\uE001 agrees.', rowOf(null, null))
  expect(readSpeakers(kept, rowOf('Ada'))).toBe('Speaker B 0|nobody agrees.')
})
