import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { drawn, promisesIn } from './draw-promises.ts'

test('docs/promises.md has the promises of the opening comments', () => {
  const written = readFileSync(new URL('../docs/promises.md', import.meta.url), 'utf8')
  expect(written, 'run `node scripts/draw-promises.ts`').toBe(drawn())
})

test('a promise is a list after "promises:", or a paragraph after "Promise:"', () => {
  const comment = `/**
 * The ledger. What it promises:
 *
 * - Credits are moved, never
 *   made (tables.ts).
 * - Nothing is lost.
 *
 * Some more words:
 *
 * - not promised
 *
 * Promise: history is
 * append-only.
 */
/** What it promises: */`
  expect(promisesIn(comment)).toEqual([
    'Credits are moved, never made (tables.ts).',
    'Nothing is lost.',
    'History is append-only.',
  ])
})
