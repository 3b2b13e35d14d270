/** The door of uploads in parts: begun, put part by part, completed. */
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import { announcedBytes, dropUnreadBody, whileConnected } from '#server/request-body.ts'
import { serve } from '#server/serve.ts'
import { uploadRefusals } from '#shared/refusals.ts'

import * as calls from './calls.ts'
import { BeginBatch, BeginUpload, BegunBatch, UploadAnswer, UploadInParts } from './contract.ts'
import { accept, ignoredIn, wishOf } from './options.ts'
import * as inParts from './uploads-in-parts.ts'
import { type ArrivingDeps, uploadSlots } from './uploads.ts'

const Id = z.object({ id: z.string().describe('The upload.') })
const PartId = Id.extend({ number: z.string().describe('The part, from 1.') })
const From = z.object({
  from: z.coerce
    .number()
    .pipe(z.int().min(0))
    .default(0)
    .describe('Of the part, where the body begins.'),
})
const tags = ['Transcriptions']
/** Why an upload may not begin, in parts or in one request. */
export const beginRefusals = [
  ...uploadRefusals,
  'too_many_unconfirmed',
  'documents_need_plan',
  'templates_off',
  'template_gone',
] as const
const ownedBy = (request: FastifyRequest, id: string) => ({ userId: userOf(request).id, id })

export const uploadRoutes: FastifyPluginAsyncZod<inParts.Completing & ArrivingDeps> = async (
  app,
  deps,
) => {
  /** The owner of the uploads and their options; refuses what could not be worked on. */
  const askedBy = async (request: FastifyRequest, body: Parameters<typeof wishOf>[0]) =>
    accept(deps, { userId: userOf(request).id, ...wishOf(body) })

  serve(
    app,
    calls.beginUpload,
    {
      schema: {
        operationId: 'beginUpload',
        tags,
        scopes: ['write'],
        summary: 'Begin an upload in parts',
        description:
          'For links that break: each part is put to its own address, in any order, and only what is missing is sent again. Parts are kept for a day.',
        refusals: beginRefusals,
        body: BeginUpload,
        response: { 200: UploadInParts.describe('Where each part is put.') },
      },
    },
    async (request) => {
      const { name, sizeBytes, isSoundOfVideo } = request.body
      const asked = await askedBy(request, request.body)
      const begun = await inParts.begin(deps, { name, sizeBytes, isSoundOfVideo, ...asked })
      return { ...begun, ...ignoredIn(asked) }
    },
  )

  app.post(
    '/api/batches',
    {
      schema: {
        operationId: 'beginBatch',
        tags,
        scopes: ['write'],
        summary: 'Begin the uploads of several files',
        description:
          'Each is answered as POST /api/uploads answers one, or with why it is not taken. Send and complete each of them, then confirm their transcriptions together with POST /api/batches/confirm.',
        refusals: beginRefusals,
        body: BeginBatch,
        response: { 200: BegunBatch.describe('Where the parts of each file are put.') },
      },
    },
    async (request) => {
      const { files } = request.body
      const asked = await askedBy(request, request.body)
      return { files: await inParts.beginAll(deps, { files, ...asked }), ...ignoredIn(asked) }
    },
  )

  serve(
    app,
    calls.getUpload,
    {
      schema: {
        operationId: 'getUpload',
        tags,
        scopes: ['read'],
        summary: 'What is missing of an upload',
        params: Id,
        response: { 200: UploadInParts.describe('The parts that are missing.') },
      },
    },
    async (request) => {
      const mayWrite = userOf(request).key?.scopes.includes('write') ?? true
      return inParts.find(deps, { ...ownedBy(request, request.params.id), mayWrite })
    },
  )

  const putting = uploadSlots()
  const putRoute: FastifyPluginAsyncZod = async (raw) => {
    // Whatever a part is said to be, it is bytes, and it is streamed.
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', (_request, _payload, done) => done(null))
    raw.put(
      '/api/uploads/:id/parts/:number',
      {
        config: { atOnce: 'by_route' },
        schema: {
          operationId: 'putPart',
          tags,
          scopes: ['write'],
          summary: 'Put one part',
          description:
            'The bytes of the part as the body, with their number in Content-Length. Where recordings lie in a bucket, parts are put there instead.',
          refusals: ['wrong_part_size', 'upload_closed', 'too_many_uploads', 'no_space'],
          params: PartId,
          querystring: From,
          response: { 200: Done.describe('It has arrived.') },
        },
      },
      async (request, reply) => {
        dropUnreadBody(request, reply)
        const { id, number } = request.params
        const part = {
          ...ownedBy(request, id),
          number: /^\d{1,6}$/.test(number) ? Number(number) : 0,
          fromByte: request.query.from,
          sizeBytes: announcedBytes(request),
        }
        return putting(part.userId, async () => {
          await inParts.put(deps, part, request.raw, whileConnected(reply))
          return { message: 'The part has arrived.' }
        })
      },
    )
  }
  await app.register(putRoute)

  const completing = uploadSlots()
  serve(
    app,
    calls.completeUpload,
    {
      // It waits until the file is measured, and changes of the user must not wait behind it.
      config: { atOnce: 'by_route' },
      schema: {
        operationId: 'completeUpload',
        tags,
        scopes: ['write'],
        summary: 'Complete an upload in parts',
        description:
          'Measures and prices the recording, as POST /api/upload does. May be repeated: the answer stays the same.',
        refusals: [...uploadRefusals, 'too_many_unconfirmed', 'parts_missing', 'measuring_failed'],
        params: Id,
        response: {
          200: UploadAnswer.describe('The price.'),
          202: Done.describe('It is still being measured. Ask again at once.'),
        },
      },
    },
    async (request, reply) => {
      const owned = ownedBy(request, request.params.id)
      return completing(owned.userId, async () => {
        const answer = await inParts.complete(deps, owned, whileConnected(reply))
        if (answer) return answer
        return reply.code(202).send({ message: 'The length of the file is being measured.' })
      })
    },
  )

  serve(
    app,
    calls.dropUpload,
    {
      schema: {
        operationId: 'dropUpload',
        tags,
        scopes: ['write'],
        summary: 'Give an upload up',
        params: Id,
        response: { 200: Done.describe('What had arrived is removed.') },
      },
    },
    async (request) => {
      await inParts.drop(deps, ownedBy(request, request.params.id))
      return { message: 'The upload is given up. Nothing was charged.' }
    },
  )
}
