import { expect, test } from 'vitest'

import { type PlacedWord, packWords } from '#features/text/packed-words.ts'
import { asWebVtt, captionsOf } from './captions.ts'

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

function captions(...turns: ReturnType<typeof said>[]) {
  const steps = captionsOf(turns, { language: 'en', endMs: 60_000 })
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

test('captions are the text of the talk, in two lines of 42 letters at most', () => {
  const cues = captions(long)
  expect(cues.map(({ lines }) => lines.join(' ')).join(' ')).toBe(long.text)
  for (const { lines } of cues) {
    expect(lines.length).toBeLessThanOrEqual(2)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(42)
  }
})

test('where two people speak at once one caption stands after the other, as in an export', () => {
  const cues = captions(long, said('No. Nobody has.', { from: 2, speaker: 1 }))
  expect(new Set(cues.map(({ speaker }) => speaker))).toEqual(new Set([0, 1]))
  for (const [index, { endMs }] of cues.entries())
    expect(endMs).toBeLessThanOrEqual(cues[index + 1]?.startMs ?? Infinity)
})

test('a line is written as text, and says when it is read from the right', () => {
  expect(asWebVtt({ lines: ['Q&A <b>', 'at noon'] }, 'en')).toBe('Q&amp;A &lt;b>\nat noon')
  expect(asWebVtt({ lines: ['IBM אמרה'] }, 'he')).toBe('\u200FIBM אמרה')
})
