import { expect, test } from 'vitest'

import { lastChoice } from './export-choice.ts'
import { whyNoTimecode, whyNotOnYoutube } from './why-not.ts'

const at = (...starts: number[]) => starts.map((start) => ({ title: `From ${start}`, start }))

test('what YouTube would not show of the chapters is said before the file is asked for', () => {
  expect(whyNotOnYoutube(at(0, 20), 60)).toBe(
    'YouTube wants at least three chapters. This recording has 2.',
  )
  expect(whyNotOnYoutube(at(0, 20, 55), 60)).toBe(
    'YouTube wants chapters of at least 10 seconds. “From 55” is shorter.',
  )
  expect(whyNotOnYoutube(at(0, 20, 40), 60)).toBeNull()
  // The part before the first chapter is one too.
  expect(whyNotOnYoutube(at(20, 40), 60)).toBeNull()
})

test('a beginning of the film is asked for whole, where the file has one', () => {
  const half = { ...lastChoice(null), filmStart: '01:00' }
  expect(whyNoTimecode('edl', half)).toContain('01:00:00:00')
  expect(whyNoTimecode('txt', half)).toBeNull()
  expect(whyNoTimecode('edl', { ...half, filmStart: '01:00:00:00' })).toBeNull()
  expect(whyNoTimecode('edl', lastChoice(null))).toBeNull()
})
