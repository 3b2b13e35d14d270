/** The door of links, for the owner of a transcription. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import { rate } from '#server/limits.ts'
import { serve } from '#server/serve.ts'

import * as calls from './calls.ts'
import { ChangeShare, MakeShare, Share, Shares } from './contract.ts'
import * as sharing from './sharing.ts'

const OfTranscription = z.object({ id: z.string().describe('The transcription.') })
const Id = z.object({ id: z.string().describe('The link.') })

export const shareRoutes: FastifyPluginAsyncZod<sharing.Deps> = async (app, deps) => {
  // An ended link makes room for the next, and each leaves lines in the activity of the account.
  const made = rate('too_many_edits', [{ most: 100, seconds: 3_600 }])
  serve(
    app,
    calls.makeShare,
    {
      config: { idempotency: 'once' },
      schema: {
        operationId: 'makeShare',
        tags: ['Links'],
        scopes: ['read', 'write'],
        summary: 'Share by a link',
        description:
          'Whoever has the address reads the transcript, and of the rest what is included, without an account. The page is for people; the same address with the ending of a format, such as .txt, .vtt, .json or .docx, is that file for programs.',
        refusals: [
          'not_finished',
          'render_not_made',
          'too_many_links',
          'too_many_edits',
          'too_many_link_passwords',
          'too_much_at_once',
          'server_busy',
        ],
        params: OfTranscription,
        body: MakeShare,
        response: { 201: Share.describe('The link.') },
      },
    },
    async (request, reply) => {
      const { id: userId } = userOf(request)
      const transcriptionId = request.params.id
      made.count(userId, deps.clock())
      return reply
        .code(201)
        .send(await sharing.make(deps, { userId, transcriptionId, ...request.body }))
    },
  )

  serve(
    app,
    calls.listSharesOfTranscription,
    {
      schema: {
        operationId: 'listSharesOfTranscription',
        tags: ['Links'],
        scopes: ['read'],
        summary: 'The links to a transcription',
        params: OfTranscription,
        response: { 200: Shares.describe('Those that still open, newest first.') },
      },
    },
    async (request) => {
      const owned = { userId: userOf(request).id, transcriptionId: request.params.id }
      return { shares: await sharing.listOf(deps, owned) }
    },
  )

  serve(
    app,
    calls.listShares,
    {
      schema: {
        operationId: 'listShares',
        tags: ['Links'],
        scopes: ['read'],
        summary: 'All links of the account',
        response: { 200: Shares.describe('Those that still open, newest first.') },
      },
    },
    async (request) => ({ shares: await sharing.listAll(deps, userOf(request).id) }),
  )

  serve(
    app,
    calls.changeShare,
    {
      schema: {
        operationId: 'changeShare',
        tags: ['Links'],
        scopes: ['read', 'write'],
        summary: 'Change a link',
        description:
          'Acts at once. What is left out stays; days count from now; a password of null takes it off, and another one closes the page for everybody who had opened it.',
        refusals: ['too_many_link_passwords', 'too_much_at_once', 'server_busy'],
        params: Id,
        body: ChangeShare,
        response: { 200: Share.describe('The link as it is now.') },
      },
    },
    async (request) =>
      sharing.change(deps, {
        userId: userOf(request).id,
        id: request.params.id,
        ...request.body,
      }),
  )

  serve(
    app,
    calls.endShare,
    {
      schema: {
        operationId: 'endShare',
        tags: ['Links'],
        scopes: ['write'],
        summary: 'End a link',
        description: 'The address stops working at once and cannot be had again.',
        params: Id,
        response: { 200: Done },
      },
    },
    async (request) => {
      await sharing.end(deps, { userId: userOf(request).id, id: request.params.id })
      return { message: 'The link has ended.' }
    },
  )
}
