import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Word } from '#features/speech/contract.ts'
import { tidyText, wordsIn } from '#shared/written.ts'
import { times } from '#test/long.ts'

import { placesIn } from './places.ts'
import { align } from './align.ts'

/** Each word takes 300 ms, with 100 ms of silence after it. */
const said = (text: string): Word[] =>
  text.split(' ').map((word, index) => ({
    text: word,
    startMs: index * 400,
    endMs: index * 400 + 300,
    confidence: 0.4,
  }))
const span = { startMs: 0, endMs: 10_000 }
const timesOf = (words: readonly Word[]) => words.map(({ startMs, endMs }) => [startMs, endMs])

test('words that stay keep their times to the millisecond', () => {
  const before = said('we met on tuesday at noon')
  const after = align(before, 'We met on Tuesday, at noon.', span)
  expect(after.map(({ text }) => text)).toEqual(['We', 'met', 'on', 'Tuesday,', 'at', 'noon.'])
  expect(timesOf(after)).toEqual(timesOf(before))
  expect(after.every(({ confidence }) => confidence === 0.4)).toBe(true)
})

test('a corrected word takes the time of the word it stands for, and is sure', () => {
  const after = align(said('the prize was raised'), 'the price was raised', span)
  expect(after[1]).toEqual({ text: 'price', startMs: 400, endMs: 700, confidence: 1 })
  expect(after[2]?.startMs).toBe(800)
})

test('added words share the gap they are put into', () => {
  const after = align(said('we agreed'), 'we all finally agreed', span)
  expect(after[0]).toMatchObject({ text: 'we', startMs: 0, endMs: 300 })
  expect(after[3]).toMatchObject({ text: 'agreed', startMs: 400, endMs: 700 })
  expect(timesOf(after.slice(1, 3))).toEqual([
    [300, 333],
    [333, 400],
  ])
})

test('three words for one share its time', () => {
  const after = align(said('we gonna leave'), 'we are going to leave', span)
  expect(after[4]).toMatchObject({ text: 'leave', startMs: 800 })
  expect(after[1]?.startMs).toBeGreaterThanOrEqual(300)
  expect(after[3]?.endMs).toBeLessThanOrEqual(800)
})

test('a word that is taken out leaves the others where they were', () => {
  const before = said('so um we start')
  const after = align(before, 'so we start', span)
  expect(timesOf(after)).toEqual(timesOf([before[0]!, before[2]!, before[3]!]))
})

test('text for a turn without words takes the time there is', () => {
  expect(timesOf(align([], 'hello there', { startMs: 1000, endMs: 2000 }))).toEqual([
    [1000, 1500],
    [1500, 2000],
  ])
  expect(align(said('gone now'), '', span)).toEqual([])
})

test('writings without spaces are cut into words', () => {
  expect(wordsIn('今日は、東京。').join('')).toBe('今日は、東京。')
  expect(wordsIn('今日は、東京。').length).toBeGreaterThan(1)
  expect(wordsIn('“你好” she said')).toContain('she')
})

test('no word is lost, out of order, or ends before it begins, whatever is written', () => {
  const word = fc.stringMatching(/^[a-e]{1,3}$/)
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(word, { maxLength: 30 }), (a, b) => {
      const before = a.length === 0 ? [] : said(a.join(' '))
      const after = align(before, b.join(' '), span)
      expect(after.map(({ text }) => text)).toEqual(b)
      let reached = 0
      for (const { startMs, endMs } of after) {
        expect(startMs).toBeGreaterThanOrEqual(reached)
        expect(endMs).toBeGreaterThanOrEqual(startMs)
        reached = endMs
      }
    }),
  )
})

test('words that resemble nothing take the whole stretch of those they were written for', () => {
  const after = align(said('be the first to say one thing and it is so'), 'We met tonight.', span)
  expect(after[0]!.startMs).toBe(0)
  expect(after.at(-1)!.endMs).toBe(4_300)
  const lengths = after.map(({ startMs, endMs }) => endMs - startMs)
  expect(lengths.map((ms) => Math.round((ms / 4_300) * 16))).toEqual([3, 4, 9])
  const inside = align(said('we met the old man today'), 'we met nobody today', span)
  expect(timesOf(inside)).toEqual([
    [0, 300],
    [400, 700],
    [800, 1_900],
    [2_000, 2_300],
  ])
})

test('the engine’s words that are written again have their times and doubt again', () => {
  const heard = said('no we met the man and the dog')
  const wanted = [heard[0], heard[5], heard[6], heard[7]]
  const typed = align(heard, 'nobody came at all', span, heard)
  expect(align(typed, 'No, and the dog', span, heard)).toEqual(
    wanted.map((word, index) => (index === 0 ? { ...word, text: 'No,' } : word)),
  )
  // A word that somebody found right stays sure while it is there, and is in doubt again after it was gone.
  const accepted = heard.map((word) => ({ ...word, confidence: 1 }))
  const shorter = align(accepted, 'no we met the dog', span, heard)
  expect(shorter.map(({ confidence }) => confidence)).toEqual([1, 1, 1, 1, 1])
  expect(align(shorter, 'no we met the man and the dog', span, heard)[4]).toEqual(heard[4])
})

test('words are in order and within their span, whatever was heard and typed', () => {
  const word = fc.constantFrom('a', 'the', 'that', 'then', 'seven', 'even')
  const texts = fc.array(word, { maxLength: 12 })
  fc.assert(
    fc.property(texts, fc.array(texts, { minLength: 1, maxLength: 4 }), (first, others) => {
      const heard = first.length === 0 ? [] : said(first.join(' '))
      const within = { startMs: 0, endMs: 4_900 }
      let now = heard
      for (const text of others) {
        now = align(now, text.join(' '), within, heard)
        expect(now.map((each) => each.text)).toEqual(text)
        let reachedMs = 0
        for (const { startMs, endMs } of now) {
          expect(startMs).toBeGreaterThanOrEqual(reachedMs)
          expect(endMs).toBeGreaterThanOrEqual(startMs)
          reachedMs = endMs
        }
        expect(reachedMs).toBeLessThanOrEqual(4_900)
      }
      if (heard.length > 0) expect(align([], first.join(' '), within, heard)).toEqual(heard)
    }),
    { numRuns: times(300, 20_000), seed: 7 },
  )
})

test('a place is found for every word of a text, repeated ones too', () => {
  const text = 'no, no means no.'
  const places = placesIn(text, [
    { text: 'no,' },
    { text: 'no' },
    { text: 'means' },
    { text: 'no.' },
  ])
  expect(places.map(({ from, to }) => text.slice(from, to))).toEqual(['no,', 'no', 'means', 'no.'])
})

test('text is stored as one line without control characters', () => {
  expect(tidyText('  a\n\tb\u0000 c  ')).toBe('a b c')
})
