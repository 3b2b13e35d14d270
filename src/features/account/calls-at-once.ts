import { finished } from 'node:stream/promises'

import type { FastifyInstance } from 'fastify'

import { atMost } from '#server/one-by-one.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route itself decides how many of its calls one user may have under way: they take long. */
    atOnce?: 'by_route'
  }
}

const AT_ONCE = 3
/** Their bodies are in memory meanwhile: at most 256 KB each. */
const MOST_WAITING = 100
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Of one user's calls that change something, a few are worked on at once; the others wait. Checking a
 * body takes the event loop up to 50 ms, and many changes wait for a lock of their owner with a
 * connection in hand. Without this rule, 50 calls of one user would hold up everybody else.
 *
 * To be added after the sessions.
 */
export function limitCallsAtOnce(app: FastifyInstance): void {
  app.addHook('preValidation', async (request, reply) => {
    const { user, method } = request
    const isFree = !user || safeMethods.has(method)
    if (isFree || request.routeOptions.config.atOnce === 'by_route') return
    const begun = Promise.withResolvers<void>()
    const line = { key: `calls:${user.id}`, mostWaiting: MOST_WAITING }
    atMost(AT_ONCE, line, async () => {
      if (reply.raw.destroyed) throw new Error('the client went away before its call began')
      begun.resolve()
      // A client that goes away has ended its call too.
      await finished(reply.raw).catch(() => undefined)
    }).catch(begun.reject)
    await begun.promise
  })
}
