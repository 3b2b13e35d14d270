/**
 * Promise: however many calls one user sends at once, by cookie, token or key, six reads and three
 * changes are worked on, and the others wait without a connection (server/one-by-one.ts,
 * test/at-once.test.ts, test/route-limits.test.ts).
 */
import { finished } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { type Semaphore, semaphore } from '#server/semaphore.ts'
import { Refusal } from '#shared/refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * In which line the calls of a route stand. Without it, they stand among the reads or the changes
     * of their user. `by_route`: the route itself decides how many are under way, because they carry
     * files or take minutes.
     */
    atOnce?: keyof typeof lines | 'by_route'
  }
}

/**
 * The lines in which the calls of one user stand: how many are worked on at once, and how many may
 * be under way, of one session or key and of all together.
 */
const lines = {
  read: { atOnce: 6, ofOne: 500, ofAll: 1_000 },
  /** The body of each, of up to 256 KB, is in memory while it waits. */
  change: { atOnce: 3, ofOne: 50, ofAll: 100 },
} as const

const COME_BACK_SECONDS = 5
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Line {
  places: Semaphore
  /** How many calls of each session or key are under way. */
  underWay: Map<string, number>
}

interface Call {
  line: keyof typeof lines
  /** Whose line it is. */
  of: string
  /** The session or key it came with. */
  by: string
}

/**
 * Of one user's calls, a few are worked on at once; the others wait without a connection to the
 * database. Checking a body takes the event loop up to 50 ms, and many changes wait for a lock of
 * their owner with a connection in hand. Without this rule, 50 calls of one user would hold up
 * everybody else.
 *
 * - Sessions and keys of a user are served in turns, and none may fill a line alone. So whoever has
 *   stolen one does not shut the owner out.
 *
 * What is too much is refused before its body is read. To be added after the sessions.
 */
export function limitCallsAtOnce(app: FastifyInstance): void {
  const open = new Map<string, Line>()
  const places = new WeakMap<FastifyRequest, AsyncDisposable>()

  const lineOf = ({ line, of }: Call): Line => {
    const key = `${line}:${of}`
    const known = open.get(key) ?? { places: semaphore(lines[line].atOnce), underWay: new Map() }
    open.set(key, known)
    return known
  }
  /** @throws Refusal `too_much_at_once` */
  const enter = (call: Call, reply: FastifyReply) => {
    const { ofOne, ofAll } = lines[call.line]
    const { underWay } = lineOf(call)
    const mine = underWay.get(call.by) ?? 0
    const all = [...underWay.values()].reduce((sum, each) => sum + each, 0)
    if (mine >= ofOne || all >= ofAll)
      throw new Refusal('too_much_at_once', { retryAfterSeconds: COME_BACK_SECONDS })
    underWay.set(call.by, mine + 1)
    finished(reply.raw, () => {
      const left = (underWay.get(call.by) ?? 1) - 1
      if (left > 0) underWay.set(call.by, left)
      else underWay.delete(call.by)
      if (underWay.size === 0) open.delete(`${call.line}:${call.of}`)
    })
  }
  const leave = async (request: FastifyRequest) => {
    const place = places.get(request)
    places.delete(request)
    await place?.[Symbol.asyncDispose]()
  }

  app.addHook('onRequest', async (request, reply) => {
    const call = callOf(request)
    if (call) enter(call, reply)
  })

  app.addHook('preValidation', async (request, reply) => {
    const call = callOf(request)
    if (!call) return
    const isGone = new Error('the client went away before its call began')
    if (reply.raw.destroyed) throw isGone
    const gone = new AbortController()
    finished(reply.raw, () => {
      gone.abort(isGone)
      void leave(request)
    })
    const asker = { owner: call.by, lane: request }
    const place = await lineOf(call).places.take(gone.signal, asker)
    places.set(request, place)
    if (gone.signal.aborted) {
      await leave(request)
      gone.signal.throwIfAborted()
    }
  })

  // A file is sent for as long as somebody listens to it, and needs no connection for that.
  app.addHook('onSend', async (request, _reply, payload) => {
    if (typeof payload === 'object' && payload !== null && 'pipe' in payload) await leave(request)
    return payload
  })
}

/** In which line a call stands; null where it stands in none. */
function callOf({ user, method, routeOptions: { config } }: FastifyRequest): Call | null {
  if (!user || config.atOnce === 'by_route') return null
  const line = config.atOnce ?? (safeMethods.has(method) ? 'read' : 'change')
  return { line, of: user.id, by: user.sessionId }
}
