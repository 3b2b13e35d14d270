/** What holds for every test file. */
import fc from 'fast-check'
import { afterEach, vi } from 'vitest'

import { keepWith } from '#features/account/passwords.ts'

import { isLong } from './long.ts'

/** `npm test` tries the same cases of a property each time; the long run tries more, random ones. */
fc.configureGlobal(isLong ? { numRuns: 1_000 } : { numRuns: 50, seed: 20_261_122 })

// A test signs up often, and 30 ms each time add up. Servers that a test starts as processes of their
// own, and passwords.test.ts, do all of the work.
keepWith({ memory: 128, passes: 1 })

// The next test may be of another file, in the same process.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
