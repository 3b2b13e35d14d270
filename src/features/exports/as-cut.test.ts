import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type Range, clockWithout, joined, lengthOf, rangeAt } from '#features/cuts/ranges.ts'
import { type Turn, joinWords } from '#features/speech/contract.ts'
import { times } from '#test/long.ts'

import { asCut } from './as-cut.ts'
import { cuesOf } from './captions.ts'
import { ExportQuery } from './contract.ts'
import type { Source } from './source.ts'

const WORD_MS = 400

/** Words of 300 ms, one each 400 ms. */
function turnOf(text: string, fromMs = 0): Turn {
  const words = text.split(' ').map((word, at) => {
    const startMs = fromMs + at * WORD_MS
    return { text: word, startMs, endMs: startMs + 300, confidence: 0.5 }
  })
  return { speaker: 0, startMs: fromMs, endMs: words.at(-1)!.endMs, words, text }
}

const summary: Source['summary'] = {
  heading: 'Summary',
  summary: 'A bridge.',
  keyPoints: [],
  keyPointTimes: [],
  actionItems: [],
  topics: [],
  summaryNote: null,
}

function aSource(spoken: readonly Turn[], others: Partial<Source> = {}): Source {
  return {
    originalName: 'talk.mp3',
    createdAt: new Date('2026-11-20T23:30:00Z'),
    recordedAt: null,
    language: 'en',
    translation: null,
    durationMs: 60_000,
    engine: null,
    spoken,
    said: spoken,
    names: new Map(),
    chapters: [],
    summary,
    ...others,
  }
}

/** The cuts of so many words of a turn that begins at 0. */
const ofWords = (from: number, to = from): Range => ({
  startMs: from * WORD_MS - 50,
  endMs: to * WORD_MS + 350,
})

const textOf = (text: string, ...cuts: Range[]): string | undefined =>
  asCut(aSource([turnOf(text)], { cuts })).source.said[0]?.text

describe('a text without words of it', () => {
  test('has the others as they were', () => {
    expect(textOf('We met on Tuesday.', ofWords(2))).toBe('We met Tuesday.')
    expect(textOf('So, we met.', ofWords(0))).toBe('we met.')
    expect(textOf('We met.', ofWords(0, 1))).toBeUndefined()
    expect(textOf('He said “never again” and left.', ofWords(1))).toBe('He “never again” and left.')
  })

  test('ends its sentences where their last words are cut, and no others', () => {
    expect(textOf('It was fine, you know. Then we left.', ofWords(3, 4))).toBe(
      'It was fine. Then we left.',
    )
    expect(textOf('It was fine. And then we left?', ofWords(2, 4))).toBe('It was. we left?')
    expect(textOf('It was fine, Mr. Hale said.', ofWords(3))).toBe('It was fine, Hale said.')
    expect(textOf('वह ठीक था, समझे। हम गए।', ofWords(3))).toBe('वह ठीक था। हम गए।')
    expect(textOf('Well, um, I think', ofWords(1))).toBe('Well, I think')
    expect(textOf('Well, um', ofWords(1))).toBe('Well')
  })

  test('is cut at its words also where no spaces are written, or where they are corrected', () => {
    const words = ['港の', '橋の', '録音。'].map((text, at) => ({ ...turnOf(text).words[0]!, at }))
    const spaced = words.map((word) => ({
      ...word,
      startMs: word.at * WORD_MS,
      endMs: word.at * WORD_MS + 300,
    }))
    const turn = { ...turnOf('x'), text: '港の橋の録音。', words: spaced, endMs: 1_100 }
    expect(asCut(aSource([turn], { cuts: [ofWords(1)] })).source.said[0]?.text).toBe('港の録音。')
    // The text writes together, and with a bracket, what the words have apart.
    const { words: apart } = turnOf('twenty one (people) came')
    const corrected = { ...turnOf('21 (people) came'), words: apart, endMs: apart[3]!.endMs }
    const cut = (at: number) =>
      asCut(aSource([corrected], { cuts: [ofWords(at)] })).source.said[0]?.text
    expect(cut(2)).toBe('21 came')
    expect(cut(1)).toBe('(people) came')
  })
})

test('the times of turns and words are those of the cut recording', () => {
  const spoken = [turnOf('one two three'), turnOf('four five', 10_000)]
  const cuts = [
    { startMs: 0, endMs: 350 },
    { startMs: 2_000, endMs: 9_000 },
  ]
  const { said, durationMs } = asCut(aSource(spoken, { cuts })).source
  expect(durationMs).toBe(60_000 - 7_350)
  expect(said.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [50, 750],
    [2_650, 3_350],
  ])
  expect(said[1]?.words.map(({ startMs }) => startMs)).toEqual([2_650, 3_050])
})

test('a turn of a translation goes as a whole or stays as a whole, which is said', () => {
  const spoken = [turnOf('One two.'), turnOf('Three four.', 4_000), turnOf('Five six.', 8_000)]
  const said = [
    { ...turnOf('Eins zwei.'), text: 'Eins zwei.' },
    { ...turnOf('Drei vier.', 4_000) },
    // It is not translated.
    spoken[2]!,
  ]
  const translation = { from: 'en', note: 'Translated.' }
  const cuts = [
    { startMs: 0, endMs: 800 },
    { startMs: 4_000, endMs: 4_350 },
    { startMs: 8_000, endMs: 8_350 },
  ]
  const { source } = asCut(aSource(spoken, { said, translation, cuts }))
  expect(source.said.map(({ text }) => text)).toEqual(['Drei vier.', 'six.'])
  expect(source.translation?.note).toBe('Translated. Whole, although cut in part: 1 turn.')
  const [whole] = source.said
  for (const { startMs, endMs } of whole!.words) {
    expect(startMs).toBeGreaterThanOrEqual(whole!.startMs)
    expect(endMs).toBeLessThanOrEqual(whole!.endMs)
  }
})

test('chapters begin at the next word that stays, and empty ones are left out by name', () => {
  const spoken = [0, 10_000, 20_000, 30_000].map((fromMs) => turnOf('one two', fromMs))
  const chapters = ['First', 'Second', 'Third', 'Fourth'].map((title, at) => ({
    title,
    startMs: at * 10_000,
  }))
  const cuts = [
    { startMs: 0, endMs: 300 },
    { startMs: 9_900, endMs: 10_350 },
    { startMs: 20_000, endMs: 20_900 },
  ]
  const { source, chaptersLeftOut } = asCut(aSource(spoken, { chapters, cuts }))
  expect(source.chapters).toEqual([
    { title: 'First', startMs: 0 },
    { title: 'Second', startMs: 9_650 },
    { title: 'Fourth', startMs: 30_000 - 300 - 450 - 900 },
  ])
  expect(chaptersLeftOut).toEqual(['Third'])
})

test('a chapter in which nobody speaks begins after its cut, and goes with all of it', () => {
  const chapters = [
    { title: 'Talk', startMs: 0 },
    { title: 'Music', startMs: 10_000 },
    { title: 'Silence', startMs: 20_000 },
  ]
  const cuts = [
    { startMs: 9_000, endMs: 12_000 },
    { startMs: 20_000, endMs: 60_000 },
  ]
  const { source, chaptersLeftOut } = asCut(aSource([turnOf('one two')], { chapters, cuts }))
  expect(source.chapters.map(({ startMs }) => startMs)).toEqual([0, 9_000])
  expect(chaptersLeftOut).toEqual(['Silence'])
})

test('key points and action items follow, and have no time where it is cut', () => {
  const item = { at: 30.5 } as Source['summary']['actionItems'][number]
  const timed = {
    ...summary,
    keyPoints: ['a', 'b', 'c'],
    keyPointTimes: [0.4, 12, null],
    actionItems: [item],
  }
  const cuts = [{ startMs: 10_000, endMs: 20_000 }]
  const { source } = asCut(aSource([turnOf('one two')], { summary: timed, cuts }))
  expect(source.summary.keyPoints).toEqual(['a', 'b', 'c'])
  expect(source.summary.keyPointTimes).toEqual([0.4, null, null])
  expect(source.summary.actionItems).toEqual([{ at: 20.5 }])
})

const LENGTH_MS = 20_000
const anyCuts = fc
  .array(
    fc
      .tuple(fc.nat(LENGTH_MS), fc.nat(3_000))
      .map(([startMs, length]) => ({ startMs, endMs: Math.min(LENGTH_MS, startMs + length) })),
    { maxLength: 8 },
  )
  .map(joined)
/** Turns one after the other, of words that are all different; some end a sentence. */
const anyTurns = fc
  .array(fc.array(fc.constantFrom('', ',', '.', '?'), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((turns) => {
    let place = 0
    return turns.map((marks) => {
      const fromMs = place * WORD_MS
      return turnOf(marks.map((mark) => `w${place++}${mark}`).join(' '), fromMs)
    })
  })
const wordsOf = (text: string) => text.match(/w\d+/g) ?? []

test('whatever is cut, the words that stay are in the text, in order, at times of what is left', () => {
  fc.assert(
    fc.property(anyTurns, anyCuts, (spoken, cuts) => {
      const { said, durationMs } = asCut(aSource(spoken, { durationMs: LENGTH_MS, cuts })).source
      expect(durationMs).toBe(LENGTH_MS - lengthOf(cuts))
      const clock = clockWithout(cuts)
      const stay = spoken
        .flatMap(({ words }) => words)
        .filter(({ startMs, endMs }) => rangeAt(cuts, (startMs + endMs) / 2) === null)
      expect(said.flatMap(({ text }) => wordsOf(text))).toEqual(
        stay.flatMap(({ text }) => wordsOf(text)),
      )
      const words = said.flatMap((turn) => turn.words)
      expect(words.map(({ text, startMs }) => [wordsOf(text)[0], startMs])).toEqual(
        stay.map(({ text, startMs }) => [wordsOf(text)[0], clock(startMs)]),
      )
      for (const turn of said) {
        expect(joinWords(turn.words.map(({ text }) => text))).toBe(turn.text)
        expect(turn.text).not.toMatch(/^[\s,.]|\s[\s,.]|\s$/)
        for (const { startMs, endMs } of turn.words) {
          expect(startMs).toBeGreaterThanOrEqual(turn.startMs)
          expect(endMs).toBeLessThanOrEqual(turn.endMs)
        }
        expect(turn.endMs).toBeLessThanOrEqual(durationMs)
      }
    }),
    { numRuns: times(300, 5_000) },
  )
})

test('captions of what is left hold each of its words once, and do not lie over each other', () => {
  const { speakers, profile } = ExportQuery.parse({ format: 'srt' })
  fc.assert(
    fc.property(anyTurns, anyCuts, fc.boolean(), (spoken, cuts, mend) => {
      const { source } = asCut(aSource(spoken, { durationMs: LENGTH_MS, cuts }))
      const captioned = { ...source, speakers, captions: { profile, mend } }
      const cues = cuesOf(captioned, { hasVoices: false })
      expect(cues.flatMap(({ lines }) => wordsOf(lines.join(' ')))).toEqual(
        source.said.flatMap(({ text }) => wordsOf(text)),
      )
      for (const [index, { startMs, endMs }] of cues.entries()) {
        expect(startMs).toBeGreaterThanOrEqual(cues[index - 1]?.endMs ?? 0)
        expect(endMs).toBeGreaterThan(startMs)
      }
    }),
    { numRuns: times(100, 1_000) },
  )
})

test('without cuts everything is as it was', () => {
  const source = aSource([turnOf('one two')])
  expect(asCut(source).source).toBe(source)
  expect(asCut({ ...source, cuts: [] }).source.said).toBe(source.said)
})
