import { expect, test } from 'vitest'

import { turnFrom } from '#shared/turn-from.ts'

import {
  besideChapter,
  change,
  chapterAt,
  chaptersByTurn,
  placesOnWave,
  reasonAgainst,
  startFor,
} from './chapters.ts'

const chapters = [
  { title: 'Two trucks of tape', start: 0 },
  { title: 'Margaret was a ferry', start: 292 },
  { title: 'The oven', start: 690 },
]
const named = (index: number) => chapters[index]?.title

test('the chapter that is being said is the last that has begun', () => {
  expect(chapterAt(chapters, 0)).toBe(0)
  // A player that is sent to a place may answer with one a hair before it.
  expect(chapterAt(chapters, 291.98)).toBe(1)
  expect(chapterAt(chapters, 2_470)).toBe(2)
  expect(chapterAt(chapters.slice(1), 10)).toBe(-1)
})

test('the chapter before is the own beginning, and soon after that the one before it', () => {
  const before = (seconds: number) => besideChapter(chapters, { seconds, steps: -1 })?.title
  const after = (seconds: number) => besideChapter(chapters, { seconds, steps: 1 })?.title
  expect(before(315)).toBe(named(1))
  expect(before(293)).toBe(named(0))
  expect(before(1)).toBeUndefined()
  expect(after(0)).toBe(named(1))
  expect(after(700)).toBeUndefined()
  expect(besideChapter(chapters.slice(1), { seconds: 0, steps: 1 })?.title).toBe(named(1))
})

const turns = [
  { start: 0, end: 100, speaker: 0 },
  { start: 101, end: 291.8, speaker: 1 },
  { start: 292.3, end: 310, speaker: 0 },
  { start: 312, end: 900, speaker: 1 },
]

test('a chapter stands above the turn that holds its beginning, or the next where that is in a pause', () => {
  expect(turnFrom(turns, 0)).toBe(0)
  expect(turnFrom(turns, 292)).toBe(2)
  expect(turnFrom(turns, 690)).toBe(3)
  // The last half second of a turn is not what a chapter begins with.
  expect(turnFrom(turns, 309.5)).toBe(3)
  expect(turnFrom(turns, 950)).toBe(4)
  expect([...chaptersByTurn(chapters, turns, null)]).toEqual([
    [0, [chapters[0]]],
    [2, [chapters[1]]],
    [3, [chapters[2]]],
  ])
  const within = [{ title: 'A', start: 400 }, ...chapters.slice(2)]
  expect([...chaptersByTurn(within, turns, null)]).toEqual([[3, within]])
})

test('among the turns of one speaker a chapter stands above their first, or is left out', () => {
  expect([...chaptersByTurn(chapters, turns, 1).keys()]).toEqual([1, 3])
  expect(chaptersByTurn(chapters, turns, 1).get(3)).toEqual([chapters[2]])
  expect([...chaptersByTurn(chapters, turns, 0).keys()]).toEqual([0, 2])
  expect(chaptersByTurn([{ title: 'Applause', start: 950 }], turns, null).size).toBe(0)
})

test('names on the wave have the room from their beginning to the next, the last to the end', () => {
  expect(placesOnWave(chapters.slice(0, 2), 584)).toEqual([
    { left: 0, width: 0.5 },
    { left: 0.5, width: 0.5 },
  ])
  expect(placesOnWave([{ title: 'Late', start: 90 }], 60)).toEqual([{ left: 1, width: 0 }])
})

test('a beginning lies in the recording, five seconds from every other', () => {
  const about = { chapters, duration: 2_470 }
  expect(reasonAgainst(295, about)).toBe('Another chapter begins at 4:52.')
  expect(reasonAgainst(287.1, about)).toBe('Another chapter begins at 4:52.')
  expect(reasonAgainst(297, about)).toBeNull()
  expect(reasonAgainst(2_470, about)).toBe('This recording ends at 41:10.')
})

test('a chapter is added at its sentence, unless another one begins in that already', () => {
  expect(startFor(320, { chapters, sentence: 310 })).toBe(310)
  expect(startFor(320, { chapters, sentence: 280 })).toBe(320)
  expect(startFor(320, { chapters, sentence: 295 })).toBe(320)
  expect(startFor(291, { chapters, sentence: 284 })).toBe(284)
})

test('changes find their chapter by where it begins, and the order follows', () => {
  expect(change.rename(292, 'Margaret')(chapters)[1]).toEqual({ title: 'Margaret', start: 292 })
  expect(
    change
      .move(
        0,
        400,
      )(chapters)
      .map(({ start }) => start),
  ).toEqual([292, 400, 690])
  expect(change.remove(292)(chapters)).toHaveLength(2)
  expect(change.add({ title: 'New chapter', start: 20 })(chapters)[1]?.start).toBe(20)
  // It was moved elsewhere in the meantime.
  expect(change.rename(5, 'Nobody')(chapters)).toEqual(chapters)
})
