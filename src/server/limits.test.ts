import { expect, test } from 'vitest'

import { Refusal } from '#shared/refusals.ts'

import { rate } from './limits.ts'

const at = (seconds: number) => new Date(1_000_000 + seconds * 1000)

test('a rate lets a burst through, then says when to come back, for each key by itself', () => {
  const edits = rate('too_many_edits', [
    { most: 3, seconds: 10 },
    { most: 5, seconds: 60 },
  ])
  const waitOf = (key: string, seconds: number) => {
    try {
      edits.count(key, at(seconds))
      return 0
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'too_many_edits') throw error
      return error.retryAfterSeconds
    }
  }
  expect([0, 0, 4, 5, 9].map((seconds) => waitOf('ada', seconds))).toEqual([0, 0, 0, 5, 1])
  expect(waitOf('ben', 9)).toBe(0)
  // Refused calls were not counted, and the long window remembers calls that the short one forgot.
  expect([20, 21, 22].map((seconds) => waitOf('ada', seconds))).toEqual([0, 0, 38])
  expect(waitOf('ada', 60)).toBe(0)
})
