import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { security } from '#features/account/calls-at-once.ts'
import { Done } from '#features/account/contract.ts'
import { limitsOf } from '#features/account/limits.ts'
import { userOf } from '#features/account/session-hook.ts'
import type { Db } from '#server/db.ts'
import { type Log, tellSecurity } from '#server/log.ts'
import { serve } from '#server/serve.ts'
import type { Clock } from '#shared/clock.ts'

import * as calls from './calls.ts'
import { ApiKeys, MakeKey, NewKey } from './contract.ts'
import * as keys from './keys.ts'
import * as limits from './limits.ts'

export interface KeyDeps {
  db: Db
  clock: Clock
  log: Log
}

/** The keys of an account, for its owner. No key opens these calls. */
export const keyRoutes: FastifyPluginAsyncZod<KeyDeps> = async (app, deps) => {
  serve(app, calls.listKeys, { schema: { response: { 200: ApiKeys } } }, async (request) => {
    const { id: userId } = userOf(request)
    const { planType, callsPerHour: limit } = await limitsOf(deps.db, userId)
    return {
      isAllowed: planType === 'enterprise',
      callsPerHour: limit,
      callsMade: await limits.made(deps.db, { userId, limit, now: deps.clock() }),
      keys: await keys.list(deps, userId),
    }
  })

  serve(
    app,
    calls.makeKey,
    { schema: { body: MakeKey, response: { 201: NewKey } } },
    async (request, reply) => {
      const { id: userId, sessionId } = userOf(request)
      const made = await keys.make(deps, { userId, sessionId, ...request.body })
      tellSecurity(deps.log, request, { event: 'key_made', userId, keyId: made.id })
      return reply.code(201).send(made)
    },
  )

  serve(
    app,
    calls.revokeKey,
    { ...security, schema: { params: z.object({ id: z.uuid() }), response: { 200: Done } } },
    async (request) => {
      const { id: userId } = userOf(request)
      const { id } = request.params
      await keys.revoke(deps, { userId, id })
      tellSecurity(deps.log, request, { event: 'key_revoked', userId, keyId: id })
      return { message: 'The key is revoked. It opens nothing any more.' }
    },
  )
}
