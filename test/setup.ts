/** What holds for every test file. */
import fc from 'fast-check'
import { afterEach, vi } from 'vitest'

import { isLong } from './long.ts'

/** `npm test` tries the same cases of a property each time; the long run tries more, random ones. */
fc.configureGlobal(isLong ? { numRuns: 1_000 } : { numRuns: 50, seed: 20_261_122 })

// The next test may be of another file, in the same process.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
