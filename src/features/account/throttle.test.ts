import { expect } from 'vitest'

import { test } from '#test/database.ts'

import * as throttle from './throttle.ts'

test('of guesses at many accounts at once exactly 100 are heard from one address', async ({
  db,
}) => {
  const now = new Date()
  const guesses = Array.from({ length: 140 }, (_, n) =>
    throttle.guess(db, { email: `somebody-${n}@example.com`, ip: '192.0.2.9', now }).then(
      () => 'heard',
      ({ code }: { code: string }) => code,
    ),
  )
  const outcomes = await Promise.all(guesses)
  expect(outcomes.filter((outcome) => outcome === 'heard')).toHaveLength(100)
  expect(outcomes.filter((outcome) => outcome === 'too_many_attempts')).toHaveLength(40)
})
