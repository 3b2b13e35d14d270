import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

import { userOf } from '#features/account/session-hook.ts'
import { optionsIn } from '#features/recordings/options.ts'
import { Refusal, uploadRefusals } from '#shared/refusals.ts'

import { DirectFields, Started } from './contract.ts'
import { type DirectDeps, type Wish, creditHeaders, takeRecording } from './direct-call.ts'
import { formLimits } from './form.ts'
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
      config: { form: DirectFields, atOnce: 'by_route', idempotency: 'by_route' },
      schema: {
        operationId: 'createTranscription',
        tags: ['Transcriptions'],
        summary: 'Create a transcription',
        description:
          'Sends one recording, prices it, sets the credits aside and starts the work, in one call. Ask for the transcription until its status is completed or error, or let a webhook tell you.',
        answerHeaders: { ...creditHeaders, Location: 'Path of the transcription.' },
        refusals: [...uploadRefusals, 'documents_need_plan', 'too_many_unpaid_jobs'],
        response: { 201: Started.describe('The work has begun.') },
      },
    },
    async (request, reply) => {
      const { written } = await takeRecording(deps, request, reply, {
        userId: userOf(request).id,
        read: readFields,
        write: ({ transcription, ...charged }) => JSON.stringify({ ...transcription, ...charged }),
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

/** @throws Refusal `invalid_request` */
function readFields(fields: Record<string, string[]>): Wish {
  const last = Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [name, values.at(-1)]),
  )
  const parsed = DirectFields.safeParse(last)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = String(issue?.path[0] ?? '')
    throw new Refusal('invalid_request', {
      message: `The field ${field} holds a value this server does not know. Nothing was charged.`,
    })
  }
  const { summaryLanguage, generateDocument, documentType, includeImages } = parsed.data
  if (generateDocument === 'true' && !documentType)
    throw new Refusal('invalid_request', {
      message: 'Please choose a type for the document. Nothing was charged.',
    })
  return {
    summaryLanguage,
    options: optionsIn(parsed.data),
    document:
      generateDocument === 'true' && documentType
        ? { documentType, includeImages: includeImages === 'true' }
        : null,
  }
}
