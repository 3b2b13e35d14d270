import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import * as documents from '#features/documents/documents.ts'
import * as engines from '#features/recordings/engines.ts'
import { ignoredIn, optionsIn } from '#features/recordings/options.ts'
import { withSame } from '#features/recordings/same.ts'
import { isByModel, needHeard, needSummaryIn, unusedOf } from '#features/recordings/workers.ts'
import { type UserThreads } from '#features/text/user-threads.ts'
import { file } from '#server/api-schema.ts'
import { whileConnected } from '#server/request-body.ts'
import { sendFile, sendJson } from '#server/send.ts'
import { serve } from '#server/serve.ts'
import { REWRITES_A_DAY } from '#shared/business.ts'

import * as batches from './batches.ts'
import * as calls from './calls.ts'
import {
  Batch,
  ChangeSummary,
  ChangedSummary,
  Confirm,
  ConfirmAnswer,
  ConfirmBatch,
  OrderSummary,
  Retry,
  SoFar,
  SoFarQuery,
  SummaryAgain,
  Transcription,
} from './contract.ts'
import { task } from './in-thread.ts'
import { isInSight } from './ready.ts'
import * as sample from './sample.ts'
import * as summaryAgain from './summary-again.ts'
import * as transcriptions from './transcriptions.ts'
import { withPlaces } from './waiting.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })
const Opened = z.object({ id: z.uuid() })

export const transcriptionRoutes: FastifyPluginAsyncZod<
  transcriptions.Deps & { engines: engines.EngineNames; userThreads: UserThreads }
> = async (app, deps) => {
  const { userThreads } = deps
  serve(app, calls.openSample, { schema: { response: { 200: Opened } } }, async (request) =>
    sample.open(deps, userOf(request).id),
  )

  serve(
    app,
    calls.confirmTranscription,
    {
      config: { idempotency: 'repeatable' },
      schema: {
        operationId: 'confirmTranscription',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Confirm an upload',
        description:
          'Names and terms that came with the upload are kept in the vocabulary of the account.',
        refusals: [
          'insufficient_credits',
          'already_confirmed',
          'not_waiting',
          'too_many_unpaid_jobs',
          'too_many_free_runs',
          'recording_deleted',
          'summary_language_off',
        ],
        params: Id,
        body: Confirm.nullish(),
        response: {
          200: ConfirmAnswer.describe('The credits are set aside and the work has begun.'),
        },
      },
    },
    async (request) => {
      engines.need(deps.engines)
      const owned = { userId: userOf(request).id, id: request.params.id }
      const wanted = request.body?.summaryLanguage
      await needSummaryIn(deps, wanted ?? 'auto', () =>
        transcriptions.areSpokenIn(deps.db, {
          userId: owned.userId,
          ids: [owned.id],
          language: wanted,
        }),
      )
      return transcriptions.confirm(deps, {
        ...owned,
        ...(wanted ? { summaryLanguage: wanted } : {}),
      })
    },
  )

  serve(
    app,
    calls.confirmBatch,
    {
      config: { idempotency: 'repeatable' },
      schema: {
        operationId: 'confirmBatch',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Confirm several uploads',
        description:
          'All of them or none. A refusal names in `refused` each id that is in the way, with its code and sentence. The same ids may be sent again: the answer stays the same, and nothing is charged twice.',
        refusals: [
          'insufficient_credits',
          'price_differs',
          'not_found',
          'parts_missing',
          'already_confirmed',
          'not_waiting',
          'too_many_unpaid_jobs',
          'language_off',
          'summary_language_off',
          'documents_need_plan',
          'templates_off',
          'template_gone',
        ],
        body: ConfirmBatch,
        response: {
          200: ConfirmAnswer.describe('The credits of all are set aside and the work has begun.'),
        },
      },
    },
    async (request) => {
      engines.need(deps.engines)
      const { language, speakers, channels, terms, document: order, ...asked } = request.body
      const said = { language, speakers, channels, terms }
      const isSaid = Object.values(said).some((each) => each !== undefined)
      const { id: userId } = userOf(request)
      const { summaryLanguage: wanted = 'auto', ids } = asked
      const options = isSaid ? optionsIn(said) : null
      await needHeard(deps, options?.spokenLanguage)
      await needSummaryIn(
        deps,
        wanted,
        () =>
          language === wanted ||
          transcriptions.areSpokenIn(deps.db, { userId, ids, language: wanted }),
      )
      const document =
        order && (await documents.accept(deps.db, { userId, ...order }, () => isByModel(deps)))
      const answer = await batches.confirm(deps, { userId, ...asked, document, options })
      return { ...answer, ...ignoredIn({ ignored: await unusedOf(deps, said) }) }
    },
  )

  serve(
    app,
    calls.getBatch,
    {
      schema: {
        operationId: 'getBatch',
        tags: ['Transcriptions'],
        scopes: ['read'],
        summary: 'How far a batch is',
        description:
          'What was confirmed together, in that order. The id is `batchId` of each of them.',
        params: z.object({ id: z.string().describe('The batch.') }),
        response: { 200: Batch.describe('The batch.') },
      },
    },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      return batches.get(deps, { ...owned, isLooking: isInSight(request) })
    },
  )

  serve(
    app,
    calls.retryTranscription,
    {
      config: { idempotency: 'repeatable' },
      schema: {
        operationId: 'retryTranscription',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Try a failed transcription again',
        description:
          'One that broke on our side goes on where it was. One in which no speech was found is heard again in another `language`; without one it is refused.',
        refusals: [
          'not_retryable',
          'refused_before',
          'too_many_unpaid_jobs',
          'given_up',
          'recording_deleted',
          'insufficient_credits',
          'language_off',
        ],
        params: Id,
        body: Retry.nullish(),
        response: { 200: ConfirmAnswer.describe('The work has begun again.') },
      },
    },
    async (request) => {
      engines.need(deps.engines)
      const owned = { userId: userOf(request).id, id: request.params.id }
      const { language } = request.body ?? {}
      const { spokenLanguage } = language === undefined ? {} : optionsIn({ language })
      await needHeard(deps, spokenLanguage)
      return transcriptions.retry(deps, { ...owned, spokenLanguage })
    },
  )

  serve(
    app,
    calls.cancelTranscription,
    {
      schema: {
        operationId: 'cancelTranscription',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Cancel before the end',
        description:
          'Stops the work, returns its credits and removes the recording. Where it was transcribed again, recording and text stay.',
        refusals: ['already_finished'],
        params: Id,
        response: { 200: Done.describe('It is cancelled.') },
      },
    },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const { keepsText } = await transcriptions.cancel(deps, owned)
      return {
        message: keepsText
          ? 'The text stays as it is, and no credits were charged.'
          : 'File has been removed and no credits were charged.',
      }
    },
  )

  serve(
    app,
    calls.getTranscription,
    {
      schema: {
        operationId: 'getTranscription',
        tags: ['Transcriptions'],
        scopes: ['read'],
        summary: 'Get a transcription',
        description: 'How far it is, and when it is completed all of it: text, summary, speakers.',
        params: Id,
        response: { 200: Transcription.describe('The transcription.') },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const isLooking = isInSight(request)
      const found = await transcriptions.getUncompleted(deps, { ...owned, isLooking })
      if (!found) {
        const signal = whileConnected(reply)
        return sendJson(reply, await userThreads.read(task('transcription'), owned, signal))
      }
      const [placed] = await withSame(deps.db, await withPlaces(deps.db, [found]))
      return placed ?? found
    },
  )

  // For its owner's screen: it has no place in the documentation, so no key may ask.
  serve(
    app,
    calls.getSoFar,
    { schema: { params: Id, querystring: SoFarQuery, response: { 200: SoFar } } },
    async (request, reply) => {
      const asked = { userId: userOf(request).id, id: request.params.id, ...request.query }
      return sendJson(reply, await userThreads.read(task('soFar'), asked, whileConnected(reply)))
    },
  )

  serve(
    app,
    calls.writeSummaryAgain,
    {
      config: { idempotency: 'repeatable' },
      schema: {
        operationId: 'writeSummaryAgain',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Write the summary again',
        description: `Key points, topics and action items are written again too, but for action items that were changed. The summary before stays until a better one is there. Free, ${REWRITES_A_DAY} times a day for each recording.`,
        refusals: ['not_finished', 'summary_under_way', 'too_many_summaries', 'summary_off'],
        params: Id,
        body: OrderSummary,
        response: { 202: SummaryAgain.describe('It is being written.') },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const isWritten = await isByModel(deps)
      return reply
        .code(202)
        .send(await summaryAgain.order(deps, { ...owned, ...request.body, isWritten }))
    },
  )

  serve(
    app,
    calls.changeSummary,
    {
      schema: {
        operationId: 'changeSummary',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Change the summary and its key points',
        description:
          'What is left out stays. What you write stands in the place of what was written, and stays when the summary is written again. A key point whose words are others keeps its place and quote where they prove it.',
        refusals: ['not_finished', 'summary_changed', 'too_many_edits'],
        params: Id,
        body: ChangeSummary,
        response: { 200: ChangedSummary.describe('The summary as it is now.') },
      },
    },
    async (request, reply) => {
      const asked = { userId: userOf(request).id, id: request.params.id, ...request.body }
      return sendJson(reply, await userThreads.edit(task('changeSummary'), asked))
    },
  )

  serve(
    app,
    calls.bringSummaryBack,
    {
      schema: {
        operationId: 'bringSummaryBack',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Bring back the summary before',
        description:
          'What stood there before it was written again; with its key points and topics.',
        refusals: ['not_finished', 'no_summary_before'],
        params: Id,
        response: { 200: Done.describe('It is there again.') },
      },
    },
    async (request) => {
      await summaryAgain.back(deps, { userId: userOf(request).id, id: request.params.id })
      return { message: 'The summary before is there again.' }
    },
  )

  serve(
    app,
    calls.downloadSummary,
    {
      config: { atOnce: 'export' },
      schema: {
        operationId: 'downloadSummary',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'The summary as summary-NAME.txt',
        refusals: ['not_finished', 'too_many_exports'],
        params: Id,
        response: { 200: file('The file.', 'text/plain') },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const whose = { ...owned, signal: whileConnected(reply) }
      const made = await userThreads.export(task('summary'), owned, whose)
      return sendFile(reply, { ...made, type: 'text/plain; charset=utf-8' })
    },
  )
}
