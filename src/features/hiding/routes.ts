/** The door to words that are hidden. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import * as account from '#features/account/account.ts'
import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import type { UserThreads } from '#features/text/user-threads.ts'
import type { Db } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import type { Queue } from '#server/queue.ts'
import { whileConnected } from '#server/request-body.ts'
import { sendJson } from '#server/send.ts'
import { serve } from '#server/serve.ts'
import type { Storage } from '#server/storage.ts'

import * as calls from './calls.ts'
import { FindWords, FoundWords, Hidden, HiddenList, HideWords } from './contract.ts'
import * as hiding from './hiding.ts'
import { task } from './in-thread.ts'
import * as others from './others.ts'
import * as sound from './sound.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })

export const hidingRoutes: FastifyPluginAsyncZod<{
  db: Db
  queue: Queue
  storage: Storage
  log: Log
  userThreads: UserThreads
  /** Mails to an address that this server keeps because it sends none: they name recordings. */
  forgetMailsTo: (email: string) => Promise<void>
}> = async (app, { db, queue, storage, log, userThreads, forgetMailsTo }) => {
  serve(
    app,
    calls.findWords,
    {
      schema: {
        operationId: 'findWords',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'Find a name before it is hidden',
        description:
          'Every place of these words, and other spellings that the recogniser may have made of them. Nothing is changed.',
        refusals: ['not_finished'],
        params: Id,
        body: FindWords,
        response: { 200: FoundWords },
      },
    },
    async (request, reply) => {
      const asked = { userId: userOf(request).id, ...request.params, ...request.body }
      return sendJson(reply, await userThreads.read(task('find'), asked, whileConnected(reply)))
    },
  )

  serve(
    app,
    calls.hideWords,
    {
      schema: {
        operationId: 'hideWords',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Hide a name',
        description:
          'For good: takes these words out of the text, its history and all that was made of it, and out of the sound. The recording is replaced; as it was, it cannot be brought back. Nobody hears it until the new one is there. For others: links and files are without them from now on, and nobody but you hears the recording until its sound is written without them; put it back whenever you like. Ask `GET …/hidden`. Free.',
        refusals: [
          'not_finished',
          'hidden_not_confirmed',
          'being_rewritten',
          'still_written',
          'sound_being_hidden',
          'nothing_to_hide',
          'too_much_hidden',
          'too_many_edits',
        ],
        params: Id,
        body: HideWords,
        response: { 200: Hidden.describe('The words are hidden; the sound is being written.') },
      },
    },
    async (request) => {
      const { id: userId } = userOf(request)
      const { for: scope, ...body } = request.body
      const order = { userId, ...request.params, ...body }
      if (scope === 'others') {
        const { hidden, files } = await userThreads.longEdit(task('hideForOthers'), order)
        await sound.add({ db, queue }, { veilOf: order.id })
        await removeAll(files)
        return hidden
      }
      const { hidden, files } = await userThreads.longEdit(task('hide'), order)
      await forgetMailsTo((await account.get(db, userId)).email)
      await sound.add({ db, queue }, { hidingId: hidden.id })
      await removeAll(files)
      return hidden
    },
  )

  serve(
    app,
    calls.putBack,
    {
      schema: {
        operationId: 'putBackHidden',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Put back what is hidden for others',
        description:
          'Links and files have it again; links play it once the sound is written. What was hidden for good stays hidden.',
        refusals: ['hidden_for_good'],
        params: Id.extend({ hiddenId: z.string().describe('What is hidden.') }),
        response: { 200: Done.describe('It is back.') },
      },
    },
    async (request) => {
      const { id } = request.params
      const left = await others.putBack(db, { userId: userOf(request).id, ...request.params })
      await sound.add({ db, queue }, { veilOf: id })
      await removeAll(left === null ? [] : [left])
      return { message: 'It is back.' }
    },
  )

  /** No row names them any more: one that stays here goes with the leftovers. */
  async function removeAll(files: readonly string[]): Promise<void> {
    for (const key of files)
      await storage.remove(key).catch((error: unknown) => {
        log.error({ err: error, key }, 'a file with words that were hidden is not removed')
      })
  }

  serve(
    app,
    calls.listHidden,
    {
      schema: {
        operationId: 'listHidden',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'What was hidden, and how far the sound is',
        description: 'For good, without the words: nothing keeps them.',
        refusals: [],
        params: Id,
        response: { 200: HiddenList },
      },
    },
    async (request) => hiding.list(db, { userId: userOf(request).id, id: request.params.id }),
  )
}
