/**
 * `npm test` tries the same cases of a property each time; the long run tries more, random ones.
 */
import fc from 'fast-check'

import { isLong } from './long.ts'

fc.configureGlobal(isLong ? { numRuns: 1_000 } : { numRuns: 50, seed: 20_261_122 })
