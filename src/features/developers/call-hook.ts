/**
 * What every call of a program goes through before its route: the hourly limit of its account, and
 * what its key may do. The web app's own calls, by cookie or by the token it keeps, pass untouched.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import * as account from '#features/account/account.ts'
import type { Db } from '#server/db.ts'
import { callsPerHour } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import * as limits from './limits.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** To be added after the sessions, and before the routes. */
export function addCallRules(app: FastifyInstance, { db }: { db: Db }): void {
  app.addHook('onRequest', async (request, reply) => {
    const { user } = request
    if (user?.kind !== 'token') return
    const { planType } = await account.get(db, user.id)
    if (user.key && planType !== 'enterprise') throw new Refusal('key_paused')
    await countCall(db, reply, { userId: user.id, limit: callsPerHour[planType] })
    if (user.key) checkKey(request, user.key.scopes)
  })
}

/** @throws Refusal `too_many_calls` */
async function countCall(
  db: Db,
  reply: FastifyReply,
  { userId, limit }: { userId: string; limit: number },
): Promise<void> {
  const { isAllowed, remaining, resetSeconds, retryAfterSeconds } = await limits.count(db, {
    userId,
    limit,
  })
  void reply.headers({
    'RateLimit-Limit': limit,
    'RateLimit-Remaining': remaining,
    'RateLimit-Reset': resetSeconds,
  })
  if (isAllowed) return
  throw new Refusal('too_many_calls', {
    message: `The limit of ${limit} calls an hour is used up. Nothing was charged. Please wait ${retryAfterSeconds} seconds and try again.`,
    retryAfterSeconds,
  })
}

/** @throws Refusal `key_not_allowed`, `key_reads_only` */
function checkKey(request: FastifyRequest, scopes: readonly string[]): void {
  const { method } = request
  const { url, schema } = request.routeOptions
  // What is not documented is the account's own business: keys, passwords, plans.
  if (request.is404 || url === undefined || url === '/*') return
  if (!schema?.tags) throw new Refusal('key_not_allowed')
  const needed = safeMethods.has(method) ? 'read' : 'write'
  if (!scopes.includes(needed))
    throw new Refusal(needed === 'write' ? 'key_reads_only' : 'key_not_allowed')
}
