/**
 * Says who a request comes from: a session's cookie, or a bearer token. An Authorization header
 * switches the cookie off, so that a request never acts in two names, and a header that another
 * site could not have set is what exempts a request from the same-origin rule.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Db } from '#server/db.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'

import * as sessions from './sessions.ts'

export interface SignedIn {
  id: string
  sessionId: string
  kind: sessions.SessionKind
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, or null. */
    user: SignedIn | null
  }
  interface FastifyContextConfig {
    /** Calls below /api/ are for signed-in users unless they say otherwise. */
    access?: 'public'
  }
}

interface Deps {
  db: Db
  clock: Clock
  publicUrl: URL
}

/** Adds `request.user` to every route, and refuses /api/ calls of nobody. */
export function addSessions(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('user', null)

  app.addHook('onRequest', async (request, reply) => {
    const isCall = request.url.startsWith('/api/')
    // Scripts and pictures are the same for everybody: no need to ask the database.
    if (!isCall && !isStartPage(request)) return
    request.user = await signedIn(deps, request, reply)
    const isPublic = request.is404 || request.routeOptions.config.access === 'public'
    if (isCall && !isPublic && !request.user) throw new Refusal('not_signed_in')
  })
}

/** @throws Refusal `not_signed_in` */
export function userOf(request: FastifyRequest): SignedIn {
  if (!request.user) throw new Refusal('not_signed_in')
  return request.user
}

export function setCookie(reply: FastifyReply, publicUrl: URL, token: string): void {
  const { name, attributes, maxAgeSeconds } = sessions.cookieFor(publicUrl)
  void reply.setCookie(name, token, { ...attributes, maxAge: maxAgeSeconds })
}

export function clearCookie(reply: FastifyReply, publicUrl: URL): void {
  const { name, attributes } = sessions.cookieFor(publicUrl)
  void reply.clearCookie(name, attributes)
}

async function signedIn(
  { db, clock, publicUrl }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | null> {
  const { authorization } = request.headers
  const now = clock()
  if (authorization !== undefined) {
    const token = /^Bearer +([\w-]+) *$/i.exec(authorization)?.[1]
    if (!token) return null
    const session = await sessions.find(db, { token, kinds: ['web', 'token'], now })
    return session && toSignedIn(session)
  }
  const token = request.cookies[sessions.cookieFor(publicUrl).name]
  if (!token) return null
  const session = await sessions.find(db, { token, kinds: ['web'], now })
  if (session?.isProlonged) setCookie(reply, publicUrl, token)
  return session && toSignedIn(session)
}

function toSignedIn({ id, userId, kind }: sessions.Session): SignedIn {
  return { id: userId, sessionId: id, kind }
}

function isStartPage({ url }: FastifyRequest): boolean {
  return url === '/' || url.startsWith('/?')
}
