import { expect, test } from 'vitest'

import { packWords } from '#features/text/packed-words.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'

import { openAsCut } from './open-as-cut.ts'

/** A word every second. */
function turn(id: string, start: number, text: string) {
  let at = 0
  const words = text.split(' ').map((word, place) => {
    const from = text.indexOf(word, at)
    at = from + word.length
    const startMs = 1000 * (start + place)
    return { from, to: at, startMs, endMs: startMs + 800, confidence: null }
  })
  return {
    id,
    position: start,
    revision: 0,
    speaker: 0,
    start,
    end: start + words.length,
    text,
    isEdited: false,
    words: packWords(words, 1000 * start),
  }
}

const transcription = { keyPointTimes: [1, 4], actionItems: [] } as Partial<Transcription>
const open = {
  transcription: transcription as Transcription,
  words: { speakers: [], turns: [turn('a', 0, 'One two three.'), turn('b', 3, 'Four, five.')] },
}

test('what is given away is without what is cut, in the times of what is left', () => {
  const cuts = {
    cuts: [{ start: 0.9, end: 3.9 }],
    remaining: 2,
    canUndo: true,
    act: null,
    files: 0,
  }
  const { words, transcription } = openAsCut(open, cuts)
  expect(words.turns).toMatchObject([
    { id: 'a', start: 0, text: 'One.' },
    { id: 'b', start: 1, end: 2, text: 'five.' },
  ])
  expect(transcription.keyPointTimes).toEqual([null, 1])
  expect(openAsCut(open, { ...cuts, cuts: [] })).toBe(open)
})
