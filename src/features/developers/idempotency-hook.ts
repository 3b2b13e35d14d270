/**
 * Idempotency-Key for the calls that cost and take JSON. Those that take a file look at their key
 * themselves, because two uploads of one file have different bodies.
 */
import type { FastifyInstance } from 'fastify'

import type { Db } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { Refusal } from '#shared/refusals.ts'

import * as idempotency from './idempotency.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The key this request has claimed, and what was asked under it. */
    claimed: { claim: idempotency.Claim; fingerprint: string; stop: () => void } | null
  }
}

/** To be added after the sessions, and before the routes. */
export function addIdempotency(app: FastifyInstance, { db, log }: { db: Db; log: Log }): void {
  app.decorateRequest('claimed', null)

  app.addHook('preHandler', async (request, reply) => {
    const rule = request.routeOptions.config.idempotency
    if (rule === undefined || rule === 'by_route') return
    const key = idempotency.keyIn(request.headers['idempotency-key'])
    if (!key || !request.user) return
    const asked = { userId: request.user.id, key }
    const fingerprint = idempotency.fingerprintOf([
      request.method,
      request.url,
      request.body ?? null,
    ])
    const claim = await idempotency.claim(db, { ...asked, fingerprint })
    if (!claim) {
      const { status, body } = await idempotency.answered(db, { ...asked, fingerprint })
      return reply.code(status).type('application/json; charset=utf-8').send(body)
    }
    if (claim.isTakenOver && rule === 'once') throw new Refusal('outcome_unknown')
    const stop = idempotency.keep(db, claim, (error) =>
      log.warn({ err: error, requestId: request.id }, 'an idempotency key was not renewed'),
    )
    request.claimed = { claim, fingerprint, stop }
    return
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.claimed) return payload
    const { claim, fingerprint, stop } = request.claimed
    request.claimed = null
    stop()
    const { statusCode: status } = reply
    if (status < 300 && typeof payload === 'string')
      await idempotency.answer(db, claim, { fingerprint, status, body: payload })
    // A request that broke on our side may have done its work all the same: its key stays taken
    // until it runs out.
    else if (status < 500) await idempotency.release(db, claim)
    return payload
  })

  // The client went away: nobody sends an answer, and the key runs out by itself.
  app.addHook('onRequestAbort', async (request) => request.claimed?.stop())
}
