import { readFile } from 'node:fs/promises'

import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { isDatabaseAway, isSurelyDatabase } from './database-away.ts'
import { errorFrom, factsOf } from './error-facts.ts'

const caught = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .catch((error: unknown) => error)

/** As it comes out of a thread. */
const crossed = (error: unknown) => errorFrom(structuredClone(factsOf(error)))

test('what our own code, the system and the language say of themselves is told', async () => {
  const nobody = null as unknown as { 'what was said': string }
  const told = [
    new Error('the queue did not take the job'),
    await caught(() => readFile('/nowhere/at/all')),
    await caught(() => nobody['what was said']),
  ].map((error) => factsOf(error).message)
  expect(told).toEqual([
    'the queue did not take the job',
    'open ENOENT /nowhere/at/all',
    'Cannot read properties of null',
  ])
})

test('an error that comes out of a thread tells the same, and still says that the database is away', () => {
  const refused = { code: 'ECONNREFUSED', syscall: 'connect', errno: -111 }
  const cause = Object.assign(new Error('connect ECONNREFUSED'), refused)
  const query = new DrizzleQueryError('select $1', ['what was said'], cause)
  expect(factsOf(crossed(query))).toEqual(factsOf(query))
  expect(JSON.stringify(factsOf(query))).not.toContain('what was said')
  expect(isSurelyDatabase(crossed(query))).toBe(true)
  expect(isDatabaseAway(crossed(new Error('Connection terminated unexpectedly')))).toBe(true)
})

test('causes that go in a circle come to an end', () => {
  const error = new Error('round')
  error.cause = error
  expect(JSON.stringify(factsOf(error)).match(/"round"/g)?.length).toBeLessThan(20)
  expect(isDatabaseAway(error)).toBe(false)
})
