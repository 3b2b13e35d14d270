import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

import { userOf } from '#features/account/session-hook.ts'
import { UploadFields } from '#features/recordings/contract.ts'
import { ignoredIn, wishIn } from '#features/recordings/options.ts'
import { formLimits } from '#server/request-body.ts'
import { uploadRefusals } from '#shared/refusals.ts'

import { Started } from './contract.ts'
import { type DirectDeps, creditHeaders, takeRecording } from './direct-call.ts'
import { type KeyDeps, keyRoutes } from './key-routes.ts'
import { openAiRoutes } from './openai-routes.ts'
import { type WebhookDeps, webhookRoutes } from './webhook-routes.ts'

export type DeveloperDeps = DirectDeps & KeyDeps & WebhookDeps

export const developerRoutes: FastifyPluginAsyncZod<DeveloperDeps> = async (app, deps) => {
  await app.register(keyRoutes, deps)
  await app.register(webhookRoutes, deps)
  await app.register(multipart, formLimits)
  await app.register(openAiRoutes, deps)

  app.post(
    '/api/transcriptions',
    {
      config: { form: UploadFields, atOnce: 'by_route', idempotency: 'by_route' },
      schema: {
        operationId: 'createTranscription',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Create a transcription',
        description:
          'Sends one recording, prices it, sets the credits aside and starts the work, in one call. Ask for the transcription until its status is completed or error, or let a webhook tell you.',
        answerHeaders: { ...creditHeaders, Location: 'Path of the transcription.' },
        refusals: [
          ...uploadRefusals,
          'documents_need_plan',
          'templates_off',
          'template_gone',
          'too_many_unpaid_jobs',
        ],
        response: { 201: Started.describe('The work has begun.') },
      },
    },
    async (request, reply) => {
      const { written } = await takeRecording(deps, request, reply, {
        userId: userOf(request).id,
        read: wishIn,
        write: ({ transcription, ...charged }, asked) =>
          JSON.stringify({ ...transcription, ...charged, ...ignoredIn(asked) }),
      })
      const started = Started.parse(JSON.parse(written))
      return reply
        .code(201)
        .headers({
          Location: `/api/transcriptions/${started.id}`,
          'X-Credits-Charged': started.creditsDeducted,
          'X-Credits-Remaining': started.creditsRemaining,
        })
        .send(started)
    },
  )
}
