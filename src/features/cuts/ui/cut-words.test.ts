import { expect, test } from 'vitest'

import type { WordPlace } from '#features/text/ui/word-places.ts'

import { type Range, isCut } from '../ranges.ts'
import { changed, toCut, toPutBack, struckLetters, wordless, wordsIn } from './cut-words.ts'

const durationMs = 10_000
const word = (startMs: number, endMs: number): Range => ({ startMs, endMs })
// A short pause, a long one, and none.
const [one, two, three, four] = [
  word(500, 900),
  word(1_000, 1_400),
  word(2_400, 2_800),
  word(2_800, 3_100),
]
const words = [one, two, three, four]
const none = { words, list: [], durationMs }
const after = (list: readonly Range[], act: typeof toCut, ...chosen: Range[]) =>
  changed(list, act({ words, list, durationMs }, chosen))

test('a cut goes to the middle of a pause, at most 150 ms from its words, and into no other word', () => {
  expect(toCut(none, [two]).cut).toEqual([word(950, 1_550)])
  expect(toCut(none, [three]).cut).toEqual([word(2_250, 2_800)])
  expect(toCut(none, [four]).cut).toEqual([word(2_800, 3_250)])
  expect(toCut(none, [one]).cut).toEqual([word(350, 950)])
})

test('at its ends a cut stays within the recording', () => {
  const all = [word(40, 300), word(9_900, 9_950)]
  expect(toCut({ words: all, list: [], durationMs }, all).cut).toEqual([word(0, durationMs)])
})

test('words in a row are one cut, whether they are cut together or one after the other', () => {
  const together = after([], toCut, one, two, three)
  expect(together).toEqual([word(350, 2_800)])
  expect(after(after(after([], toCut, one), toCut, three), toCut, two)).toEqual(together)
})

test('words between which another stays are cuts of their own', () => {
  expect(after([], toCut, one, three)).toEqual([word(350, 950), word(2_250, 2_800)])
})

test('a reply between words of a turn stays, and one over them goes along', () => {
  const reply = word(1_600, 2_000)
  expect(toCut({ ...none, words: [...words, reply] }, [one, two, three]).cut).toEqual([
    word(350, 1_500),
    word(2_250, 2_800),
  ])
  const over = word(850, 1_200)
  expect(toCut({ ...none, words: [...words, over] }, [one, two]).cut).toEqual([word(350, 1_550)])
})

test('a word that is put back leaves the words beside it cut, as if they alone had been', () => {
  const list = after([], toCut, one, two, three)
  const left = after(list, toPutBack, two)
  expect(left).toEqual([word(350, 950), word(2_250, 2_800)])
  expect(words.map((each) => isCut(left, each))).toEqual([true, false, true, false])
})

test('when the last word of a cut is put back, nothing of the cut stays', () => {
  // Made when the words had other times.
  expect(after([word(200, 1_900)], toPutBack, one, two)).toEqual([])
  // Another cut has no words, and stays.
  expect(after([word(350, 950), word(1_800, 2_100)], toPutBack, one)).toEqual([word(1_800, 2_100)])
})

test('a cut in which nobody speaks is told from one of words', () => {
  const pause = word(1_650, 2_150)
  expect(wordless([...after([], toCut, one), pause], words)).toEqual([pause])
})

test('words that are not cut are not put back', () => {
  expect(toPutBack({ ...none, list: [word(350, 950)] }, [four])).toEqual({ cut: [], restore: [] })
})

test('struck letters are whole words with their marks, turn by turn', () => {
  const turns = [{ text: 'Right, um, “here” it is.' }, { text: 'Yes. 好。' }]
  const place = (turn: number, text: string, startMs: number): WordPlace => {
    const from = turns[turn]!.text.indexOf(text)
    const to = from + text.length
    return { turn, index: 0, from, to, startMs, endMs: startMs + 100, confidence: null }
  }
  const places = [
    place(0, 'Right', 0),
    place(0, 'um', 100),
    place(0, 'here', 200),
    place(0, 'it', 300),
    place(0, 'is', 400),
    place(1, 'Yes', 500),
    place(1, '好', 600),
  ]
  const struck = (list: readonly Range[]) =>
    struckLetters(list, { turns, places }).map(({ turn, from, to }) =>
      turns[turn]!.text.slice(from, to),
    )
  expect(struck([])).toEqual([])
  expect(struck([word(90, 210), word(290, 580)])).toEqual(['um,', 'it is.', 'Yes.'])
  expect(struck([word(0, 200), word(590, 700)])).toEqual(['Right, um,', '好。'])
  // A drag that ends within a word means the word.
  expect(wordsIn(places, [{ turn: 0, from: 8, to: 13 }]).map(({ startMs }) => startMs)).toEqual([
    100, 200,
  ])
})
