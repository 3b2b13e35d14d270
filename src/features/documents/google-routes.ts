/** The routes with which a user permits Google Docs and makes a document there. */
import { createHash } from 'node:crypto'

import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import type { Db } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { serve } from '#server/serve.ts'
import { escapeHtml } from '#shared/html.ts'
import { Refusal } from '#shared/refusals.ts'

import * as calls from './calls.ts'
import { CreateGoogleDoc, GoogleAuthUrl, GoogleDocCreated } from './contract.ts'
import * as documents from './documents.ts'
import type { DocsTrip, GoogleDocs } from './google-docs.ts'
import { isBuiltIn } from './templates.ts'

export interface GoogleDocsDeps {
  db: Db
  recordings: documents.Recordings
  publicUrl: URL
  log: Log
  /** Null where it is not set up. */
  googleDocs: GoogleDocs | null
}

const TRIP_SECONDS = 600

/** Other parameters are ignored. One that is too long, or there twice, counts as missing. */
const Callback = z.object({
  state: z.string().max(200).optional().catch(undefined),
  code: z.string().max(2_000).optional().catch(undefined),
  error: z.string().max(200).optional().catch(undefined),
})
const Trip = z.object({ state: z.string().min(20), codeVerifier: z.string().min(20) })

export const googleDocsRoutes: FastifyPluginAsyncZod<GoogleDocsDeps> = async (app, deps) => {
  const { publicUrl, googleDocs, log } = deps
  const isSecure = publicUrl.protocol === 'https:'
  const cookieName = isSecure ? '__Host-quoth_docs_trip' : 'quoth_docs_trip'
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const

  serve(
    app,
    calls.getGoogleAuthUrl,
    { schema: { response: { 200: GoogleAuthUrl } } },
    async (_request, reply) => {
      if (!googleDocs) throw new Refusal('google_docs_off')
      const trip = googleDocs.newTrip()
      const kept = Buffer.from(JSON.stringify(trip)).toString('base64url')
      void reply.setCookie(cookieName, kept, { ...cookie, maxAge: TRIP_SECONDS })
      return { authUrl: (await googleDocs.addressFor(trip)).href }
    },
  )

  // Google sends the popup here. The answer is only of use to the browser that holds the trip's
  // cookie; whether that browser is signed in does not matter.
  app.get(
    '/api/google/callback',
    { config: { access: 'public' }, schema: { querystring: Callback } },
    async ({ query: { state, code, error }, cookies, id: requestId }, reply) => {
      void reply.clearCookie(cookieName, cookie)
      const trip = tripIn(cookies[cookieName])
      // A browser without the cookie of this trip gets a page without a message.
      const isOurs = trip !== null && state !== undefined && trip.state === state
      if (!googleDocs || !isOurs) return sendPage(reply, publicUrl, null)
      if (!code)
        return sendPage(reply, publicUrl, {
          type: 'error',
          state,
          message: error === 'access_denied' ? DENIED : FAILED,
        })
      try {
        const token = await googleDocs.tokenFor(code, trip)
        return await sendPage(reply, publicUrl, { type: 'success', state, token })
      } catch (failure) {
        log.warn({ event: 'google_docs_refused', requestId, err: failure }, 'google docs')
        return sendPage(reply, publicUrl, { type: 'error', state, message: FAILED })
      }
    },
  )

  serve(
    app,
    calls.createGoogleDoc,
    {
      config: { atOnce: 'export' },
      schema: { body: CreateGoogleDoc, response: { 200: GoogleDocCreated } },
    },
    async (request) => {
      if (!googleDocs) throw new Refusal('google_docs_off')
      const { token, title, content, documentType, documentId } = request.body
      const kind = isBuiltIn(documentType) ? `${documentType.replaceAll('-', ' ')} ` : ''
      const text = { title: title || `${kind}Document`, content }
      const of = { userId: userOf(request).id, documentId: documentId ?? '' }
      return googleDocs.create(
        token,
        documentId === undefined ? text : await documents.textForOthers(deps, { ...text, ...of }),
      )
    },
  )
}

const DENIED = 'Google was not allowed to create the document.'
const FAILED = 'Google did not confirm the permission. Please try again.'

type Message =
  | { type: 'success'; state: string; token: string }
  | { type: 'error'; state: string; message: string }

function tripIn(value: string | undefined): DocsTrip | null {
  try {
    const trip = Trip.safeParse(JSON.parse(Buffer.from(value ?? '', 'base64url').toString()))
    return trip.success ? trip.data : null
  } catch {
    return null // The cookie is not one of ours: there is no trip then.
  }
}

/** Sends the message to the page that opened the popup, and to no other, and closes the popup. */
const SCRIPT = `
const { origin, message } = JSON.parse(document.body.dataset.told)
if (window.opener && message) window.opener.postMessage(message, origin)
window.close()
`
const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface PageReply {
  headers(values: Record<string, string>): unknown
  type(mediaType: string): { send(html: string): unknown }
}

async function sendPage(
  reply: PageReply,
  publicUrl: URL,
  message: Message | null,
): Promise<unknown> {
  const told = JSON.stringify({
    origin: publicUrl.origin,
    message: message && { source: 'quoth-google-docs', ...message },
  })
  reply.headers({
    'Content-Security-Policy': POLICY,
    // With a stricter policy the popup could not reach the page that opened it.
    'Cross-Origin-Opener-Policy': 'unsafe-none',
  })
  const words =
    message?.type === 'success' ? 'Done. You can close this window.' : 'You can close this window.'
  return reply
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Google Docs</title><body data-told="${escapeHtml(told)}"><p>${words}</p><script>${SCRIPT}</script></body></html>`,
    )
}
