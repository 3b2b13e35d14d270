/** The door to files that are made without cuts. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import { file } from '#server/api-schema.ts'
import type { Db } from '#server/db.ts'
import type { Queue } from '#server/queue.ts'
import { sendToOwner } from '#server/send-in-ranges.ts'
import { serve } from '#server/serve.ts'
import type { Storage } from '#server/storage.ts'
import type { Clock } from '#shared/clock.ts'

import * as calls from './calls.ts'
import { OrderRender, Render, Renders } from './contract.ts'
import * as renders from './renders.ts'
import type { Cover } from './veiled-sound.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })
const Ids = Id.extend({ renderId: z.string().describe('The file.') })

export const renderRoutes: FastifyPluginAsyncZod<{
  db: Db
  queue: Queue
  clock: Clock
  storage: Storage
  renderMinutesPerDay: number
  cover?: Cover | undefined
}> = async (app, deps) => {
  serve(
    app,
    calls.listRenders,
    {
      schema: {
        operationId: 'listRenders',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'The files made without cuts',
        refusals: [],
        params: Id,
        response: { 200: Renders },
      },
    },
    async (request) => renders.list(deps, { userId: userOf(request).id, id: request.params.id }),
  )

  serve(
    app,
    calls.orderRender,
    {
      schema: {
        operationId: 'orderRender',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Have a file made without the cuts',
        description:
          'Sound or film as it is without the cuts, and as the whole recording where there are none; or a clip of up to three minutes with captions in its picture, also of a recording that has none. Free; an account may have so many minutes made in 24 hours. Ask how far it is; the file is kept for seven days, and no longer than the recording. The same order again answers the file that is there.',
        refusals: [
          'not_finished',
          'recording_gone',
          'sound_being_hidden',
          'sound_not_hidden',
          'nothing_left',
          'clip_too_long',
          'no_film',
          'too_much_rendered',
          'account_blocked',
        ],
        params: Id,
        body: OrderRender,
        response: { 200: Render.describe('The file, as far as it is.') },
      },
    },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      return renders.order(deps, { ...owned, ...request.body })
    },
  )

  serve(
    app,
    calls.getRender,
    {
      schema: {
        operationId: 'getRender',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'How far a file without cuts is',
        refusals: [],
        params: Ids,
        response: { 200: Render },
      },
    },
    async (request) => renders.get(deps, { userId: userOf(request).id, ...request.params }),
  )

  serve(
    app,
    calls.removeRender,
    {
      schema: {
        operationId: 'removeRender',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Take a file without cuts away',
        description: 'Where it is still being made, it is made no further.',
        refusals: [],
        params: Ids,
        response: { 200: z.object({ message: z.string() }) },
      },
    },
    async (request) => {
      await renders.remove(deps, { userId: userOf(request).id, ...request.params })
      return { message: 'The file is gone. The recording and its cuts stay.' }
    },
  )

  serve(
    app,
    calls.getRenderFile,
    {
      schema: {
        operationId: 'getRenderFile',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'A file without cuts',
        description: 'To be played, or saved with `download=1`. Ranges are answered.',
        refusals: ['render_not_made'],
        params: Ids,
        querystring: z.object({
          download: z.enum(['1', '0']).default('0').describe('1 sends it as an attachment.'),
        }),
        response: {
          200: file('The file.', 'audio/*', 'video/mp4'),
          206: file('The range of it that was asked for.', 'audio/*', 'video/mp4'),
          302: z
            .undefined()
            .describe('Where it is kept in a bucket: an address that is good for some hours.'),
          304: z.undefined(),
          416: z.undefined(),
        },
      },
    },
    async (request, reply) => {
      const { download } = request.query
      const asked = { userId: userOf(request).id, ...request.params }
      const made = await renders.open(deps, { ...asked, isSaved: download === '1' })
      return sendToOwner(request, reply, made)
    },
  )
}
