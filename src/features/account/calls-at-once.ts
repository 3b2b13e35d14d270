import { finished } from 'node:stream'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { atMost } from '#server/one-by-one.ts'
import { Refusal } from '#shared/refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route itself decides how many of its calls one user may have under way: they take long. */
    atOnce?: 'by_route'
  }
}

const AT_ONCE = 3
const COME_BACK_SECONDS = 5
/** Together with those that wait. The body of each, of up to 256 KB, is in memory meanwhile. */
const MOST_UNDER_WAY = 60
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Of one user's calls that change something, a few are worked on at once; the others wait. Checking a
 * body takes the event loop up to 50 ms, and many changes wait for a lock of their owner with a
 * connection in hand. Without this rule, 50 calls of one user would hold up everybody else. What is
 * too much is refused before its body is read.
 *
 * To be added after the sessions.
 */
export function limitCallsAtOnce(app: FastifyInstance): void {
  const underWay = new Map<string, number>()
  const inLine = new WeakSet<FastifyRequest>()
  const leave = (id: string) => {
    const left = (underWay.get(id) ?? 1) - 1
    if (left > 0) underWay.set(id, left)
    else underWay.delete(id)
  }

  app.addHook('onRequest', async (request, reply) => {
    const id = countedUser(request)
    if (id === null) return
    const count = underWay.get(id) ?? 0
    if (count >= MOST_UNDER_WAY)
      throw new Refusal('too_much_at_once', { retryAfterSeconds: COME_BACK_SECONDS })
    underWay.set(id, count + 1)
    // Refused, or gone, before it got into line.
    finished(reply.raw, () => {
      if (!inLine.has(request)) leave(id)
    })
  })

  app.addHook('preValidation', async (request, reply) => {
    const id = countedUser(request)
    if (id === null) return
    if (reply.raw.destroyed) throw new Error('the client went away before its call began')
    inLine.add(request)
    const begun = Promise.withResolvers<void>()
    // A client that goes away has ended its call too.
    const ended = new Promise<void>((end) => void finished(reply.raw, () => end()))
    atMost(AT_ONCE, `calls:${id}`, async () => {
      if (reply.raw.destroyed) throw new Error('the client went away before its call began')
      begun.resolve()
      await ended
    })
      .catch(begun.reject)
      .finally(() => leave(id))
    await begun.promise
  })
}

/** Whose call it is, where it is one of those that are counted. */
function countedUser({ user, method, routeOptions }: FastifyRequest): string | null {
  const isCounted = user && !safeMethods.has(method) && routeOptions.config.atOnce !== 'by_route'
  return isCounted ? user.id : null
}
