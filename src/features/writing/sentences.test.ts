import { expect, test } from 'vitest'

import { languageOf } from './languages.ts'
import { readable } from './readable.ts'
import { findSentences } from './sentences.ts'

const english = languageOf('en')
const found = (text: string, language = english) =>
  findSentences([{ speaker: null, startMs: 0, endMs: text.length * 60, text }], language)
const texts = (text: string) => found(text).map((sentence) => sentence.text)
const read = (text: string, code = 'en') =>
  found(text, languageOf(code))
    .map((sentence) => readable(sentence, languageOf(code)))
    .join(' | ')

test('a stop after a title or an abbreviation ends no sentence', () => {
  expect(texts('Dr. Smith showed the results. They were good.')).toEqual([
    'Dr. Smith showed the results.',
    'They were good.',
  ])
})

test('the mark that stands for another language is no sentence, and so no source of anything', () => {
  expect(texts('[another language]')).toEqual([])
  expect(texts('They spoke [another language] there.')).toHaveLength(1)
})

test('a stop after an article is a pause for breath', () => {
  expect(texts('We drove to the. Harbour in the evening. Then we went home.')).toEqual([
    'We drove to the. Harbour in the evening.',
    'Then we went home.',
  ])
  expect(read('We drove to the. Harbour in the evening.')).toBe(
    'We drove to the harbour in the evening.',
  )
})

test('speech without stops is cut where clauses begin', () => {
  expect(
    texts(
      'the slugs ate nearly all the young plants in may and i had to sow them again in june and then it was too dry for the beans so next year i want to raise the bean plants in pots',
    ),
  ).toEqual([
    'the slugs ate nearly all the young plants in may',
    'and i had to sow them again in june',
    'and then it was too dry for the beans',
    'so next year i want to raise the bean plants in pots',
  ])
})

test('a run-on is cut at its pauses', () => {
  const said =
    'blue paint green paint red paint white paint grey paint pink paint gold paint old paint new paint dry paint wet paint thick paint thin paint cheap paint good paint bad paint'.split(
      ' ',
    )
  const words = said.map((text, index) => ({
    text,
    startMs: index * 300 + (index >= 16 ? 900 : 0),
    endMs: index * 300 + 290 + (index >= 16 ? 900 : 0),
    confidence: null,
  }))
  const turn = { speaker: null, startMs: 0, endMs: 12_000, text: said.join(' '), words }
  expect(findSentences([turn], english).map(({ tokens }) => tokens.length)).toEqual([16, 16])
})

test('fillers go and words that carry meaning stay', () => {
  expect(read('So, um, you know, the launch is uh late')).toBe('The launch is late.')
  expect(read('No, please keep the old floor for now.')).toBe('Please keep the old floor for now.')
  expect(read('No backup of the server exists anywhere.')).toBe(
    'No backup of the server exists anywhere.',
  )
  expect(read('So far we have three offers.')).toBe('So far we have three offers.')
  expect(read('Dann kann ich zumachen und nach Hause gehen.', 'de')).toBe(
    'Dann kann ich zumachen und nach Hause gehen.',
  )
  expect(read('嗯，我觉得网络安全是一个问题。', 'zh')).toBe('我觉得网络安全是一个问题。')
})

test('a sound goes with the commas that it alone had', () => {
  expect(read('He got, uh, eleven pounds for the boat.')).toBe('He got eleven pounds for the boat.')
  expect(read('Print the signs and, um, uh, hang them up.')).toBe(
    'Print the signs and hang them up.',
  )
  expect(read('There was a net, um, very fine threads of silk.')).toBe(
    'There was a net, very fine threads of silk.',
  )
  expect(read('Wir fahren in, äh, die Stadt.', 'de')).toBe('Wir fahren in die Stadt.')
  expect(read('これは、えーと、新しい図書館です。', 'ja')).toBe('これは、新しい図書館です。')
})

test('words that are said twice in a row stand once', () => {
  expect(read('It begins with, um, with the letter E.')).toBe('It begins with the letter E.')
  expect(read('So we had a, we had a long hunt for the key.')).toBe(
    'We had a long hunt for the key.',
  )
  expect(read('Wir haben den, wir haben den Schlüssel gesucht.', 'de')).toBe(
    'Wir haben den Schlüssel gesucht.',
  )
  expect(read('The bell rings again and again.')).toBe('The bell rings again and again.')
})

test('names and weekdays get their capitals where the recogniser wrote none', () => {
  expect(read("i'm meeting sheila in texas on friday")).toBe(
    "I'm meeting Sheila in Texas on Friday.",
  )
})

test('an hour of speech without a single stop is cut all through', () => {
  const long = 'and then we talked about the budget of the new school '.repeat(800)
  const pieces = found(long)
  expect(pieces.length).toBeGreaterThan(400)
  expect(Math.max(...pieces.map(({ tokens }) => tokens.length))).toBeLessThan(46)
})
