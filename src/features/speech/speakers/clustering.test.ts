import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import { addFrame, clusterWindows, emptyStatistic, type Statistic } from './clustering.ts'
import { mfccSize } from './mfcc.ts'

const windowFrames = 200

test('two voices in turns are two clusters', () => {
  const windows = spoken('aaabbbaabb')
  expect(pattern(clusterWindows(windows, {}))).toBe('aaabbbaabb')
})

test('three voices are three clusters', () => {
  const windows = spoken('aaabbbcccabcabcccc')
  expect(pattern(clusterWindows(windows, {}))).toBe('aaabbbcccabcabcccc')
})

test('two voices that are nearly alike, as over a telephone, are two clusters', () => {
  const windows = spoken('aabbaabbaabb', { apart: 0.33 })
  expect(pattern(clusterWindows(windows, {}))).toBe('aabbaabbaabb')
})

test('one voice stays one cluster', () => {
  expect(pattern(clusterWindows(spoken('a'.repeat(20)), {}))).toBe('a'.repeat(20))
})

test('one voice for half an hour stays one cluster', () => {
  const windows = spoken('a'.repeat(900))
  expect(new Set(clusterWindows(windows, {})).size).toBe(1)
})

test('two voices of a long recording are the same two in all its blocks', () => {
  const voices = 'aaabbbbaab'.repeat(12)
  expect(pattern(clusterWindows(spoken(voices), {}))).toBe(voices)
})

test('a voice heard for one second only is given to its neighbour', () => {
  const windows = spoken('aaaaaa')
  windows.splice(3, 1, voice('b', 100))
  expect(pattern(clusterWindows(windows, {}))).toBe('aaaaaa')
})

test('the number of speakers is kept when it is given', () => {
  const windows = spoken('aabbccaabbcc')
  const clusters = (count: number) => new Set(clusterWindows(windows, { count })).size
  expect([1, 2, 3, 4].map(clusters)).toEqual([1, 2, 3, 4])
})

test('of four given speakers in a long recording of two voices, four are found', () => {
  const windows = spoken('aaabbbbaab'.repeat(12))
  expect(new Set(clusterWindows(windows, { count: 4 })).size).toBe(4)
})

test('never more speakers than the most, and fewer where fewer speak', () => {
  const windows = spoken('aabbccaabbcc')
  const clusters = (max: number) => new Set(clusterWindows(windows, { max })).size
  expect([1, 2, 3, 6].map(clusters)).toEqual([1, 2, 3, 3])
})

/** One window of 2 s for each letter; equal letters are the same voice. */
function spoken(voices: string, how?: { apart: number }): Statistic[] {
  return voices.split('').map((letter) => voice(letter, windowFrames, how))
}

const random = seeded(7)

/** Frames of a Gaussian whose mean belongs to the letter: so far `apart` from what all have. */
function voice(letter: string, frameCount: number, { apart = 2 } = {}): Statistic {
  const own = seeded(letter.charCodeAt(0))
  const means = Array.from({ length: mfccSize }, () => apart * gaussian(own))
  const spreads = Array.from({ length: mfccSize }, () => 1 + own())
  const statistic = emptyStatistic()
  for (let t = 0; t < frameCount; t++) {
    const frame = means.map((mean, i) => mean + spreads[i]! * gaussian(random))
    addFrame(statistic, Float32Array.from(frame), 0)
  }
  return statistic
}

/** Labels as letters in order of first appearance. */
function pattern(labels: number[]): string {
  const letters = new Map<number, string>()
  return labels
    .map((label) => {
      const letter = letters.get(label) ?? String.fromCharCode(97 + letters.size)
      letters.set(label, letter)
      return letter
    })
    .join('')
}

function gaussian(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}
