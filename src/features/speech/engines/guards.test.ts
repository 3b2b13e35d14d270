import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { cutLoops, halvesOf, hasLoop, isUnmarked, withinSpeech } from './guards.ts'

const said = (script: string) =>
  script.split(' ').map((text, index) => ({
    text,
    startMs: index * 300,
    endMs: index * 300 + 250,
    confidence: null,
  }))
const read = (words: readonly { text: string }[]) => words.map(({ text }) => text).join(' ')

describe('loops', () => {
  test('of a phrase that is repeated without end three are kept', () => {
    const phrase = 'thank you for watching '
    const words = said(`so ${phrase.repeat(20)}goodbye`)
    expect(hasLoop(words)).toBe(true)
    expect(read(cutLoops(words))).toBe(`so ${phrase.repeat(3)}goodbye`)
  })

  test('a word may come six times in a row, as people say no', () => {
    expect(hasLoop(said('no no no no no no that is it'))).toBe(false)
    expect(read(cutLoops(said('no '.repeat(30) + 'that is it')))).toBe(
      'no no no no no no that is it',
    )
  })

  test('a loop is found whatever its capitals and commas, and when it stops in its middle', () => {
    const words = said('I see, i see. I SEE i see, I see i')
    expect(hasLoop(words)).toBe(true)
    expect(read(cutLoops(words))).toBe('I see, i see. I SEE i')
  })

  test('a phrase that is said three times, or again later, is left alone', () => {
    const words = said('row row row your boat row row row your boat row row row your boat gently')
    expect(cutLoops(words)).toEqual(words)
  })

  test('no phrase of up to twelve words is left more than its number of times in a row', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 })
    fc.assert(
      fc.property(letters, fc.integer({ min: 2, max: 9 }), (phrase, times) => {
        const words = said(
          Array.from({ length: times }, () => phrase)
            .flat()
            .join(' '),
        )
        const kept = cutLoops(words)
        // No word is added, and none changes its place.
        expect(
          kept.every((word, index) => index === 0 || word.startMs > kept[index - 1]!.startMs),
        ).toBe(true)
        expect(new Set(read(kept).split(' '))).toEqual(new Set(read(words).split(' ')))
      }),
    )
  })
})

describe('speech', () => {
  const regions = [
    { startMs: 0, endMs: 1000 },
    { startMs: 5000, endMs: 8000 },
  ]
  const at = (text: string, startMs: number) => ({
    text,
    startMs,
    endMs: startMs + 200,
    confidence: null,
  })

  test('words where nobody speaks are left out, those at the edges are kept', () => {
    const words = [at('hello', 900), at('thanks', 2500), at('well', 4600), at('yes', 7900)]
    expect(read(withinSpeech(words, regions))).toBe('hello well yes')
  })

  test('a long word is kept where only its beginning or its end is near speech', () => {
    const words = [
      { ...at('nooooo', 1100), endMs: 3900 },
      { ...at('weeeell', 2600), endMs: 4700 },
      { ...at('thanks', 1500), endMs: 4500 },
    ]
    expect(read(withinSpeech(words, regions))).toBe('nooooo weeeell')
  })

  test('words whose times are an estimate are kept', () => {
    const words = [{ ...at('thanks', 2500), isEstimated: true as const }]
    expect(withinSpeech(words, regions)).toEqual(words)
  })
})

describe('halves of a chunk', () => {
  test('meet at the longest pause of its middle', () => {
    const regions = [
      { startMs: 10_000, endMs: 11_000 },
      { startMs: 13_000, endMs: 15_000 },
      { startMs: 15_600, endMs: 17_000 },
      { startMs: 17_200, endMs: 20_000 },
    ]
    expect(halvesOf({ index: 7, startMs: 10_000, endMs: 20_000 }, regions)).toEqual([
      { index: 0, startMs: 10_000, endMs: 15_300 },
      { index: 1, startMs: 15_300, endMs: 20_000 },
    ])
  })

  test('meet in the middle where there is no pause', () => {
    const [first] = halvesOf({ index: 7, startMs: 1000, endMs: 4001 }, [])
    expect(first).toEqual({ index: 0, startMs: 1000, endMs: 2501 })
  })
})

test('a text without a mark is one in which nobody stops for longer than people talk', () => {
  const call =
    'hello oh hello i did not know you were there neither did i i thought you know i heard of it '
  expect(isUnmarked(`${call}${call}`)).toBe(true)
  expect(isUnmarked(`${call}, ${call}.`)).toBe(false)
  expect(isUnmarked('')).toBe(false)
  // Thai and Chinese do without.
  expect(isUnmarked('ไทย '.repeat(60))).toBe(false)
})
