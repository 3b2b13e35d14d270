import { expect, test } from 'vitest'

import type { Word } from './engine.ts'
import { isOtherLanguage } from './other-language.ts'

const said = (text: string, confidence: number | null): Word[] =>
  text.split(' ').map((each, index) => ({
    text: each,
    startMs: index * 300,
    endMs: index * 300 + 250,
    confidence,
  }))

/** The text that Moonshine v2 tiny wrote of a minute of German. */
const german =
  'The most important thing is that we have to be able to do it. We have to be able to do it. The most important thing is that we have to be able to do it, and we have to be able to do it.'
const english =
  'Last month we decided to raise the price, and this morning three people asked me why. I was at that meeting, we talked for almost an hour, and I remember everything except the reason for it.'

test('unsure of all its words, and the same phrases again and again: another language', () => {
  expect(isOtherLanguage(said(german, 0.45))).toBe(true)
})

test('one phrase alone, and phrases that come only now and then: another language too', () => {
  const phrase = "It's a matter of the fact that the people of the world are not able to do it. "
  expect(isOtherLanguage(said(phrase.repeat(6), 0.7))).toBe(true)
  expect(isOtherLanguage(said(phrase.repeat(6), 0.9))).toBe(false)
  const spanish =
    'This is the most interesting thing, but it is not a big thing. It is a common concern that we can make a lot of misunderstandings in our lives. It is a common concern that we can make a lot of mistakes. This way still reeking our repress, Pochett, the swaying, Pichav, and Rillion in Portante, Iltrim, you not act, Neh, and Yis, and Yak, and Dua, and Yin, Yak, but not ye preparing.'
  expect(isOtherLanguage(said(spanish, 0.2))).toBe(true)
})

test('less sure than it ever is of English: another language, though no phrase comes twice', () => {
  const dutch =
    'Good morning, Malmau, Milk on Bay Days of the Gardening. Contacts taken may over the planet, but it is coming to y’all. For this y’all came and had a few hours at the door of one house.'
  expect(isOtherLanguage(said(dutch, 0.21))).toBe(true)
})

test('a song, a noisy recording, and a short one are taken as they are', () => {
  expect(isOtherLanguage(said(german, 0.9))).toBe(false)
  expect(isOtherLanguage(said(english, 0.5))).toBe(false)
  expect(isOtherLanguage(said('we do we do we do we do', 0.3))).toBe(false)
})

test('of an engine that does not say how sure it is nothing is assumed', () => {
  expect(isOtherLanguage(said(german, null))).toBe(false)
})
