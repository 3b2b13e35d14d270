/** What holds for every test file. */
import type * as Crypto from 'node:crypto'

import fc from 'fast-check'
import { afterEach, vi } from 'vitest'

import { isLong } from './long.ts'

/** `npm test` tries the same cases of a property each time; the long run tries more, random ones. */
fc.configureGlobal(isLong ? { numRuns: 1_000 } : { numRuns: 50, seed: 20_261_122 })

/**
 * A password is hashed with a hundredth of the work: a test signs up often, and 30 ms each add up.
 * Servers that a test starts as processes of their own, and passwords.test.ts, do all of it.
 */
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>()
  const argon2: typeof Crypto.argon2 = (algorithm, options, done) =>
    crypto.argon2(algorithm, { ...options, memory: 128, passes: 1 }, done)
  return { ...crypto, default: { ...crypto, argon2 }, argon2 }
})

// The next test may be of another file, in the same process.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
