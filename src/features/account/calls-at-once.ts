/**
 * Promise: however many calls one user sends at once, by cookie, token or key, of each kind no more
 * are worked on than six reads, three changes, three by which an owner shuts others out, three
 * exports, and three that wait for a model: 18 in all. The others wait without a connection. Files
 * that are sent or fetched have limits of their own (server/one-by-one.ts, test/at-once.test.ts,
 * test/route-limits.test.ts).
 *
 * Promise: a thief of a session or a key does not keep its owner from ending it
 * (server/small-bodies.ts, test/at-once.test.ts).
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
  /** Answers of a model, for which somebody waits. */
  model: { atOnce: 3, ofOne: 10, ofAll: 20 },
  /** Files that a thread writes, or that another server takes. */
  export: { atOnce: 3, ofOne: 30, ofAll: 60 },
  /** By which an owner shuts others out. No session has more than one of the places. */
  security: { atOnce: 3, ofOne: 20, ofAll: 1_000 },
} as const

/**
 * The options of a route by which an owner shuts others out. Bodies are read before the call is
 * counted, so they must be small.
 */
export const security = { bodyLimit: 8_192, config: { atOnce: 'security' } } as const

const COME_BACK_SECONDS = 5
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Line {
  places: Semaphore
  /** How many calls of each session or key are under way. */
  underWay: Map<string, number>
}

/** A call in its line. */
interface Standing {
  line: Line
  /** Aborts when the answer has ended, or its client has gone. */
  gone: AbortSignal
  place?: AsyncDisposable
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
 * - Short calls never wait for long ones of the same user: those have lines of their own.
 * - Sessions and keys of a user are served in turns, and none may fill a line alone. So a thief of one
 *   does not shut the owner out.
 * - Changing the password, ending sessions, revoking keys and signing out wait for none of these.
 *
 * A call beyond these limits is refused before its body is read. To be added after the sessions.
 */
export function limitCallsAtOnce(app: FastifyInstance): void {
  const open = new Map<string, Line>()
  const standing = new WeakMap<FastifyRequest, Standing>()

  /** @throws Refusal `too_much_at_once` */
  const enter = ({ line: name, of, by }: Call, request: FastifyRequest, reply: FastifyReply) => {
    const { atOnce, ofOne, ofAll } = lines[name]
    const key = `${name}:${of}`
    const line = open.get(key) ?? { places: semaphore(atOnce), underWay: new Map() }
    const { underWay } = line
    const mine = underWay.get(by) ?? 0
    const all = [...underWay.values()].reduce((sum, each) => sum + each, 0)
    if (mine >= ofOne || all >= ofAll)
      throw new Refusal('too_much_at_once', { retryAfterSeconds: COME_BACK_SECONDS })
    open.set(key, line)
    underWay.set(by, mine + 1)
    const gone = new AbortController()
    standing.set(request, { line, gone: gone.signal })
    finished(reply.raw, () => {
      const left = (underWay.get(by) ?? 1) - 1
      if (left > 0) underWay.set(by, left)
      else underWay.delete(by)
      if (underWay.size === 0) open.delete(key)
      gone.abort(new Error('the client went away before its call began'))
      void leave(request)
    })
  }
  const leave = async (request: FastifyRequest) => {
    const { place } = standing.get(request) ?? {}
    standing.delete(request)
    await place?.[Symbol.asyncDispose]()
  }

  app.addHook('onRequest', async (request, reply) => {
    const call = callOf(request)
    // Bodies that are sent slowly must not keep an owner out.
    if (call && call.line !== 'security') enter(call, request, reply)
  })

  app.addHook('preValidation', async (request, reply) => {
    const call = callOf(request)
    if (call?.line === 'security') enter(call, request, reply)
    const stood = standing.get(request)
    if (!call) return
    if (!stood) throw new Error('the client went away before its call began')
    const lane = call.line === 'security' ? call.by : request
    stood.place = await stood.line.places.take(stood.gone, { owner: call.by, lane })
    if (!stood.gone.aborted) return
    await stood.place[Symbol.asyncDispose]()
    stood.gone.throwIfAborted()
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
  // Routes that are open to everybody have limits of their own.
  if (config.access === 'public' && !config.atOnce) return null
  const line = config.atOnce ?? (safeMethods.has(method) ? 'read' : 'change')
  return { line, of: user.id, by: user.sessionId }
}
