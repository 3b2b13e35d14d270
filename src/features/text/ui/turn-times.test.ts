import { expect, test } from 'vitest'

import { freeTime } from './free-time.ts'
import { meant, reasonAgainst, secondsIn, timeInWords } from './turn-times.ts'

test('times are written and read to a tenth of a second', () => {
  expect(timeInWords(62.46)).toBe('1:02.5')
  expect(timeInWords(59.97)).toBe('1:00.0')
  expect(['1:02.5', '62,5', '1:00:02', '0:07'].map(secondsIn)).toEqual([62.5, 62.5, 3602, 7])
  expect(['', 'soon', '1:75', '-3', '1:2:3:4'].map(secondsIn)).toEqual(Array(5).fill(null))
})

test('a time that was rounded beyond what is free means the end of it', () => {
  const free = { start: 62.44, end: 71.26 }
  expect([62.4, 71.3, 65].map((seconds) => meant(seconds, free))).toEqual([62.44, 71.26, 65])
  expect(meant(62.3, free)).toBe(62.3)
})

test('a turn reaches as far as those beside it, and the last one to the end', () => {
  const rest = { position: 0, revision: 0, speaker: 0, text: '', isEdited: false, words: [] }
  const turn = (id: string, start: number, end: number) => ({ ...rest, id, start, end })
  const turns = [turn('a', 0.5, 2), turn('b', 3, 4), turn('c', 3.8, 5)]
  expect(freeTime(turns, 'a', 9)).toEqual({ start: 0, end: 3 })
  // It reaches into the next one already.
  const free = freeTime(turns, 'b', 9)
  expect(free).toEqual({ start: 2, end: 4 })
  expect(freeTime(turns, 'c', 9)).toEqual({ start: 3.8, end: 9 })
  expect(reasonAgainst({ start: 2, end: 4 }, free)).toBeNull()
  expect(reasonAgainst({ start: 1.9, end: 4 }, free)).toBe('It cannot begin before 0:02.0.')
  expect(reasonAgainst({ start: 2, end: 4.1 }, free)).toBe('It cannot end after 0:04.0.')
  expect(reasonAgainst({ start: 3, end: 3 }, free)).toBe('It must end after it begins.')
})
