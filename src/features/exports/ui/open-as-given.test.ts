import { expect, test } from 'vitest'

import type { Transcription } from '#features/transcriptions/contract.ts'
import { BAR } from '#shared/hidden-words.ts'
import { veilOf } from '#shared/veil.ts'

import { openForOthers } from './open-as-given.ts'

const turn = {
  id: 'a',
  position: 0,
  revision: 0,
  speaker: 0,
  start: 0,
  end: 3,
  text: 'Ask Margaret Hale.',
  isEdited: false,
  words: [],
}
const speakers = [
  { speaker: 0, label: 'Speaker A', name: 'Margaret Hale', talkTime: 3 },
  { speaker: 1, label: 'Speaker B', name: 'Ada', talkTime: 0 },
]
const transcription = {
  language: 'en',
  summaryLanguage: 'en',
  summary: 'They ask Margaret Hale.',
  keyPoints: ['One asks.'],
  topics: [],
  actionItems: [],
} as Partial<Transcription> as Transcription
const veil = veilOf([{ words: ['Margaret Hale'], mark: 'bar' }], 'en')
const open = { transcription, words: { speakers, turns: [turn] } }

test('what is given away has bars, and a hidden speaker has a letter again', () => {
  const { words, transcription: given } = openForOthers(open, veil)
  expect(words.turns[0]?.text).toBe(`Ask ${BAR}.`)
  expect(words.speakers.map(({ name }) => name)).toEqual([null, 'Ada'])
  // Bars come over it where it leaves the page.
  expect(given.summary).toBe(transcription.summary)
})

test('a summary in another language may have the name in another form, and is hidden as a whole', () => {
  const other = {
    ...transcription,
    summaryLanguage: 'es' as const,
    summary: 'Preguntan a Margarita.',
  }
  const { transcription: given } = openForOthers({ ...open, transcription: other }, veil)
  expect(given.summary).toBeNull()
  expect(given.keyPoints).toEqual([])
})
