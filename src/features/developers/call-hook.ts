/**
 * The checks that every call of a program passes before its route: the hourly limit of its account, and
 * the rights of its key. The web app's own calls, by cookie or by the token it keeps, are not checked.
 *
 * Promise: a key can do only what its rights allow. A call that reads the account needs `read`, one
 * that changes something needs `write`, and the server does not start with a route that names neither.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { limitsOf } from '#features/account/limits.ts'
import type { CallScope } from '#server/api-schema.ts'
import type { Db } from '#server/db.ts'
import type { Hour } from '#server/limits.ts'
import { together } from '#server/one-by-one.ts'
import type { Clock } from '#shared/clock.ts'
import { counted } from '#shared/format.ts'
import { Refusal, type RefusalCode } from '#shared/refusals.ts'

import * as limits from './limits.ts'

const LONGEST_NAME = 100
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The refusal of a key that lacks this right. */
export const refusalWithout = {
  read: 'key_writes_only',
  write: 'key_reads_only',
} as const satisfies Record<CallScope, RefusalCode>

interface Deps {
  db: Db
  clock: Clock
}

/** To be added after the sessions, and before the routes. */
export function addCallRules(app: FastifyInstance, { db, clock }: Deps): void {
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    const { querystring } = schema ?? {}
    if (schema?.tags && querystring !== undefined && !(querystring instanceof z.ZodObject))
      throw new Error(`${String(method)} ${url} does not list its parameters`)
    if (schema?.tags && !schema.scopes && config?.access !== 'public')
      throw new Error(`${String(method)} ${url} does not say what a key must be allowed for it`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { user } = request
    if (user?.kind !== 'token') return
    // An owner can shut others out even when those have used up the hour.
    if (!user.key && request.routeOptions.config.atOnce === 'security') return
    const { planType, callsPerHour: limit } = await together(`limitsOf:${user.id}`, () =>
      limitsOf(db, user.id),
    )
    if (user.key && planType !== 'enterprise') throw new Refusal('key_paused')
    const hour = await limits.count(db, { userId: user.id, limit, now: clock() })
    tellLimit(reply, { limit, ...hour })
    if (user.key) checkKey(request, user.key.scopes)
    refuseUnknown(request)
  })
}

/**
 * A parameter that a call does not have is a slip, and its answer would be another than was asked for.
 * Programs that are made for OpenAI may send what only its server knows.
 *
 * @throws Refusal `invalid_request`
 */
function refuseUnknown({ query, routeOptions: { url = '', schema } }: FastifyRequest): void {
  if (!schema?.tags || url.startsWith('/v1/')) return
  const known =
    schema.querystring instanceof z.ZodObject ? Object.keys(schema.querystring.shape) : []
  const unknown = Object.keys(query as object).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const names = known.length === 0 ? 'It takes none' : `It takes ${known.join(', ')}`
  const field = unknown.slice(0, LONGEST_NAME)
  throw new Refusal('invalid_request', {
    message: `This call has no parameter ${field}. ${names}. Nothing was changed or charged.`,
    field,
  })
}

/** @throws Refusal `too_many_calls` */
function tellLimit(
  reply: FastifyReply,
  { limit, counted: calls, resetSeconds, retryAfterSeconds }: Hour & { limit: number },
): void {
  void reply.headers({
    'RateLimit-Limit': limit,
    'RateLimit-Remaining': Math.max(0, limit - calls - 1),
    'RateLimit-Reset': resetSeconds,
  })
  if (retryAfterSeconds === 0) return
  throw new Refusal('too_many_calls', {
    message: `The limit of ${limit} calls an hour is used up. Nothing was charged. Please wait ${counted(Math.ceil(retryAfterSeconds / 60), 'minute')} and try again.`,
    retryAfterSeconds,
  })
}

/** @throws Refusal `key_not_allowed`, `key_reads_only`, `key_writes_only` */
function checkKey(request: FastifyRequest, scopes: readonly string[]): void {
  const { method } = request
  const { url, schema, config } = request.routeOptions
  // Routes without a place in the documentation, such as keys, passwords and plans, are for the
  // account's owner alone.
  if (request.is404 || url === undefined) return
  if (config.access === 'public' && safeMethods.has(method)) return
  if (!schema?.scopes) throw new Refusal('key_not_allowed')
  for (const scope of schema.scopes)
    if (!scopes.includes(scope)) throw new Refusal(refusalWithout[scope])
}
