/** The door to the words of a result: reading and correcting. */
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import type { Db } from '#server/db.ts'
import { whileConnected } from '#server/request-body.ts'
import { sendJson } from '#server/send.ts'
import { serve } from '#server/serve.ts'
import { type Task, tasksIn } from '#server/threads.ts'
import { refusals } from '#shared/refusals.ts'

import type { UserThreads } from './user-threads.ts'
import { accuracyByEngine } from './accuracy.ts'
import * as calls from './calls.ts'
import {
  AcceptWords,
  Accuracy,
  AssignSpeaker,
  EditText,
  Edited,
  EngineAccuracy,
  MergeTurn,
  RenameSpeaker,
  ReplaceText,
  Replaced,
  Restore,
  SetTimes,
  SplitTurn,
  UndoEdit,
  Words,
} from './contract.ts'
import type * as tasks from './tasks.ts'

const task = tasksIn<typeof tasks>(new URL('./tasks.ts', import.meta.url))

const Id = z.object({ id: z.string().describe('The transcription.') })
const OfTurn = z.object({ id: z.string(), turnId: z.uuid() })
const OfSpeaker = z.object({ id: z.string(), speaker: z.coerce.number().int().min(0).max(999) })

export const editorRoutes: FastifyPluginAsyncZod<{ db: Db; userThreads: UserThreads }> = async (
  app,
  { db, userThreads },
) => {
  serve(
    app,
    calls.getWords,
    {
      schema: {
        operationId: 'getWords',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'Words with times and confidence',
        refusals: ['not_finished'],
        params: Id,
        response: { 200: Words.describe('Every turn with its words.') },
      },
    },
    async (request, reply) => {
      const signal = whileConnected(reply)
      return sendJson(reply, await userThreads.read(task('words'), ownedBy(request), signal))
    },
  )

  serve(
    app,
    calls.editTurn,
    {
      schema: {
        operationId: 'editTurn',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Correct the text of a turn',
        refusals: ['not_finished', 'too_many_edits', 'being_rewritten', 'edited_elsewhere'],
        params: OfTurn,
        body: EditText,
        response: { 200: Edited.describe('What changed.') },
      },
    },
    async (request, reply) =>
      edit(reply, task('setText'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.splitTurn,
    { schema: { params: OfTurn, body: SplitTurn, response: { 200: Edited } } },
    async (request, reply) => edit(reply, task('split'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.mergeTurn,
    { schema: { params: OfTurn, body: MergeTurn, response: { 200: Edited } } },
    async (request, reply) => edit(reply, task('merge'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.setTimes,
    { schema: { params: OfTurn, body: SetTimes, response: { 200: Edited } } },
    async (request, reply) => {
      const { start, end, revision } = request.body
      const [startMs, endMs] = [Math.round(start * 1000), Math.round(end * 1000)]
      return edit(reply, task('retime'), { ...ownedBy(request), revision, startMs, endMs })
    },
  )

  serve(
    app,
    calls.acceptWords,
    { schema: { params: OfTurn, body: AcceptWords, response: { 200: Edited } } },
    async (request, reply) => edit(reply, task('accept'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.restoreTurn,
    { schema: { params: OfTurn, body: Restore, response: { 200: Edited } } },
    async (request, reply) =>
      edit(reply, task('restore'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.assignSpeaker,
    { schema: { params: OfTurn, body: AssignSpeaker, response: { 200: Edited } } },
    async (request, reply) =>
      edit(reply, task('reassign'), { ...ownedBy(request), to: request.body }),
  )

  serve(
    app,
    calls.renameSpeaker,
    {
      schema: {
        operationId: 'renameSpeaker',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Name a speaker',
        refusals: ['not_finished', 'too_many_edits', 'being_rewritten'],
        params: OfSpeaker,
        body: RenameSpeaker,
        response: { 200: Edited.describe('What changed.') },
      },
    },
    async (request, reply) => edit(reply, task('rename'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.replaceText,
    {
      schema: {
        operationId: 'replaceText',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Replace words everywhere',
        description:
          'One change: undo takes all of it back, and words keep their times. `find` and `replaceWith` stand for themselves; there are no patterns.',
        refusals: [
          'not_finished',
          'too_many_edits',
          'being_rewritten',
          'turn_too_long',
          'text_too_long',
          'vocabulary_full',
        ],
        params: Id,
        body: ReplaceText,
        response: { 200: Replaced.describe('What changed, and what was left.') },
      },
    },
    async (request, reply) =>
      edit(reply, task('replace'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.restoreText,
    { schema: { params: Id, body: Restore, response: { 200: Edited } } },
    async (request, reply) =>
      edit(reply, task('restoreAll'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.undoEdit,
    { schema: { params: Id, body: UndoEdit, response: { 200: Edited } } },
    async (request, reply) => edit(reply, task('undo'), { ...ownedBy(request), ...request.body }),
  )

  serve(
    app,
    calls.measureAccuracy,
    { schema: { params: Id, response: { 200: Accuracy } } },
    async (request, reply) =>
      sendJson(reply, await userThreads.edit(task('measure'), ownedBy(request))),
  )

  serve(
    app,
    calls.readAccuracy,
    { schema: { response: { 200: z.array(EngineAccuracy) } } },
    async (request) => accuracyByEngine(db, userOf(request).id),
  )

  const edit = async <Input extends { userId: string }>(
    reply: FastifyReply,
    change: Task<Input, Awaited<ReturnType<tasks.Change<Input>>>>,
    input: Input,
  ) => {
    const { kind, body } = await userThreads.edit(change, input)
    return sendJson(reply.code(kind === 'edited' ? 200 : refusals.edited_elsewhere[0]), body)
  }
}

const ownedBy = <Params extends { id: string }>(
  request: Parameters<typeof userOf>[0] & { params: Params },
) => ({ userId: userOf(request).id, ...request.params })
