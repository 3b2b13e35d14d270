/** The door to work on a recording again, and to the decisions that it left. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import * as engines from '#features/recordings/engines.ts'
import { ignoredIn, optionsIn } from '#features/recordings/options.ts'
import { needHeard, unusedOf } from '#features/recordings/workers.ts'
import { Again, DecideAgain, DecidedAgain } from '#features/text/contract.ts'
import type { UserThreads } from '#features/text/user-threads.ts'
import { AgainQuote, AgainRun, AskAgain, AskSpeakers } from '#features/transcriptions/contract.ts'
import type { Deps } from '#features/transcriptions/transcriptions.ts'
import { whileConnected } from '#server/request-body.ts'
import { sendJson } from '#server/send.ts'
import { serve } from '#server/serve.ts'
import { tasksIn } from '#server/threads.ts'

import * as again from './again.ts'
import * as calls from './calls.ts'
import type * as tasks from './tasks.ts'

const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))

const Id = z.object({ id: z.string().describe('The transcription.') })

export const againRoutes: FastifyPluginAsyncZod<
  Deps & { engines: engines.EngineNames; userThreads: UserThreads }
> = async (app, deps) => {
  const { userThreads } = deps
  serve(
    app,
    calls.transcribeAgain,
    {
      schema: {
        operationId: 'transcribeAgain',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Transcribe a recording again',
        description:
          'Answers what it costs. The work begins when the answer’s id is confirmed as that of an upload. Until the new text is there, the old one can be read and not be changed; corrections are carried over.',
        refusals: ['not_finished', 'recording_deleted', 'still_processing', 'language_off'],
        params: Id,
        body: AskAgain.nullish(),
        response: { 200: AgainQuote.describe('What it costs.') },
      },
    },
    async (request) => {
      engines.need(deps.engines)
      const { language, terms } = request.body ?? {}
      await needHeard(deps, optionsIn({ language }).spokenLanguage)
      const quote = await again.quote(deps, { ...ownedBy(request), ...request.body })
      return { ...quote, ...ignoredIn({ ignored: await unusedOf(deps, { terms }) }) }
    },
  )

  serve(
    app,
    calls.tellSpeakersApart,
    {
      config: { idempotency: 'repeatable' },
      schema: {
        operationId: 'tellSpeakersApart',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Tell the speakers apart again',
        description:
          'For nothing, ten times an hour. Every word stays; names stay with their voices.',
        refusals: [
          'not_finished',
          'recording_deleted',
          'still_processing',
          'too_many_free_runs',
          'too_many_unpaid_jobs',
        ],
        params: Id,
        body: AskSpeakers,
        response: { 200: AgainRun.describe('The work has begun.') },
      },
    },
    async (request) => {
      engines.need(deps.engines)
      const owned = ownedBy(request)
      return again.tellApart(deps, { ...owned, ...request.body })
    },
  )

  serve(
    app,
    calls.getAgain,
    {
      schema: {
        operationId: 'getAgain',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'What transcribing again would be, and what it left to decide',
        refusals: ['not_finished'],
        params: Id,
        response: { 200: Again.describe('What it costs, and what is to be decided.') },
      },
    },
    async (request, reply) => {
      const signal = whileConnected(reply)
      return sendJson(reply, await userThreads.read(task('againView'), ownedBy(request), signal))
    },
  )

  serve(
    app,
    calls.decideAgain,
    {
      schema: {
        operationId: 'decideAgain',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Put a correction into the new text, or leave it',
        refusals: ['not_finished', 'too_many_edits', 'being_rewritten', 'cannot_undo'],
        params: Id,
        body: DecideAgain,
        response: { 200: DecidedAgain.describe('What was decided, and what that changed.') },
      },
    },
    async (request, reply) =>
      sendJson(
        reply,
        await userThreads.edit(task('decide'), { ...ownedBy(request), ...request.body }),
      ),
  )

  serve(
    app,
    calls.goBack,
    {
      schema: {
        operationId: 'goBack',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Go back to the earlier text',
        description: 'This text is kept in its place for 30 days. No credits are returned.',
        refusals: ['not_finished', 'too_many_edits', 'being_rewritten', 'no_earlier_text'],
        params: Id,
        response: { 200: Again.describe('The earlier text is back.') },
      },
    },
    async (request, reply) =>
      sendJson(reply, await userThreads.edit(task('back'), ownedBy(request))),
  )

  serve(
    app,
    calls.dropEarlierText,
    {
      schema: {
        operationId: 'dropEarlierText',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Drop the earlier text',
        refusals: ['too_many_edits'],
        params: Id,
        response: { 200: Again.describe('It is gone.') },
      },
    },
    async (request, reply) =>
      sendJson(reply, await userThreads.edit(task('dropEarlier'), ownedBy(request))),
  )
}

const ownedBy = <Params extends { id: string }>(
  request: Parameters<typeof userOf>[0] & { params: Params },
) => ({ userId: userOf(request).id, ...request.params })
