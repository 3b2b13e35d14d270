import { expect, test } from 'vitest'

import { anEngine, capabilities } from '#test/engine.ts'

import type { Word } from './engine.ts'
import { inOtherLanguage, isMostlyOther, withOtherLanguage } from './other-language.ts'

/** Words that follow each other without a pause, each as sure as the next. */
const said = (text: string, confidence: number | null, fromMs = 0): Word[] =>
  text.split(' ').map((each, index) => ({
    text: each,
    startMs: fromMs + index * 300,
    endMs: fromMs + index * 300 + 250,
    confidence,
  }))

/** As many words are taken for another language, with or without somebody's word that it is English. */
const marked = (words: readonly Word[], isTold = false) =>
  inOtherLanguage(words, { isTold }).filter(Boolean).length

/** The text that Moonshine v2 tiny wrote of a minute of German. */
const german =
  'The most important thing is that we have to be able to do it. We have to be able to do it. The most important thing is that we have to be able to do it, and we have to be able to do it.'
const dutch =
  'Good morning, Malmau, Milk on Bay Days of the Gardening. Contacts taken may over the planet, but it is coming to y’all.'
const english =
  'Last month we decided to raise the price, and this morning three people asked me why. I was at that meeting, we talked for almost an hour, and I remember everything except the reason for it.'

test('unsure of all its words: another language, from six words on', () => {
  expect(marked(said(dutch, 0.21))).toBe(said(dutch, 0.21).length)
  expect(marked(said('Gooden Morgan, my name is Ross.', 0.2))).toBe(6)
  expect(marked(said('Gooden Morgan, my name.', 0.05))).toBe(0)
})

test('less doubt is enough where phrases come again and again, but not of a song that it is sure of', () => {
  expect(marked(said(german, 0.55))).toBeGreaterThan(20)
  expect(marked(said(english, 0.55))).toBe(0)
  expect(marked(said(german, 0.9))).toBe(0)
})

test('a part in another language is told from the English around it, to the word', () => {
  const [before, between] = [said(english, 0.93), said(dutch, 0.25, 12_000)]
  const after = said('So that is what we agreed on for the summer.', 0.93, 19_000)
  const isOther = inOtherLanguage([...before, ...between, ...after])
  const from = before.length
  expect(isOther.indexOf(true)).toBe(from)
  expect(isOther.lastIndexOf(true)).toBe(from + between.length - 1)
  expect(isOther.filter(Boolean)).toHaveLength(between.length)
})

test('a few misheard words in English are left as they are, and so is a whole noisy recording', () => {
  const words = said(english, 0.9).map((word, place) =>
    place > 10 && place < 17 ? { ...word, confidence: 0.3 } : word,
  )
  expect(marked(words)).toBe(0)
  expect(marked(said(english, 0.5))).toBe(0)
})

test('who says that it is English is believed, as long as that can be', () => {
  expect(marked(said(english, 0.4))).toBeGreaterThan(30)
  expect(marked(said(english, 0.4), true)).toBe(0)
  expect(marked(said(dutch, 0.21), true)).toBe(said(dutch, 0.21).length)
})

test('of an engine that does not say how sure it is, or is unsure of English too, nothing is assumed', () => {
  expect(marked(said(german, null))).toBe(0)
  const recognise = () => Promise.reject(new Error('nobody asks'))
  const isMarked = (more: object) =>
    withOtherLanguage(said(dutch, 0.2), {
      engine: anEngine({ recognise, capabilities: { ...capabilities, ...more } }),
      language: null,
    }).some(({ isOther }) => isOther)
  expect(isMarked({})).toBe(false)
  expect(isMarked({ doubtsOtherLanguages: true })).toBe(true)
})

test('most of a recording is more than half of the time in which somebody speaks', () => {
  const other = said(dutch, 0.2).map((word) => ({ ...word, isOther: true as const }))
  const own = said(dutch, 0.9, 20_000)
  const regions = [
    { startMs: 0, endMs: 10_000 },
    { startMs: 20_000, endMs: 30_000 },
  ]
  expect(isMostlyOther([[...other, ...own]], regions)).toBe(false)
  expect(isMostlyOther([[...other, ...own.slice(2)]], regions)).toBe(true)
  expect(isMostlyOther([other, own.slice(2)], regions)).toBe(true)
  // It writes few words of another language, also where somebody speaks all the time.
  const few = other.filter((_, place) => place % 3 === 0)
  expect(isMostlyOther([[...few, ...own.slice(6)]], regions)).toBe(true)
})
