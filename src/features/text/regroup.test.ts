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

test('a text that is written keeps all its words and marks, wherever the voices change', () => {
  const said = (text: string, from: number) => {
    const own = text.split(' ').map((word, index) => ({
      text: word,
      startMs: from + index * 400,
      endMs: from + index * 400 + 300,
      confidence: 0.9,
    }))
    const times = { startMs: from, endMs: own.at(-1)!.endMs }
    return {
      ...turn,
      id: `turn at ${from}`,
      ...times,
      text,
      words: own,
      originalFrom: null,
      originalTo: null,
    }
  }
  const turns = [
    said('I think that is right, so then 20th of May', 0),
    said('[another language]', 6_000),
    said('[another language]', 8_000),
    said('and that is all', 10_000),
  ]
  const told = regroup({
    turns,
    originals: null,
    speakers: [
      { speaker: 0, startMs: 0, endMs: 1_950 },
      { speaker: 1, startMs: 1_950, endMs: 6_350 },
      { speaker: 0, startMs: 6_350, endMs: 12_000 },
    ],
    regions: [
      { startMs: 0, endMs: 1_900 },
      { startMs: 1_960, endMs: 12_000 },
    ],
  })
  expect(told.map(({ text }) => text)).toEqual([
    'I think that is right,',
    'so then 20th of May',
    '[another language]',
    '[another language]',
    'and that is all',
  ])
  expect(told.slice(2).map(({ id }) => id)).toEqual(turns.slice(1).map(({ id }) => id))
})
