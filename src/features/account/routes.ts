import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { tellSecurity } from '#server/log.ts'
import { serve } from '#server/serve.ts'
import { logOut } from '#shared/visitor.ts'
import { Refusal } from '#shared/refusals.ts'

import * as account from './account.ts'
import * as calls from './calls.ts'
import { security } from './calls-at-once.ts'
import {
  AuthOptions,
  Done,
  EmailOnly,
  Login,
  LoginAnswer,
  Register,
  ResetPassword,
  User,
  Verified,
  VerifyEmail,
} from './contract.ts'
import * as knownBrowsers from './known-browsers.ts'
import { type OpenIdRouteDeps, openIdRoutes } from './openid-routes.ts'
import { isOperator } from './operators.ts'
import { type OwnerRouteDeps, ownerRoutes } from './owner-routes.ts'
import * as readyMail from './ready-mail.ts'
import { clearCookie, replaceSession, setKnownBrowser, userOf } from './session-hook.ts'
import * as sessions from './sessions.ts'

export interface RouteDeps extends OpenIdRouteDeps, OwnerRouteDeps {
  /** Whether a request was made by this site's own pages, as far as its headers tell. */
  isSameOrigin: (request: FastifyRequest) => boolean
  /** Where mails that were not sent can be read, for this visitor; null where they cannot. */
  devMailFor: (request: FastifyRequest) => string | null
  /** The addresses of the operators, as `operatorsOf` reads them. */
  operators: ReadonlySet<string>
}

const open = { access: 'public' } as const

export const accountRoutes: FastifyPluginAsyncZod<RouteDeps> = async (app, deps) => {
  const registered = account.registrationCookie(deps.publicUrl)
  await app.register(openIdRoutes, deps)
  await app.register(ownerRoutes, deps)
  await app.register(mailsOff, deps)

  serve(
    app,
    calls.getUser,
    {
      schema: {
        operationId: 'getUser',
        tags: ['Account'],
        scopes: ['read'],
        summary: 'Current user',
        description: 'Plan and credits of the account the token belongs to.',
        response: { 200: User.describe('The user.') },
      },
    },
    async (request) => {
      const user = await account.get(deps.db, userOf(request).id)
      return (await isOperator(deps, request.user)) ? { ...user, isOperator: true as const } : user
    },
  )

  serve(
    app,
    calls.register,
    { config: open, schema: { body: Register, response: { 201: Done } } },
    async (request, reply) => {
      const { browser } = await account.register(deps, { ...request.body, ip: request.ip })
      void reply.setCookie(registered.name, browser, registered.attributes)
      return reply.code(201).send({
        message: 'Account Created! Please check your email to verify your account.',
      })
    },
  )

  serve(
    app,
    calls.verifyEmail,
    { config: open, schema: { body: VerifyEmail, response: { 200: Verified } } },
    async (request, reply) => {
      const registration = request.cookies[registered.name]
      const shown = { ...request.body, ...visitorOf(request), registration }
      const { next, ...signedIn } = await account.verifyEmail(deps, shown)
      tell(request, 'email_verified', signedIn.user.id)
      void reply.clearCookie(registered.name, registered.attributes)
      await enter(request, reply, signedIn)
      return { message: 'Your email is confirmed.', user: signedIn.user, next }
    },
  )

  serve(
    app,
    calls.resendVerification,
    { config: open, schema: { body: EmailOnly, response: { 200: Done } } },
    async (request) => {
      await account.resendVerification(deps, { ...request.body, ip: request.ip })
      return { message: 'Verification Email Sent' }
    },
  )

  serve(
    app,
    calls.logIn,
    { config: open, schema: { body: Login, response: { 200: LoginAnswer } } },
    async (request, reply) => {
      const known = request.cookies[knownBrowsers.cookieFor(deps.publicUrl).name]
      const visitor = { ...visitorOf(request), browser: known }
      const signedIn = await account.login(deps, { ...request.body, ...visitor })
      const { user, kind, token } = signedIn
      if (kind === 'token') {
        tell(request, 'token_made', user.id)
        return { user, token }
      }
      await enter(request, reply, signedIn)
      return { user }
    },
  )

  serve(
    app,
    calls.forgotPassword,
    { config: open, schema: { body: EmailOnly, response: { 200: Done } } },
    async (request) => {
      await account.forgotPassword(deps, { ...request.body, ip: request.ip })
      return { message: 'If an account exists, a password reset link has been sent.' }
    },
  )

  serve(
    app,
    calls.resetPassword,
    { config: open, schema: { body: ResetPassword, response: { 200: Done } } },
    async (request, reply) => {
      const { userId } = await account.resetPassword(deps, request.body)
      tell(request, 'password_reset', userId)
      clearCookie(reply, deps.publicUrl)
      return { message: 'Your password is changed. Sign in with it.' }
    },
  )

  serve(
    app,
    logOut,
    {
      ...security,
      config: { ...open, ...security.config },
      schema: { response: { 200: Done } },
    },
    async (request, reply) => {
      await leave(request, reply)
      return { message: "You've been successfully logged out." }
    },
  )

  // A link leads here, so no header proves that it is ours; one that proves the opposite counts.
  const leaving = { config: { ...open, ...security.config } }
  app.get('/api/logout', leaving, async (request, reply) => {
    if (deps.isSameOrigin(request)) await leave(request, reply)
    return reply.redirect('/', 303)
  })

  serve(
    app,
    calls.readAuthOptions,
    { config: open, schema: { response: { 200: AuthOptions } } },
    async (request) => ({
      oidc: deps.issuers.oidc?.name ?? null,
      devMail: deps.devMailFor(request),
      signUp: deps.signUp,
    }),
  )

  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    { user, token, browser }: account.SignedIn,
  ): Promise<void> {
    tell(request, 'signed_in', user.id)
    await replaceSession(deps, request, reply, token)
    if (browser) setKnownBrowser(reply, deps.publicUrl, browser)
  }

  async function leave(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.user) {
      await sessions.end(deps.db, request.user.sessionId)
      tell(request, 'signed_out', request.user.id)
    }
    clearCookie(reply, deps.publicUrl)
  }

  function tell(request: FastifyRequest, event: string, userId: string): void {
    tellSecurity(deps.log, request, { event, userId })
  }
}

function visitorOf(request: FastifyRequest): { ip: string; device: string } {
  return { ip: request.ip, device: sessions.deviceOf(request.headers['user-agent'] ?? '') }
}

/**
 * Switches the mails off that say that work is done, by the key in such a mail. Programs that read mail
 * post here by themselves when their user says so (RFC 8058), with a form of any kind; people open the
 * same address, and its page posts.
 */
const mailsOff: FastifyPluginAsyncZod<Pick<RouteDeps, 'db'>> = async (app, { db }) => {
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4_096 }, (_request, _body, done) =>
    done(null),
  )
  serve(
    app,
    calls.switchMailsOff,
    { config: open, schema: { querystring: z.object({ key: z.uuid() }), response: { 200: Done } } },
    async (request, reply) => {
      if (!(await readyMail.switchOff(db, request.query.key))) throw new Refusal('not_found')
      void reply.header('Cache-Control', 'no-store')
      return { message: 'These mails are off.' }
    },
  )
}
