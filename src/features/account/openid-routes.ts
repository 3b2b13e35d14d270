/** The ways to Google and back. Both are navigations: what goes wrong is told by where they end. */
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { type Log, tellSecurity } from '#server/log.ts'
import { Refusal } from '#shared/refusals.ts'

import * as account from './account.ts'
import { RedeemTicket, TicketAnswer } from './contract.ts'
import { LinkGoogle } from './contract.ts'
import type { Google } from './openid.ts'
import * as googleSignIn from './openid-sign-in.ts'
import { setCookie, userOf } from './session-hook.ts'
import { cookieFor, deviceOf } from './sessions.ts'

export interface GoogleRouteDeps extends account.Deps {
  publicUrl: URL
  log: Log
  /** Null where it is not set up. */
  google: Google | null
}

const open = { access: 'public' } as const
const FAILED = '/auth?error=google'
const SECURITY = '/account/security'

/** Whatever else Google adds is passed over; what is too long or there twice counts as missing. */
const Callback = z.object({
  state: z.string().max(200).optional().catch(undefined),
  code: z.string().max(2_000).optional().catch(undefined),
})

export const googleRoutes: FastifyPluginAsyncZod<GoogleRouteDeps> = async (app, deps) => {
  const { publicUrl, google } = deps
  const begun = googleSignIn.browserCookie(publicUrl)

  app.get('/api/auth/google', { config: open }, async (_request, reply) => {
    if (!google) return reply.redirect(FAILED, 303)
    const { url, browser } = await googleSignIn.leaveToSignIn({ ...deps, google })
    setBrowser(reply, browser)
    return reply.redirect(url.href, 303)
  })

  // A call and not a link: another site must not be able to tie its own Google to this account.
  app.post(
    '/api/account/google',
    { schema: { body: LinkGoogle, response: { 200: z.object({ url: z.string() }) } } },
    async (request, reply) => {
      if (!google) throw new Refusal('google_off')
      const { id: userId, sessionId } = userOf(request)
      const owner = { userId, sessionId, ...request.body }
      const { url, browser } = await googleSignIn.leaveToLink({ ...deps, google }, owner)
      setBrowser(reply, browser)
      tellSecurity(deps.log, request, { event: 'google_link_asked', userId })
      return { url: url.href }
    },
  )

  app.get(
    '/api/auth/google/callback',
    { config: open, schema: { querystring: Callback } },
    async (request, reply) => {
      if (!google) return reply.redirect(FAILED, 303)
      const outcome = await googleSignIn.comeBack(
        { ...deps, google },
        {
          state: request.query.state,
          code: request.query.code,
          browser: request.cookies[begun.name],
          device: deviceOf(request.headers['user-agent'] ?? ''),
          requestId: request.id,
          user: request.user,
        },
      )
      switch (outcome.kind) {
        case 'failed':
          return reply.redirect(FAILED, 303)
        case 'not-linked':
          return reply.redirect(`${SECURITY}?google=taken`, 303)
        case 'linked':
          tellSecurity(deps.log, request, { event: 'google_linked', userId: outcome.userId })
          return reply.redirect(`${SECURITY}?google=linked`, 303)
        case 'welcome':
        case 'back': {
          // One browser, one session: the one that this sign-in replaces must not live on unseen.
          if (request.user?.kind === 'web') await account.logout(deps, request.user.sessionId)
          setCookie(reply, publicUrl, outcome.token)
          const { userId } = outcome
          tellSecurity(deps.log, request, { event: 'signed_in_google', userId })
          if (outcome.kind === 'welcome') return reply.redirect('/auth?welcome=1', 303)
          const query = new URLSearchParams({ token: outcome.ticket, auth: 'success' })
          return reply.redirect(`/?${query.toString()}`, 303)
        }
      }
    },
  )

  app.post(
    '/api/auth/ticket',
    { schema: { body: RedeemTicket, response: { 200: TicketAnswer } } },
    async (request, reply) => {
      const browser = request.cookies[begun.name]
      const token = request.cookies[cookieFor(publicUrl).name]
      if (!browser || !token) throw new Refusal('ticket_refused')
      await googleSignIn.redeem(deps, { ticket: request.body.ticket, browser, token })
      void reply.clearCookie(begun.name, begun.attributes)
      return { token }
    },
  )

  function setBrowser(reply: FastifyReply, browser: string): void {
    const { name, attributes, maxAgeSeconds } = begun
    void reply.setCookie(name, browser, { ...attributes, maxAge: maxAgeSeconds })
  }
}
