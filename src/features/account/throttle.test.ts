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

test('somebody with a network of many addresses guesses no more often than from one', async ({
  db,
}) => {
  const now = new Date()
  const email = 'somebody@example.com'
  for (let n = 0; n < 10; n++) await throttle.guess(db, { email, ip: `2001:db8::${n + 1}`, now })
  const more = throttle.guess(db, { email, ip: '2001:db8::ffff', now })
  await expect(more).rejects.toMatchObject({ code: 'too_many_attempts' })
  await throttle.guess(db, { email, ip: '2001:db8:0:1::1', now })
})
