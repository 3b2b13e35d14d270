/** Set-up for every test file. */
import { subscribe } from 'node:diagnostics_channel'

import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, vi } from 'vitest'

import { keepWith } from '#features/account/passwords.ts'
import { refusalsOf } from '#features/developers/openapi.ts'

import { isLong } from './long.ts'

/** `npm test` tries the same cases of a property each time; the long run tries more, random ones. */
fc.configureGlobal(isLong ? { numRuns: 1_000 } : { numRuns: 50, seed: 20_261_122 })

// A test signs up often, and 30 ms each time add up. Servers that a test starts as processes of their
// own, and passwords.test.ts, do all of the work.
keepWith({ memory: 128, passes: 1 })

/** Refusals that a documented call gave in any test, and that its documentation does not name. */
const undocumented = new Set<string>()
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onResponse', async ({ method, routeOptions }, { statusCode, refusal }) => {
    const { url = '', schema, config } = routeOptions
    if (!schema?.tags || statusCode < 400 || statusCode >= 500 || refusal === undefined) return
    const told: ReadonlySet<string> = refusalsOf({ url, method, schema, config })
    if (!told.has(refusal)) undocumented.add(`${method} ${url}: ${statusCode} ${refusal}`)
  })
})
afterEach(() => {
  const found = [...undocumented]
  undocumented.clear()
  expect(found, 'refusals that the API description does not have').toEqual([])
})

// The next test may be of another file, in the same process.
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
