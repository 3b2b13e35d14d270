import { expect, test } from 'vitest'

import { suggestedPassword } from './suggested-password.ts'

test('a suggested password has three parts, is long enough, and is another one each time', () => {
  const made = Array.from({ length: 200 }, suggestedPassword)
  for (const password of made) expect(password).toMatch(/^[a-z]{3,}-[a-z]{3,}-[1-9][0-9]$/)
  expect(Math.min(...made.map(({ length }) => length))).toBeGreaterThanOrEqual(8)
  expect(new Set(made).size).toBeGreaterThan(190)
})
