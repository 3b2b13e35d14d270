/** The door to finished transcriptions: playing, reading, correcting, taking away. */
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import { contentDisposition } from '#shared/file-names.ts'
import { refusals } from '#shared/refusals.ts'

import {
  AcceptWords,
  AssignSpeaker,
  EditConflict,
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
} from './contract.ts'
import * as editing from './editing.ts'
import { exportFile } from './exports.ts'
import { type EditOutcome, undo } from './history.ts'
import * as media from './media.ts'
import * as naming from './naming.ts'
import { peaksOf } from './peaks.ts'
import type { Deps } from './transcriptions.ts'
import * as view from './turn-view.ts'

const Id = z.object({ id: z.string() })
const OfTurn = z.object({ id: z.string(), turnId: z.uuid() })
const OfSpeaker = z.object({ id: z.string(), speaker: z.coerce.number().int().min(0).max(999) })
/** What cannot be undone, or has not ended yet, is a 409 too. */
const Refused = z.object({ message: z.string(), code: z.string() })
const answers = { 200: Edited, 409: z.union([EditConflict, Refused]) }

export const resultRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/transcriptions/:id/media',
    // The one that comes by itself would read a whole recording to say how long it is.
    exposeHeadRoute: false,
    schema: { params: Id },
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
    { schema: { params: Id, response: { 200: Peaks } } },
    async (request) => peaks(deps, { userId: userOf(request).id, id: request.params.id }),
  )

  app.get('/api/transcriptions/:id/words', { schema: { params: Id } }, async (request, reply) => {
    const words = await view.words(deps, { userId: userOf(request).id, id: request.params.id })
    // Checked by its type, not number by number: hours have hundreds of thousands.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(words))
  })

  app.patch(
    '/api/transcriptions/:id/turns/:turnId',
    { schema: { params: OfTurn, body: EditText, response: answers } },
    async (request, reply) =>
      send(reply, await editing.setText(deps, { ...ownedBy(request), ...request.body })),
  )

  app.post(
    '/api/transcriptions/:id/turns/:turnId/split',
    { schema: { params: OfTurn, body: SplitTurn, response: answers } },
    async (request, reply) =>
      send(reply, await editing.split(deps, { ...ownedBy(request), ...request.body })),
  )

  app.post(
    '/api/transcriptions/:id/turns/:turnId/merge',
    { schema: { params: OfTurn, body: MergeTurn, response: answers } },
    async (request, reply) =>
      send(reply, await editing.merge(deps, { ...ownedBy(request), ...request.body })),
  )

  app.post(
    '/api/transcriptions/:id/turns/:turnId/accept',
    { schema: { params: OfTurn, body: AcceptWords, response: answers } },
    async (request, reply) =>
      send(reply, await editing.accept(deps, { ...ownedBy(request), ...request.body })),
  )

  app.post(
    '/api/transcriptions/:id/turns/:turnId/restore',
    { schema: { params: OfTurn, body: RestoreTurn, response: answers } },
    async (request, reply) =>
      send(reply, await editing.restore(deps, { ...ownedBy(request), ...request.body })),
  )

  app.put(
    '/api/transcriptions/:id/turns/:turnId/speaker',
    { schema: { params: OfTurn, body: AssignSpeaker, response: answers } },
    async (request, reply) =>
      send(reply, await naming.reassign(deps, { ...ownedBy(request), to: request.body })),
  )

  app.patch(
    '/api/transcriptions/:id/speakers/:speaker',
    { schema: { params: OfSpeaker, body: RenameSpeaker, response: answers } },
    async (request, reply) =>
      send(reply, await naming.rename(deps, { ...ownedBy(request), ...request.body })),
  )

  app.post(
    '/api/transcriptions/:id/restore',
    { schema: { params: Id, body: RestoreAll, response: answers } },
    async (request, reply) =>
      send(reply, await editing.restoreAll(deps, { ...ownedBy(request), ...request.body })),
  )

  app.post(
    '/api/transcriptions/:id/undo',
    { schema: { params: Id, body: UndoEdit, response: answers } },
    async (request, reply) =>
      send(reply, await undo(deps, { ...ownedBy(request), ...request.body })),
  )

  app.get(
    '/api/transcriptions/:id/export',
    { schema: { params: Id, querystring: ExportQuery } },
    async (request, reply) => {
      const file = await exportFile(deps, { ...ownedBy(request), ...request.query })
      return reply
        .header('Content-Disposition', contentDisposition(file.name))
        .header('Content-Security-Policy', "default-src 'none'; sandbox")
        .type(file.type)
        .send(file.content)
    },
  )
}

const ownedBy = <Params extends { id: string }>(
  request: Parameters<typeof userOf>[0] & { params: Params },
) => ({ userId: userOf(request).id, ...request.params })

/** A conflict is answered with what there is now, so that nothing that was typed is lost. */
function send(reply: FastifyReply, outcome: EditOutcome): FastifyReply {
  if (outcome.kind === 'edited') return reply.send(outcome.edited)
  const [status, message] = refusals.edited_elsewhere
  return reply
    .code(status)
    .send({ message, code: 'edited_elsewhere', current: outcome.current } satisfies EditConflict)
}
