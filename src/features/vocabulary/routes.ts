/** The door to an account's vocabulary. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

import { userOf } from '#features/account/session-hook.ts'
import type { Db } from '#server/db.ts'
import { serve } from '#server/serve.ts'

import * as calls from './calls.ts'
import { SetVocabulary, Vocabulary } from './contract.ts'
import * as vocabulary from './vocabulary.ts'

export const vocabularyRoutes: FastifyPluginAsyncZod<{ db: Db }> = async (app, { db }) => {
  serve(
    app,
    calls.getVocabulary,
    {
      schema: {
        operationId: 'getVocabulary',
        tags: ['Account'],
        scopes: ['read'],
        summary: 'Names, terms and fixed replacements',
        response: { 200: Vocabulary.describe('The vocabulary of the account.') },
      },
    },
    async (request) => vocabulary.get(db, userOf(request).id),
  )

  serve(
    app,
    calls.setVocabulary,
    {
      schema: {
        operationId: 'setVocabulary',
        tags: ['Account'],
        scopes: ['read', 'write'],
        summary: 'Change the vocabulary',
        description:
          'Each list that is sent takes the place of the one before; what is left out stays. Nothing changes in recordings that are there already.',
        refusals: ['edited_elsewhere'],
        body: SetVocabulary,
        response: { 200: Vocabulary.describe('The vocabulary as it is now.') },
      },
    },
    async (request) => vocabulary.set(db, { ...request.body, userId: userOf(request).id }),
  )
}
