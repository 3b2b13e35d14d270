import fc from 'fast-check'
import { expect, test } from 'vitest'

import { type Word, joinWords } from '#features/speech/contract.ts'
import { hitsOf } from '#shared/hits.ts'

import { replacer } from './replacing.ts'

/** Each word takes 300 ms, with 100 ms of silence after it. */
const said = (text: string) => {
  const tokens = text.split(' ').filter((token) => token !== '')
  const words = tokens.map((word, index): Word => ({
    text: word,
    startMs: index * 400,
    endMs: index * 400 + 300,
    confidence: 0.4,
  }))
  return { text, words, startMs: 0, endMs: words.at(-1)?.endMs ?? 300 }
}
const plain = { matchCase: false, wholeWord: true }
const replaced = (text: string, find: string, replaceWith: string, how = plain) =>
  replacer({ find, replaceWith, ...how })(said(text))
const timesOf = (words: readonly Word[]) => words.map(({ startMs, endMs }) => [startMs, endMs])

test('one word for two takes the time of both, and is sure', () => {
  const { words, text } = replaced(
    'about ten thousand reels, ten thousand',
    'ten thousand',
    '10,000',
  )
  expect(text).toBe('about 10,000 reels, 10,000')
  expect(words).toMatchObject([
    { text: 'about', startMs: 0, confidence: 0.4 },
    { text: '10,000', startMs: 400, endMs: 1100, confidence: 1 },
    { text: 'reels,', startMs: 1200, confidence: 0.4 },
    { text: '10,000', startMs: 1600, endMs: 2300, confidence: 1 },
  ])
})

test('two words for one share its time, and two for two keep each its own', () => {
  const shared = replaced('the railyard burned', 'railyard', 'rail yard').words
  expect(timesOf(shared)).toEqual([
    [0, 300],
    [400, 550],
    [550, 700],
    [800, 1100],
  ])
  const { text, words } = replaced('welcome to field notes.', 'field notes', 'Field Notes')
  expect(text).toBe('welcome to Field Notes.')
  expect(timesOf(words)).toEqual(timesOf(said('a b c d').words))
})

test.for([
  ['So um, we start', 'So, we start'],
  ['So, um, we start', 'So, we start'],
  ['Um, we start', 'we start'],
  ['We start, um.', 'We start.'],
  ['We (um) start', 'We start'],
  ['He said “um yes”', 'He said “yes”'],
  ['um', ''],
] as const)('"%s" without its "um" is "%s"', ([before, after]) => {
  const { text, words } = replaced(before, 'um', '')
  expect(text).toBe(after)
  const starts = new Map(said(before).words.map((word) => [word.text.replace(/\W/g, ''), word]))
  for (const word of words)
    expect(word).toMatchObject({ startMs: starts.get(word.text.replace(/\W/g, ''))?.startMs })
})

test.for([
  ['tape', 'Tape tapes tape-reel TAPE', ['Tape', 'tape', 'TAPE']],
  ['resume', 'résumé resume', ['resume']],
  ['cafe', 'cafe\u0301 cafe', ['cafe']],
  ['10', '10 10,000 3.10 10%, 10.', ['10', '10', '10']],
  ['c++', 'C++ is not c', ['C++']],
  ['field notes', 'Field  Notes fieldnotes', ['Field  Notes']],
  ['東京', '東京は 大東京', ['東京', '東京']],
  ['Ada', 'Adaの Ada’s Adam', ['Ada', 'Ada']],
  ['$.*', 'a $.* b', ['$.*']],
  [' ', 'a b', []],
  ["don't", "I don’t, DON'T", ['don’t', "DON'T"]],
  ['co-op', 'the co\u2011op', ['co\u2011op']],
  ['strasse', 'Straße STRASSE', ['STRASSE']],
  ['fi', 'ﬁ fi', ['ﬁ', 'fi']],
  ['f', 'ﬁ f', ['f']],
  ['가', '간다 가 가방', ['가']],
  ['か', 'が か', ['か']],
  // In writings without spaces a dictionary says what is a word.
  ['มา', 'เขามาก แต่ม้ามา', ['มา']],
  ['アプリ', 'アプリケーションとアプリ', ['アプリ']],
] as const)('as a whole word "%s" is found in "%s"', ([find, text, hits]) => {
  expect(hitsOf({ find, ...plain })(text).map((hit) => text.slice(...hit))).toEqual(hits)
})

test('small letters keep the capitals of a hit, unless somebody wrote capitals', () => {
  const write = (find: string, replaceWith: string, how = plain) =>
    replaced('Bender bender BENDER', find, replaceWith, how).text
  expect(write('bender', 'binder')).toBe('Binder binder BINDER')
  expect(write('bender', 'OK')).toBe('OK OK OK')
  expect(write('Bender', 'binder')).toBe('binder binder binder')
  expect(write('bender', 'binder', { ...plain, matchCase: true })).toBe('Bender binder BENDER')
})

test('only the places that are named are replaced, and what reads so already is not counted', () => {
  const make = replacer({ find: 'tape', replaceWith: 'tape', ...plain, matchCase: true })
  expect(make(said('tape tape'))).toMatchObject({ found: 2, replaced: 0 })
  const other = replacer({ find: 'tape', replaceWith: 'reel', ...plain })
  expect(other(said('tape tape'), { at: [5, 7] })).toMatchObject({ found: 1, text: 'tape reel' })
})

test('other words stay, and the text is made of its words, whatever is replaced', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aab,.é ') })
  fc.assert(
    fc.property(
      fc.array(letters, { maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'aab,é '), minLength: 1, maxLength: 4 }),
      fc.string({ unit: fc.constantFrom(...'abc '), maxLength: 5 }),
      fc.boolean(),
      (tokens, find, replaceWith, wholeWord) => {
        const text = tokens.join(' ').replace(/\s+/g, ' ').trim()
        const before = said(text)
        const wanted = { find, replaceWith: replaceWith.trim(), matchCase: true, wholeWord }
        const after = replacer(wanted)(before)
        let at = -1
        for (const { startMs, endMs } of after.words) {
          expect(startMs).toBeGreaterThanOrEqual(at)
          expect(endMs).toBeGreaterThanOrEqual(startMs)
          at = startMs
        }
        expect(at).toBeLessThanOrEqual(before.endMs)
        const hits = hitsOf(wanted)(text)
        const places = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => [
          index,
          index + word.length,
        ])
        before.words.forEach((word, index) => {
          const [from = 0, to = 0] = places[index] ?? []
          // A word that is taken out may leave its comma to the word before it.
          const isHit = hits.some(([a, b]) => a < to && b > from)
          const stays = after.words.find(({ startMs }) => startMs === word.startMs)
          if (!isHit) expect(stays).toMatchObject({ endMs: word.endMs, confidence: 0.4 })
          if (!isHit && wanted.replaceWith !== '') expect(stays).toEqual(word)
        })
        if (wanted.replaceWith === '') return
        expect(joinWords(after.words.map((word) => word.text))).toBe(after.text)
        let expected = ''
        let read = 0
        for (const [a, b] of hits) {
          expected += text.slice(read, a) + wanted.replaceWith
          read = b
        }
        expect(after.text).toBe((expected + text.slice(read)).replace(/\s+/g, ' ').trim())
      },
    ),
  )
})
