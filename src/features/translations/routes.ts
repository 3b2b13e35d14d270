/** The door to translations: order, read, translate again, end. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import type { UserThreads } from '#features/text/user-threads.ts'
import { whileConnected } from '#server/request-body.ts'
import { sendJson } from '#server/send.ts'
import { serve } from '#server/serve.ts'
import type { Capabilities } from '#shared/capabilities.ts'
import { Refusal } from '#shared/refusals.ts'

import * as calls from './calls.ts'
import { OrderTranslation, Translation, TranslationLanguage, TranslationText } from './contract.ts'
import { task } from './in-thread.ts'
import * as translations from './translations.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })
const OfLanguage = Id.extend({ language: z.string().describe('Its language, as ISO 639-1.') })

/** A code that is no language of translations is answered as not found. */
function named({ id, language }: z.infer<typeof OfLanguage>) {
  const known = TranslationLanguage.safeParse(language)
  if (!known.success) throw new Refusal('not_found')
  return { id, language: known.data }
}

export const translationRoutes: FastifyPluginAsyncZod<
  translations.Deps & { capabilities: () => Promise<Capabilities>; userThreads: UserThreads }
> = async (app, deps) => {
  serve(
    app,
    calls.listTranslations,
    {
      schema: {
        operationId: 'listTranslations',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'List the translations of a transcription',
        params: Id,
        response: { 200: z.array(Translation).describe('Without their text.') },
      },
    },
    async (request) =>
      translations.list(deps.db, { userId: userOf(request).id, ...request.params }),
  )

  serve(
    app,
    calls.orderTranslation,
    {
      config: { idempotency: 'repeatable' },
      schema: {
        operationId: 'orderTranslation',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Translate a transcription',
        description:
          'One credit for a language, set aside now and returned if it fails. What is being translated, or is there, is answered as it is and not paid for twice.',
        refusals: [
          'not_finished',
          'translation_off',
          'same_language',
          'nothing_to_translate',
          'too_much_to_translate',
          'being_rewritten',
          'insufficient_credits',
          'too_many_unpaid_translations',
        ],
        params: Id,
        body: OrderTranslation,
        response: { 202: Translation.describe('It is being translated, or is there.') },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, ...request.params }
      return reply.code(202).send(await translations.order(deps, { ...owned, ...request.body }))
    },
  )

  serve(
    app,
    calls.getTranslation,
    {
      schema: {
        operationId: 'getTranslation',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'Read a translation',
        description: 'For files, captions among them, ask the export for its `language`.',
        params: OfLanguage,
        response: { 200: TranslationText.describe('With its turns, as far as they are there.') },
      },
    },
    async (request, reply) => {
      const asked = { userId: userOf(request).id, ...named(request.params) }
      return sendJson(
        reply,
        await deps.userThreads.read(task('text'), asked, whileConnected(reply)),
      )
    },
  )

  serve(
    app,
    calls.translateChanges,
    {
      schema: {
        operationId: 'translateChanges',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Translate again what was changed',
        description:
          'For nothing: only turns whose text was changed or added since, at most twenty times a day, and in a day about as much as can be said in the time of the recording.',
        refusals: ['translation_off', 'not_translated', 'too_many_retranslations'],
        params: OfLanguage,
        response: { 202: Translation.describe('It is being translated, or nothing was changed.') },
      },
    },
    async (request, reply) =>
      reply
        .code(202)
        .send(
          await translations.again(deps, { userId: userOf(request).id, ...named(request.params) }),
        ),
  )

  serve(
    app,
    calls.deleteTranslation,
    {
      schema: {
        operationId: 'deleteTranslation',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Delete a translation',
        description: 'One that is being made stops, and its credit is returned.',
        params: OfLanguage,
        response: { 200: Done },
      },
    },
    async (request) => {
      await translations.remove(deps, { userId: userOf(request).id, ...named(request.params) })
      return { message: 'The translation is deleted.' }
    },
  )
}
