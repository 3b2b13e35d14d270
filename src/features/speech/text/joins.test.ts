import { expect, test } from 'vitest'

import type { Word } from '../engines/engine.ts'
import { mendJoins } from './joins.ts'

/**
 * Pieces of a recording: `/` stands where it was cut in the middle of speech, `|` after a pause of
 * 0.7 s and `‖` after one of 1.5 s.
 */
function cut(script: string) {
  const words: Word[] = []
  const regions = [{ startMs: 0, endMs: 0 }]
  let at = 0
  let isPieceStart = true
  for (const token of script.split(' ')) {
    const pauseMs = { '/': 0, '|': 700, '‖': 1500 }[token]
    if (pauseMs === undefined) {
      const times = { startMs: at, endMs: at + 250, confidence: null }
      words.push({ text: token, ...times, ...(isPieceStart ? { isPieceStart } : {}) })
      at += 300
      regions.at(-1)!.endMs = at
      isPieceStart = false
      continue
    }
    isPieceStart = true
    if (pauseMs > 0) regions.push({ startMs: at + pauseMs, endMs: at + pauseMs })
    at += pauseMs
  }
  return { words, regions }
}
function mended(script: string): string {
  const { words, regions } = cut(script)
  const result = mendJoins(words, regions)
  expect(result.some((word) => 'isPieceStart' in word)).toBe(false)
  return result.map(({ text }) => text).join(' ')
}

test.each([
  // Cut within a sentence: its next piece begins with a capital all the same.
  [
    'This page lists all the / Utterances in your dataset.',
    'This page lists all the utterances in your dataset.',
  ],
  [
    'You can toggle various types, / Including insertion.',
    'You can toggle various types, including insertion.',
  ],
  // The stop was a guess, as the piece that follows tells.
  ['He was not. / an ill-disposed young man.', 'He was not an ill-disposed young man.'],
  ['And then he said ... / that it was late.', 'And then he said ... That it was late.'],
  // A pause between two sentences, of which the second was heard as if it went on.
  ['It was late. | and we went home.', 'It was late. And we went home.'],
  ['Is it? / yes it is.', 'Is it? Yes it is.'],
  // After a long pause a new sentence begins, whatever stands at the end of the one before.
  ['And then he said, ‖ We went home.', 'And then he said. We went home.'],
  ['I do not know ‖ We went home.', 'I do not know. We went home.'],
  ['He made a | Mistake there.', 'He made a mistake there.'],
])('%s', (script, right) => {
  expect(mended(script)).toBe(right)
})

test('no mark is doubled, and none stands alone', () => {
  expect(mended('Once the test is complete, / , indicated by the status.')).toBe(
    'Once the test is complete, indicated by the status.',
  )
  expect(mended('Once the test is complete / ,indicated by it.')).toBe(
    'Once the test is complete indicated by it.',
  )
  expect(mended('Once the test is complete / , indicated by it.')).toBe(
    'Once the test is complete, indicated by it.',
  )
})

test.each([
  ['so / I went', 'so I went'],
  ['so / I’m going', 'so I’m going'],
  ['it was / NATO who', 'it was NATO who'],
  ['it was / McDonald who', 'it was McDonald who'],
  ['it was / Sunday when', 'it was Sunday when'],
  ['I saw Chicago and you saw / Chicago too', 'I saw Chicago and you saw Chicago too'],
])('what is written with a capital anyway keeps it: %s', (script, right) => {
  expect(mended(script)).toBe(right)
})

test('a word is no name because it began another piece, or a sentence', () => {
  expect(mended('The dog. The cat saw / The dog and / The bird')).toBe(
    'The dog. The cat saw the dog and the bird',
  )
})

test('where every noun has a capital, only words that were seen without one lose theirs', () => {
  const script = 'Der Mann mit dem Hund und die Frau mit der Katze sahen / Häuser und / Die Kinder'
  expect(mended(script)).toBe(
    'Der Mann mit dem Hund und die Frau mit der Katze sahen Häuser und die Kinder',
  )
})

test('the text away from the joins is not changed', () => {
  const script = 'hello There,, she said. and left / the House'
  expect(mended(script)).toBe(script.replace('/ ', ''))
})
