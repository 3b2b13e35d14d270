import { expect, test } from 'vitest'

import { familyNames } from '#features/models/models.ts'

import { families } from './sherpa-families.ts'
import { isFull, isTooDense, isWorthHalving, roomMs } from './token-cap.ts'

const { whisper, moonshine_v1, canary, nemo_transducer } = families

test('the sound of a chunk is made longer for a language of many tokens, up to what is heard', () => {
  expect(roomMs(whisper, 'en', 20_000)).toBe(20_000)
  expect(roomMs(whisper, '', 1000)).toBeGreaterThan(1500)
  expect(roomMs(whisper, 'ja', 10_000)).toBeGreaterThan(15_000)
  expect(roomMs(whisper, 'hi', 10_000)).toBe(29_400)
  expect(roomMs(moonshine_v1, 'en', 1000)).toBe(1000)
})

test('a chunk of which more was said than fits is cut beforehand', () => {
  expect(isTooDense(whisper, 'hi', 12_000)).toBe(true)
  expect(isTooDense(whisper, 'hi', 10_000)).toBe(false)
  expect(isTooDense(whisper, 'en', 25_000)).toBe(false)
  expect(isTooDense(nemo_transducer, '', 28_000)).toBe(false)
})

test('a text is taken to be cut off when it has about as many tokens as it may', () => {
  expect(isFull(whisper, 58, 10_000)).toBe(true)
  expect(isFull(whisper, 57, 10_000)).toBe(false)
  expect(isFull(nemo_transducer, 10_000, 1000)).toBe(false)
})

test('a text of more tokens than anybody speaks is not tried again', () => {
  expect(isWorthHalving(whisper, 6000)).toBe(true)
  expect(isWorthHalving(whisper, 5000)).toBe(false)
  expect(isWorthHalving(canary, 20_000)).toBe(false)
})

test('every family that is cut off hears at least its longest chunk', () => {
  for (const name of familyNames) {
    const { tokensPerS, windowMs, longestChunkMs } = families[name]
    if (tokensPerS === 6) expect(windowMs, name).toBeGreaterThan(longestChunkMs)
  }
})
