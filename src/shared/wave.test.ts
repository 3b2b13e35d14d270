import { expect, test } from 'vitest'

import { heightsOf, isSilent, lanesOfBars, placeInWords } from './wave.ts'

test('a bar is as high as the loudest moment it stands for', () => {
  expect(heightsOf([0, 50, 100, 0, 25, 0], 3)).toEqual([0.5, 1, 0.25])
  expect(heightsOf([10], 2)).toEqual([1, 1])
  expect(heightsOf([0, 0], 2)).toEqual([0, 0])
  expect(heightsOf([], 2)).toEqual([0, 0])
})

test('what was measured and is nowhere loud is silent; what nobody has measured may be anything', () => {
  expect(isSilent([0, 0, 0])).toBe(true)
  expect(isSilent([0, 1, 0])).toBe(false)
  expect([null, undefined, []].map(isSilent)).toEqual([false, false, false])
})

test('a bar has the colour of the speaker who speaks longest in it', () => {
  const stretches = [
    { start: 0, end: 4, lane: 0 },
    { start: 4, end: 6, lane: 1 },
    { start: 6, end: 7, lane: null },
  ]
  expect(lanesOfBars(stretches, 4, 12)).toEqual([0, 1, null, null])
})

test('the place is said in words', () => {
  expect(placeInWords(30.9, 2470, 'Ben Okafor')).toBe(
    '30 seconds of 41 minutes 10 seconds, Ben Okafor',
  )
  expect(placeInWords(0, 3600, undefined)).toBe('0 seconds of 1 hour')
  expect(placeInWords(315, 2470, 'Ben Okafor', 'Margaret was a ferry')).toBe(
    '5 minutes 15 seconds of 41 minutes 10 seconds, Ben Okafor, Margaret was a ferry',
  )
})
