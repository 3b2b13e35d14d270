/**
 * The calls by which an owner reads, changes and deletes the account. Each is about the user who is
 * signed in.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { type Log, tellSecurity } from '#server/log.ts'
import { rate } from '#server/limits.ts'
import { serve } from '#server/serve.ts'
import { BRAND } from '#shared/business.ts'
import { contentDisposition } from '#shared/file-names.ts'

import * as account from './account.ts'
import * as calls from './calls.ts'
import { security } from './calls-at-once.ts'
import * as activity from './activity.ts'
import {
  Account,
  ActivityEntry,
  ChangeEmail,
  ChangeNames,
  ChangePassword,
  ConfirmEmailChange,
  DataSize,
  DeleteAccount,
  DeletionReceipt,
  Done,
  EmailChangeConfirmed,
  SessionRow,
  SetReadyMail,
  User,
  issuerIds,
} from './contract.ts'
import type { Issuers } from './openid.ts'
import * as profile from './profile.ts'
import * as readyMail from './ready-mail.ts'
import { clearCookie, setCookie, setKnownBrowser, userOf } from './session-hook.ts'
import { deviceOf } from './sessions.ts'
import * as yourData from './your-data.ts'

/** Each is everything somebody has, recordings included. */
const ARCHIVES = [{ most: 10, seconds: 3_600 }]

export interface OwnerRouteDeps extends account.Deps, account.ResetDeps, yourData.DataDeps {
  publicUrl: URL
  log: Log
  issuers: Issuers
}

export const ownerRoutes: FastifyPluginAsyncZod<OwnerRouteDeps> = async (app, deps) => {
  serve(app, calls.readAccount, { schema: { response: { 200: Account } } }, async (request) =>
    profile.get(deps, { userId: userOf(request).id, issuers: deps.issuers }),
  )

  // Each leaves a line in the activity of the account, for half a year.
  const renames = rate('too_many_edits', [{ most: 30, seconds: 3_600 }])
  serve(
    app,
    calls.changeNames,
    { schema: { body: ChangeNames, response: { 200: User } } },
    async (request) => {
      const owner = ownerOf(request)
      renames.count(owner.userId, deps.clock())
      await profile.rename(deps, { ...owner, names: request.body })
      return account.get(deps.db, owner.userId)
    },
  )

  serve(
    app,
    calls.setReadyMail,
    { schema: { body: SetReadyMail, response: { 200: Done } } },
    async (request) => {
      const { isOn } = request.body
      await readyMail.set(deps.db, { userId: userOf(request).id, isOn })
      return { message: isOn ? 'We mail you when long work is done.' : 'These mails are off.' }
    },
  )

  app.get('/api/account/picture', async (request, reply) => {
    const { mediaType, bytes } = await profile.picture(deps.db, userOf(request).id)
    return reply.header('Cache-Control', 'private, max-age=86400').type(mediaType).send(bytes)
  })

  serve(
    app,
    calls.changePassword,
    { ...security, schema: { body: ChangePassword, response: { 200: Done } } },
    async (request, reply) => {
      const owner = ownerOf(request)
      const { token, browser } = await profile.changePassword(deps, { ...owner, ...request.body })
      keepSignedIn(request, reply, token)
      if (browser) setKnownBrowser(reply, deps.publicUrl, browser)
      tell(request, 'password_changed')
      return { message: 'Your password is changed. Everything that the old one opened has ended.' }
    },
  )

  serve(
    app,
    calls.changeEmail,
    { schema: { body: ChangeEmail, response: { 200: Done } } },
    async (request) => {
      await profile.askForEmailChange(deps, { ...ownerOf(request), ...request.body })
      tell(request, 'email_change_asked')
      return { message: 'We have mailed both addresses. Open the link in each mail.' }
    },
  )

  serve(
    app,
    calls.cancelEmailChange,
    { ...security, schema: { response: { 200: Done } } },
    async (request) => {
      await profile.cancelEmailChange(deps, userOf(request).id)
      return { message: 'Your address stays as it is.' }
    },
  )

  serve(
    app,
    calls.confirmEmailChange,
    {
      config: { access: 'public' },
      schema: { body: ConfirmEmailChange, response: { 200: EmailChangeConfirmed } },
    },
    async (request) => {
      const { isDone } = await profile.confirmEmailChange(deps, request.body.token)
      const message = isDone
        ? 'Your email address is changed.'
        : 'Thank you. Now open the link in the mail to your other address.'
      return { message, isDone }
    },
  )

  for (const provider of issuerIds)
    serve(
      app,
      calls.unlinkIssuer(provider),
      { ...security, schema: { response: { 200: Done } } },
      async (request) => {
        await profile.unlink(deps, { ...ownerOf(request), provider })
        tell(request, `${provider}_unlinked`)
        const name = deps.issuers[provider]?.name ?? 'It'
        return { message: `${name} no longer opens this account.` }
      },
    )

  serve(
    app,
    calls.listSessions,
    { schema: { response: { 200: z.array(SessionRow) } } },
    async (request) => profile.listSessions(deps, ownerOf(request)),
  )

  serve(
    app,
    calls.endOtherSessions,
    { ...security, schema: { response: { 200: Done } } },
    async (request) => {
      await profile.endOtherSessions(deps, ownerOf(request))
      tell(request, 'sessions_ended')
      return { message: 'Every other device is signed out.' }
    },
  )

  serve(
    app,
    calls.endSession,
    { ...security, schema: { params: z.object({ id: z.uuid() }), response: { 200: Done } } },
    async (request) => {
      await profile.endSession(deps, { ...ownerOf(request), id: request.params.id })
      tell(request, 'session_ended')
      return { message: 'It is signed out.' }
    },
  )

  const Page = z.object({ before: z.coerce.number().int().min(1).optional() })
  serve(
    app,
    calls.listActivity,
    { schema: { querystring: Page, response: { 200: z.array(ActivityEntry) } } },
    async (request) =>
      activity.list(deps.db, { userId: userOf(request).id, before: request.query.before }),
  )

  serve(app, calls.readDataSize, { schema: { response: { 200: DataSize } } }, async (request) =>
    yourData.size(deps, userOf(request).id),
  )

  const archives = rate('too_many_exports', ARCHIVES)
  serve(app, calls.exportData, { schema: {} }, async (request, reply) => {
    archives.count(userOf(request).id, deps.clock())
    const archive = await yourData.archive(deps, ownerOf(request))
    const day = deps.clock().toISOString().slice(0, 10)
    tell(request, 'data_exported')
    return reply
      .header('Content-Disposition', contentDisposition(`${BRAND.toLowerCase()}-${day}.zip`))
      .type('application/zip')
      .send(archive)
  })

  serve(
    app,
    calls.deleteAccount,
    { schema: { body: DeleteAccount, response: { 200: DeletionReceipt } } },
    async (request, reply) => {
      const receipt = await yourData.deleteAccount(deps, { ...ownerOf(request), ...request.body })
      clearCookie(reply, deps.publicUrl)
      tell(request, 'account_deleted')
      return receipt
    },
  )

  function tell(request: FastifyRequest, event: string): void {
    tellSecurity(deps.log, request, { event, userId: userOf(request).id })
  }

  /** The browser, or the script, goes on under a token that nobody has seen before. */
  function keepSignedIn(request: FastifyRequest, reply: FastifyReply, token: string): void {
    if (userOf(request).kind === 'web') setCookie(reply, deps.publicUrl, token)
    if (request.headers.authorization !== undefined) void reply.header('X-Auth-Token', token)
  }
}

function ownerOf(request: FastifyRequest): profile.Owner {
  const { id: userId, sessionId, kind } = userOf(request)
  const device = deviceOf(request.headers['user-agent'] ?? '')
  return { userId, sessionId, kind, ip: request.ip, device }
}
