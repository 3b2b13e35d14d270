import { expect, test } from 'vitest'

import { regroup } from './regroup.ts'

const words = ['one', 'two', 'three', 'four'].map((text, index) => ({
  text,
  startMs: 1_000 + index * 400,
  endMs: 1_300 + index * 400,
  confidence: 0.4,
}))
const turn = {
  id: '00000000-0000-4000-8000-000000000001',
  transcriptionId: '00000000-0000-4000-8000-000000000000',
  position: 0,
  speaker: 0,
  startMs: 1_000,
  endMs: 2_500,
  text: 'two three',
  words: words.slice(1, 3),
  revision: 1,
  isEdited: true,
  originalFrom: 0,
  originalTo: 4,
}

test('a turn that stays keeps its times, also where its first and last words were taken out', () => {
  const [whole, ...others] = regroup({
    turns: [turn],
    originals: words,
    speakers: [{ speaker: 0, startMs: 1_000, endMs: 2_500 }],
    regions: [{ startMs: 1_000, endMs: 2_500 }],
  })
  expect(whole).toMatchObject({ id: turn.id, text: 'two three', startMs: 1_000, endMs: 2_500 })
  expect(others).toEqual([])
})

test('voices are numbered by first speech again, whatever numbers the diarization gives', () => {
  const told = regroup({
    turns: [turn],
    originals: words,
    speakers: [
      { speaker: 7, startMs: 0, endMs: 900 },
      { speaker: 3, startMs: 1_000, endMs: 2_500 },
    ],
    regions: [{ startMs: 1_000, endMs: 2_500 }],
  })
  expect(told.map(({ speaker }) => speaker)).toEqual([0])
})
