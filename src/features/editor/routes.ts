/** The door to finished transcriptions: playing, reading, correcting, taking away. */
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import * as media from '#features/recordings/media.ts'
import { peaksOf } from '#features/recordings/peaks.ts'
import {
  AcceptWords,
  AssignSpeaker,
  EditText,
  Edited,
  ExportQuery,
  MergeTurn,
  Peaks,
  RenameSpeaker,
  RestoreAll,
  RestoreTurn,
  SplitTurn,
  UndoEdit,
  Words,
} from '#features/transcriptions/contract.ts'
import { type Heavy, task } from '#features/transcriptions/heavy.ts'
import type { Change } from '#features/transcriptions/tasks.ts'
import type { Deps } from '#features/transcriptions/transcriptions.ts'
import { file } from '#server/api-schema.ts'
import { whileConnected } from '#server/request-body.ts'
import type { Task } from '#server/threads.ts'
import { contentDisposition } from '#shared/file-names.ts'
import { refusals } from '#shared/refusals.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })
const OfTurn = z.object({ id: z.string(), turnId: z.uuid() })
const OfSpeaker = z.object({ id: z.string(), speaker: z.coerce.number().int().min(0).max(999) })

export const resultRoutes: FastifyPluginAsyncZod<Deps & { heavy: Heavy }> = async (app, deps) => {
  const { heavy } = deps

  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/transcriptions/:id/media',
    // The one that comes by itself would read a whole recording to say how long it is.
    exposeHeadRoute: false,
    schema: {
      operationId: 'getMedia',
      tags: ['Results'],
      summary: 'The recording itself',
      description: 'Ranges are answered. Deleted 30 days after the upload, or before on request.',
      refusals: ['recording_gone', 'not_playable'],
      params: Id,
      response: {
        200: file('The recording.', 'audio/*', 'video/*'),
        206: file('The range of it that was asked for.', 'audio/*', 'video/*'),
        304: z.undefined(),
        416: z.undefined(),
      },
    },
    handler: async (request, reply) => {
      const recording = await media.open(deps, {
        userId: userOf(request).id,
        id: request.params.id,
      })
      const { range: wanted, 'if-range': ifRange } = request.headers
      const isStale = ifRange !== undefined && ifRange !== recording.tag
      const range = media.rangeOf(isStale ? undefined : wanted, recording.sizeBytes)
      void reply.headers({
        'Accept-Ranges': 'bytes',
        ETag: recording.tag,
        // Kept by the browser at most, and never played from there without asking us first.
        'Cache-Control': 'private, no-cache',
        'Content-Disposition': 'inline',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      })
      if (request.headers['if-none-match'] === recording.tag && wanted === undefined)
        return reply.code(304).send()
      if (range === 'unsatisfiable')
        return reply.code(416).header('Content-Range', `bytes */${recording.sizeBytes}`).send()

      void reply.type(recording.type)
      const { start, end } = range === 'whole' ? { start: 0, end: recording.sizeBytes - 1 } : range
      void reply.header('Content-Length', end - start + 1)
      if (range !== 'whole')
        void reply.code(206).header('Content-Range', `bytes ${start}-${end}/${recording.sizeBytes}`)
      if (request.method === 'HEAD') return reply.send()
      return reply.send(recording.read({ start, end }))
    },
  })

  const peaks = peaksOf()
  app.get(
    '/api/transcriptions/:id/peaks',
    {
      schema: {
        operationId: 'getPeaks',
        tags: ['Results'],
        summary: 'The waveform',
        params: Id,
        response: { 200: Peaks.describe('Up to 1,000 values.') },
      },
    },
    async (request) => peaks(deps, { userId: userOf(request).id, id: request.params.id }),
  )

  app.get(
    '/api/transcriptions/:id/words',
    {
      schema: {
        operationId: 'getWords',
        tags: ['Results'],
        summary: 'Words with times and confidence',
        refusals: ['not_finished'],
        params: Id,
        response: { 200: Words.describe('Every turn with its words.') },
      },
    },
    async (request, reply) => {
      const signal = whileConnected(reply)
      return sendJson(reply, await heavy.read(task('words'), ownedBy(request), signal))
    },
  )

  app.patch(
    '/api/transcriptions/:id/turns/:turnId',
    {
      schema: {
        operationId: 'editTurn',
        tags: ['Results'],
        summary: 'Correct the text of a turn',
        refusals: ['not_finished', 'edited_elsewhere'],
        params: OfTurn,
        body: EditText,
        response: { 200: Edited.describe('What changed.') },
      },
    },
    async (request, reply) =>
      edit(reply, task('setText'), { ...ownedBy(request), ...request.body }),
  )

  app.post(
    '/api/transcriptions/:id/turns/:turnId/split',
    { schema: { params: OfTurn, body: SplitTurn } },
    async (request, reply) => edit(reply, task('split'), { ...ownedBy(request), ...request.body }),
  )

  app.post(
    '/api/transcriptions/:id/turns/:turnId/merge',
    { schema: { params: OfTurn, body: MergeTurn } },
    async (request, reply) => edit(reply, task('merge'), { ...ownedBy(request), ...request.body }),
  )

  app.post(
    '/api/transcriptions/:id/turns/:turnId/accept',
    { schema: { params: OfTurn, body: AcceptWords } },
    async (request, reply) => edit(reply, task('accept'), { ...ownedBy(request), ...request.body }),
  )

  app.post(
    '/api/transcriptions/:id/turns/:turnId/restore',
    { schema: { params: OfTurn, body: RestoreTurn } },
    async (request, reply) =>
      edit(reply, task('restore'), { ...ownedBy(request), ...request.body }),
  )

  app.put(
    '/api/transcriptions/:id/turns/:turnId/speaker',
    { schema: { params: OfTurn, body: AssignSpeaker } },
    async (request, reply) =>
      edit(reply, task('reassign'), { ...ownedBy(request), to: request.body }),
  )

  app.patch(
    '/api/transcriptions/:id/speakers/:speaker',
    {
      schema: {
        operationId: 'renameSpeaker',
        tags: ['Results'],
        summary: 'Name a speaker',
        refusals: ['not_finished'],
        params: OfSpeaker,
        body: RenameSpeaker,
        response: { 200: Edited.describe('What changed.') },
      },
    },
    async (request, reply) => edit(reply, task('rename'), { ...ownedBy(request), ...request.body }),
  )

  app.post(
    '/api/transcriptions/:id/restore',
    { schema: { params: Id, body: RestoreAll } },
    async (request, reply) =>
      edit(reply, task('restoreAll'), { ...ownedBy(request), ...request.body }),
  )

  app.post(
    '/api/transcriptions/:id/undo',
    { schema: { params: Id, body: UndoEdit } },
    async (request, reply) => edit(reply, task('undo'), { ...ownedBy(request), ...request.body }),
  )

  app.get(
    '/api/transcriptions/:id/export',
    {
      schema: {
        operationId: 'exportTranscription',
        tags: ['Results'],
        summary: 'Export as a file',
        refusals: ['not_finished', 'not_drawable'],
        params: Id,
        querystring: ExportQuery,
        response: {
          200: file(
            'The file.',
            'text/plain',
            'text/markdown',
            'application/x-subrip',
            'text/vtt',
            'application/json',
            'text/csv',
            'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
            'application/pdf',
          ),
        },
      },
    },
    async (request, reply) => {
      const owned = ownedBy(request)
      const asked = { ...owned, ...request.query }
      const whose = { ...owned, signal: whileConnected(reply) }
      return sendFile(reply, await heavy.export(task('exportFile'), asked, whose))
    },
  )

  const edit = async <Input extends { userId: string }>(
    reply: FastifyReply,
    change: Task<Input, Awaited<ReturnType<Change<Input>>>>,
    input: Input,
  ) => {
    const { kind, body } = await heavy.edit(change, input)
    return sendJson(reply.code(kind === 'edited' ? 200 : refusals.edited_elsewhere[0]), body)
  }
}

const ownedBy = <Params extends { id: string }>(
  request: Parameters<typeof userOf>[0] & { params: Params },
) => ({ userId: userOf(request).id, ...request.params })

/** What a thread has written is sent as it is: looking through it again would take as long. */
export function sendJson(reply: FastifyReply, body: Uint8Array): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
}

export function sendFile(
  reply: FastifyReply,
  { name, type, content }: { name: string; type: string; content: Uint8Array },
): FastifyReply {
  return reply
    .header('Content-Disposition', contentDisposition(name))
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .type(type)
    .send(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
}
