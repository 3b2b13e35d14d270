/**
 * The ways to Google, or to the operator's own issuer, and back. Both are navigations: the page at
 * which they end tells what went wrong.
 */
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { type Log, tellSecurity } from '#server/log.ts'
import { serve } from '#server/serve.ts'
import { exchangeTicket } from '#shared/visitor.ts'
import { Refusal } from '#shared/refusals.ts'

import type * as account from './account.ts'
import * as calls from './calls.ts'
import { RedeemTicket, TicketAnswer, issuerIds, LinkIssuer } from './contract.ts'
import type { Issuers } from './openid.ts'
import * as signIn from './openid-sign-in.ts'
import { isWhyShut } from './status.ts'
import { replaceSession, userOf } from './session-hook.ts'
import { cookieFor, deviceOf } from './sessions.ts'

export interface OpenIdRouteDeps extends account.Deps {
  publicUrl: URL
  log: Log
  issuers: Issuers
}

const open = { access: 'public' } as const
const SECURITY = '/account/security'

/**
 * Other parameters of an issuer are passed over; one that is too long or there twice counts as missing.
 */
const Callback = z.object({
  state: z.string().max(200).optional().catch(undefined),
  code: z.string().max(2_000).optional().catch(undefined),
})

export const openIdRoutes: FastifyPluginAsyncZod<OpenIdRouteDeps> = async (app, deps) => {
  const { publicUrl } = deps
  const begun = signIn.browserCookie(publicUrl)

  for (const id of issuerIds) {
    const issuer = deps.issuers[id]
    const failed = `/auth?error=${id}`
    app.get(`/api/auth/${id}`, { config: open }, async (request, reply) => {
      if (!issuer) return reply.redirect(failed, 303)
      const left = await signIn
        .leaveToSignIn({ ...deps, issuer }, request.ip)
        .catch((error: unknown) => {
          const refused = { event: `${id}_refused`, requestId: request.id, err: error }
          deps.log.warn(refused, 'sign-in elsewhere')
          return error instanceof Refusal && isWhyShut(error.code) ? error.code : id
        })
      if (typeof left === 'string') return reply.redirect(`/auth?error=${left}`, 303)
      setBrowser(reply, left.browser)
      return reply.redirect(left.url.href, 303)
    })

    // A call and not a link: another site must not be able to tie its own identity to this account.
    serve(
      app,
      calls.linkIssuer(id),
      { schema: { body: LinkIssuer, response: { 200: z.object({ url: z.string() }) } } },
      async (request, reply) => {
        if (!issuer) throw new Refusal('sign_in_off')
        const { id: userId, sessionId } = userOf(request)
        const owner = { userId, sessionId, ...request.body }
        const { url, browser } = await signIn.leaveToLink({ ...deps, issuer }, owner)
        setBrowser(reply, browser)
        tellSecurity(deps.log, request, { event: `${id}_link_asked`, userId })
        return { url: url.href }
      },
    )

    app.get(
      `/api/auth/${id}/callback`,
      { config: open, schema: { querystring: Callback } },
      async (request, reply) => {
        if (!issuer) return reply.redirect(failed, 303)
        const outcome = await signIn.comeBack(
          { ...deps, issuer },
          {
            state: request.query.state,
            code: request.query.code,
            query: new URL(request.url, publicUrl).search,
            browser: request.cookies[begun.name],
            device: deviceOf(request.headers['user-agent'] ?? ''),
            requestId: request.id,
            user: request.user,
          },
        )
        switch (outcome.kind) {
          case 'failed':
            return reply.redirect(failed, 303)
          case 'shut':
            return reply.redirect(`/auth?error=${outcome.why}`, 303)
          case 'not-linked':
            return reply.redirect(`${SECURITY}?${id}=taken`, 303)
          case 'linked':
            tellSecurity(deps.log, request, { event: `${id}_linked`, userId: outcome.userId })
            return reply.redirect(`${SECURITY}?${id}=linked`, 303)
          case 'welcome':
          case 'back': {
            await replaceSession(deps, request, reply, outcome.token)
            const { userId } = outcome
            tellSecurity(deps.log, request, { event: `signed_in_${id}`, userId })
            if (outcome.kind === 'welcome') return reply.redirect('/auth?welcome=1', 303)
            const query = new URLSearchParams({
              token: outcome.ticket,
              auth: 'success',
              // For the words of the page, should the ticket be refused.
              ...(id === 'google' ? {} : { with: id }),
            })
            return reply.redirect(`/?${query.toString()}`, 303)
          }
        }
      },
    )
  }

  serve(
    app,
    exchangeTicket,
    { schema: { body: RedeemTicket, response: { 200: TicketAnswer } } },
    async (request, reply) => {
      const browser = request.cookies[begun.name]
      const token = request.cookies[cookieFor(publicUrl).name]
      if (!browser || !token) throw new Refusal('ticket_refused')
      await signIn.redeem(deps, { ticket: request.body.ticket, browser, token })
      void reply.clearCookie(begun.name, begun.attributes)
      return { token }
    },
  )

  function setBrowser(reply: FastifyReply, browser: string): void {
    void reply.setCookie(begun.name, browser, begun.attributes)
  }
}
