/**
 * Whether this is `npm run test:long`. `npm test` takes what is in most files and a small number of
 * every storm; the long run takes all of both, and the files named `*.long.test.ts` too.
 */
export const isLong = process.env['QUOTH_TESTS'] === 'long'

/** The test files that `npm test` leaves out. */
export const leftOut = isLong ? [] : ['**/*.long.test.ts']

/** How many: for `npm test`, and for the long run. */
export const times = (few: number, many: number): number => (isLong ? many : few)
