/** The door to cuts. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import type { Db } from '#server/db.ts'
import { serve } from '#server/serve.ts'

import * as calls from './calls.ts'
import { ChangeCuts, Cuts, UndoCuts } from './contract.ts'
import * as cuts from './cuts.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })

export const cutRoutes: FastifyPluginAsyncZod<{ db: Db }> = async (app, { db }) => {
  serve(
    app,
    calls.getCuts,
    {
      schema: {
        operationId: 'getCuts',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'The cuts of a recording',
        refusals: [],
        params: Id,
        response: { 200: Cuts.describe('The cuts, as they are now.') },
      },
    },
    async (request) => cuts.get(db, { userId: userOf(request).id, id: request.params.id }),
  )

  serve(
    app,
    calls.changeCuts,
    {
      schema: {
        operationId: 'changeCuts',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Cut, or put back',
        description:
          'Takes stretches out of the recording, and puts others back. The recording and its text stay as they are: cuts lie beside them. Free, and can be undone.',
        refusals: ['not_finished', 'recording_gone', 'too_many_cuts'],
        params: Id,
        body: ChangeCuts,
        response: { 200: Cuts.describe('The cuts, as they are now.') },
      },
    },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      return cuts.change(db, { ...owned, ...request.body })
    },
  )

  serve(
    app,
    calls.undoCuts,
    {
      schema: {
        operationId: 'undoCuts',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Undo the last change of the cuts',
        description: 'One after the other, the last fifty of them.',
        refusals: ['not_finished', 'cut_elsewhere'],
        params: Id,
        querystring: UndoCuts,
        response: { 200: Cuts.describe('The cuts, as they are now.') },
      },
    },
    async (request) =>
      cuts.undo(db, { userId: userOf(request).id, id: request.params.id, ...request.query }),
  )
}
