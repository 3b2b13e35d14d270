/** The door of recordings: sending, playing, deleting. */
import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import * as documents from '#features/documents/documents.ts'
import { file } from '#server/api-schema.ts'
import {
  announcedBytes,
  dropUnreadBody,
  formLimits,
  readForm,
  whileConnected,
} from '#server/request-body.ts'
import { sendToOwner } from '#server/send-in-ranges.ts'
import { serve } from '#server/serve.ts'
import { getCapabilities } from '#shared/capabilities.ts'
import { cleanOriginalName } from '#shared/file-names.ts'

import * as calls from './calls.ts'
import {
  Capabilities,
  Engines,
  LastOptions,
  Peaks,
  SameAs,
  SameQuery,
  UploadAnswer,
  UploadFields,
} from './contract.ts'
import * as engines from './engines.ts'
import * as media from './media.ts'
import { accept, ignoredIn, lastOptions, wishIn } from './options.ts'
import { peaksOf } from './peaks.ts'
import * as recordings from './recordings.ts'
import { sameAs } from './same.ts'
import { beginRefusals, uploadRoutes } from './upload-routes.ts'
import type { Completing } from './uploads-in-parts.ts'
import { type ArrivingDeps, receiving, take } from './uploads.ts'
import { engineForUsers } from './workers.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })

export const recordingRoutes: FastifyPluginAsyncZod<
  Completing & ArrivingDeps & { capabilities: () => Promise<Capabilities> }
> = async (app, deps) => {
  await app.register(shareTarget)
  await app.register(multipart, formLimits)

  serve(
    app,
    calls.getEngines,
    {
      schema: {
        operationId: 'getEngines',
        tags: ['Account'],
        scopes: ['read'],
        summary: 'What recordings are worked on with',
        response: { 200: Engines.describe('The engines of this server.') },
      },
    },
    async () => engines.describe(await engineForUsers(deps)),
  )

  serve(
    app,
    getCapabilities,
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getCapabilities',
        tags: ['Account'],
        summary: 'What this server can do',
        description: 'What it does not name is not offered, and refused where it is asked for.',
        response: { 200: Capabilities.describe('What it can do now.') },
      },
    },
    () => deps.capabilities(),
  )

  serve(
    app,
    calls.getOptions,
    {
      schema: {
        operationId: 'getOptions',
        tags: ['Account'],
        scopes: ['read'],
        summary: 'The options of the last recording',
        description:
          'Those of the newest recording that came with some; the pages offer them again.',
        response: { 200: LastOptions.describe('The options.') },
      },
    },
    async (request) => lastOptions(deps, userOf(request).id),
  )

  // For the page that is about to send it: who sends it is told with the price.
  serve(
    app,
    calls.findSame,
    { schema: { querystring: SameQuery, response: { 200: z.object({ sameAs: SameAs }) } } },
    async (request) => {
      const name = cleanOriginalName(request.query.name)
      return {
        sameAs: await sameAs(deps.db, { ...request.query, userId: userOf(request).id, name }),
      }
    },
  )

  const receive = receiving(deps)
  app.post(
    '/api/upload',
    {
      config: { form: UploadFields, atOnce: 'by_route' },
      schema: {
        operationId: 'uploadRecording',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Upload without starting',
        description: 'Measures and prices a recording. Nothing is charged until it is confirmed.',
        refusals: beginRefusals,
        response: { 200: UploadAnswer.describe('The price.') },
      },
    },
    async (request, reply) => {
      dropUnreadBody(request, reply)
      const { id: userId } = userOf(request)
      return receive({ userId, bytes: announcedBytes(request) }, async (store) => {
        const signal = whileConnected(reply)
        const { fields, kept } = await readForm(request, (file) => store(file, signal))
        // Who may have no document hears of the plan, not of a type that is missing.
        if (fields['generateDocument']?.at(-1) === 'true')
          await documents.requirePlan(deps.db, userId)
        const order = await accept(deps, { userId, arrived: kept, ...wishIn(fields) })
        return { ...(await take(deps, order, signal)), ...ignoredIn(order) }
      })
    },
  )

  await app.register(uploadRoutes, deps)

  for (const called of [calls.getMedia, calls.checkMedia])
    serve(
      app,
      called,
      {
        // Fastify's own answer to HEAD would read a whole recording to say how long it is.
        exposeHeadRoute: false,
        schema: {
          operationId: 'getMedia',
          tags: ['Results'],
          scopes: ['read'],
          summary: 'The recording itself',
          description:
            'To be played, or saved with `download=1`, whether or not its transcription succeeded. Ranges are answered. Recordings are deleted 30 days after the upload, or before on request.',
          refusals: ['recording_gone', 'sound_being_hidden', 'not_playable'],
          params: Id,
          querystring: z.object({
            download: z
              .enum(['1', '0'])
              .default('0')
              .describe(
                '1 sends it as an attachment with the name of its file, also where browsers cannot play it.',
              ),
          }),
          response: {
            200: file('The recording.', 'audio/*', 'video/*', 'application/octet-stream'),
            206: file(
              'The range of it that was asked for.',
              'audio/*',
              'video/*',
              'application/octet-stream',
            ),
            302: z
              .undefined()
              .describe('Where it is kept in a bucket: an address that is good for some hours.'),
            304: z.undefined(),
            416: z.undefined(),
          },
        },
      },
      async (request, reply) => {
        const recording = await media.open(deps, {
          userId: userOf(request).id,
          id: request.params.id,
          isSaved: request.query.download === '1',
        })
        return sendToOwner(request, reply, recording)
      },
    )

  serve(
    app,
    calls.getPeaks,
    {
      schema: {
        operationId: 'getPeaks',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'The waveform',
        params: Id,
        response: { 200: Peaks.describe('Up to 1,000 values.') },
      },
    },
    async (request) => peaksOf(deps, { userId: userOf(request).id, id: request.params.id }),
  )

  serve(
    app,
    calls.deleteRecording,
    { schema: { params: Id, response: { 200: Done } } },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      await recordings.deleteRecording(deps, owned)
      return { message: 'The recording is deleted. The text stays.' }
    },
  )
}

/**
 * Where a phone's share menu sends files to the installed app. The service worker takes them before
 * they get here (web/service-worker.ts). In a browser that has none yet, the page says that they have
 * to be shared once more: a file that comes before anybody is known to be signed in is not kept.
 */
const shareTarget: FastifyPluginAsyncZod = async (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.post(
    '/share-target',
    { config: { access: 'public', changesNothing: true } },
    async (request, reply) => {
      dropUnreadBody(request, reply)
      return reply.redirect('/home?shared=missed', 303)
    },
  )
}
