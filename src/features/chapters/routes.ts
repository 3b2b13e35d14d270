/** The door to chapters. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import type { UserThreads } from '#features/text/user-threads.ts'
import { Chapters } from '#features/transcriptions/contract.ts'
import type { Db } from '#server/db.ts'
import { sendJson } from '#server/send.ts'
import { serve } from '#server/serve.ts'

import * as calls from './calls.ts'
import * as chapters from './chapters.ts'
import { SetChapters } from './contract.ts'
import { task } from './in-thread.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })

export const chapterRoutes: FastifyPluginAsyncZod<{ db: Db; userThreads: UserThreads }> = async (
  app,
  { db, userThreads },
) => {
  serve(
    app,
    calls.setChapters,
    {
      schema: {
        operationId: 'setChapters',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Set the chapters',
        description:
          'These and no others; an empty list takes all of them away. They are your own from then on: a new text or summary leaves them as they are. `message` of a refusal says which chapter is in the way.',
        refusals: ['not_finished', 'chapters_changed', 'chapter_misplaced'],
        params: Id,
        body: SetChapters,
        response: { 200: Chapters.describe('The chapters, as they are now.') },
      },
    },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      return chapters.set(db, { ...owned, ...request.body })
    },
  )

  serve(
    app,
    calls.findChapters,
    {
      schema: {
        operationId: 'findChapters',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Find chapters',
        description:
          'In the text as it is now, by changes of vocabulary, speakers and pauses. They take the place of those that there are, your own too. Free. A recording of up to ten minutes has none.',
        refusals: ['not_finished', 'no_chapters', 'too_many_edits'],
        params: Id,
        response: { 200: Chapters.describe('The chapters that were found.') },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      return sendJson(reply, await userThreads.longEdit(task('find'), owned))
    },
  )
}
