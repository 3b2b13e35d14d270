/**
 * Finds the user of a request by the session's cookie, or by a bearer token. An Authorization header
 * switches the cookie off, so that a request never acts in two names. So a request with it is exempt from
 * the same-origin rule: another site acts with a key that it knows, and never with somebody's cookie.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { together } from '#server/one-by-one.ts'
import { isCall } from '#server/security.ts'
import { Refusal } from '#shared/refusals.ts'

import * as knownBrowsers from './known-browsers.ts'
import { isOperator } from './operators.ts'
import * as sessions from './sessions.ts'
import * as throttle from './throttle.ts'

export interface SignedIn {
  id: string
  sessionId: string
  kind: sessions.SessionKind
  /** Set where a program's key was shown instead of a session's token. */
  key?: { id: string; scopes: readonly string[] }
}

/** Whom a bearer token names that no session knows: the keys of a later room. */
type Authenticate = (
  token: string,
) => Promise<{ id: string; userId: string; scopes: readonly string[] } | null>

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, or null. */
    user: SignedIn | null
  }
  interface FastifyContextConfig {
    /**
     * Calls below /api/ and /v1/ are for signed-in users unless they say otherwise. One that is for
     * operators is not there for anybody else.
     */
    access?: 'public' | 'operators'
    /** Whether a page has to know who asks for it. */
    knowsVisitor?: true
  }
}

export interface SessionDeps extends throttle.CountDeps {
  publicUrl: URL
  /** Knows the keys of programs; they belong to a later room. */
  authenticate?: Authenticate | undefined
  /** The addresses of the operators, as `operatorsOf` reads them. */
  operators: ReadonlySet<string>
}

/** Adds `request.user` to every route, and refuses calls of nobody. */
export function addSessions(app: FastifyInstance, deps: SessionDeps): void {
  app.decorateRequest('user', null)

  app.addHook('onRequest', async (request, reply) => {
    const isOfProgram = isCall(request)
    // Scripts and pictures are the same for everybody: no need to ask the database.
    const { config } = request.routeOptions
    if (!isOfProgram && request.routeOptions.url !== '/' && !config.knowsVisitor) return
    request.user = await signedIn(deps, request, reply)
    if (request.routeOptions.config.access === 'operators') {
      if (!(await isOperator(deps, request.user))) throw new Refusal('not_found')
      return
    }
    const isPublic = request.is404 || request.routeOptions.config.access === 'public'
    if (!isOfProgram || isPublic || request.user) return
    if (request.headers.authorization !== undefined)
      await throttle.countNetwork(deps, 'badTokens', request.ip)
    throw new Refusal('not_signed_in')
  })
}

/** Whether an operator asks for a page; pages do not know otherwise who asks for them. */
export async function isForOperator(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  return isOperator(deps, await signedIn(deps, request, reply))
}

/** @throws Refusal `not_signed_in` */
export function userOf(request: FastifyRequest): SignedIn {
  if (!request.user) throw new Refusal('not_signed_in')
  return request.user
}

/** One browser, one session: the one that a sign-in replaces must not live on unseen. */
export async function replaceSession(
  { db, publicUrl }: Pick<SessionDeps, 'db' | 'publicUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  if (request.user?.kind === 'web') await sessions.end(db, request.user.sessionId)
  setCookie(reply, publicUrl, token)
}

export function setCookie(reply: FastifyReply, publicUrl: URL, token: string): void {
  const { name, attributes } = sessions.cookieFor(publicUrl)
  void reply.setCookie(name, token, attributes)
}

/** Lets the browser be known again where somebody guesses at this account. */
export function setKnownBrowser(reply: FastifyReply, publicUrl: URL, token: string): void {
  const { name, attributes } = knownBrowsers.cookieFor(publicUrl)
  void reply.setCookie(name, token, attributes)
}

export function clearCookie(reply: FastifyReply, publicUrl: URL): void {
  const { name, attributes } = sessions.cookieFor(publicUrl)
  void reply.clearCookie(name, attributes)
}

/** Hundreds of calls that come with one token at once are looked up together. */
async function signedIn(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | null> {
  const { db, clock, publicUrl } = deps
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const token = /^Bearer +([\w-]+) *$/i.exec(authorization)?.[1]
    if (!token) return null
    return together(`bearer:${sessions.hashOf(token)}`, () => bearerOf(deps, token))
  }
  const token = request.cookies[sessions.cookieFor(publicUrl).name]
  if (!token) return null
  const session = await together(`cookie:${sessions.hashOf(token)}`, () =>
    sessions.find(db, { token, kinds: ['web'], now: clock() }),
  )
  if (session?.isProlonged) setCookie(reply, publicUrl, token)
  return session && toSignedIn(session)
}

async function bearerOf(
  { db, clock, authenticate }: SessionDeps,
  token: string,
): Promise<SignedIn | null> {
  const key = await authenticate?.(token)
  if (key) {
    const { id, userId, scopes } = key
    return { id: userId, sessionId: id, kind: 'token', key: { id, scopes } }
  }
  const session = await sessions.find(db, { token, kinds: ['web', 'token'], now: clock() })
  return session && toSignedIn(session)
}

function toSignedIn({ id, userId, kind }: sessions.Session): SignedIn {
  return { id: userId, sessionId: id, kind }
}
