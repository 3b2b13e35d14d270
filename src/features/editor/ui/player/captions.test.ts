import { expect, test } from 'vitest'

import { type PlacedWord, packWords } from '../../packed-words.ts'
import { captionAt, captionsOf } from './captions.ts'

/** A turn whose words take 300 ms each and follow each other at once. */
function said(text: string, { from = 0, speaker = 0 } = {}) {
  const startMs = from * 1000
  const words = [...text.matchAll(/[\w’]+/g)].map(({ index, 0: word }, place): PlacedWord => ({
    from: index,
    to: index + word.length,
    startMs: startMs + 300 * place,
    endMs: startMs + 300 * (place + 1),
    confidence: null,
  }))
  const end = (words.at(-1)?.endMs ?? startMs) / 1000
  return { speaker, start: from, end, text, words: packWords(words, startMs) }
}

const long = said(
  'You listen, and you write down what you hear, because the next person will not have your four ' +
    'years. A tape nobody has written down is a tape nobody has.',
)

test('captions are the text of the turn, in two lines of 37 letters at most', () => {
  const cues = captionsOf([long], 'en')
  expect(cues.map(({ lines }) => lines.join(' ')).join(' ')).toBe(long.text)
  for (const { lines } of cues) {
    expect(lines.length).toBeLessThanOrEqual(2)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(37)
  }
  expect(captionAt([long], 7.5, 'en')).toEqual([
    'A tape nobody has written',
    'down is a tape nobody has.',
  ])
})

test('a pause shows nothing, and the next turn its own words', () => {
  const turns = [said('The first one.'), said('And the second.', { from: 9, speaker: 1 })]
  expect(captionAt(turns, 0, 'en')).toEqual(['The first one.'])
  expect(captionAt(turns, 5, 'en')).toEqual([])
  expect(captionAt(turns, 9, 'en')).toEqual(['And the second.'])
})

test('a corrected turn has its corrected caption', () => {
  const [wrong, right] = [said('A tape of Marget.'), said('A tape of Margaret.')]
  expect([captionAt([wrong], 0.5, 'en'), captionAt([right], 0.5, 'en')]).toEqual([
    ['A tape of Marget.'],
    ['A tape of Margaret.'],
  ])
})
