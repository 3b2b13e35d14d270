import { createHash } from 'node:crypto'

import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import { DEFAULT_SUMMARY_LANGUAGE, MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { contentDisposition, summaryFileName, transcriptionFileName } from '#shared/file-names.ts'
import { Refusal } from '#shared/refusals.ts'

import {
  Confirm,
  ConfirmAnswer,
  Engines,
  SummaryLanguage,
  Transcription,
  TranscriptionRow,
  UploadAnswer,
  isFinished,
} from './contract.ts'
import * as engines from './engines.ts'
import { summaryFile, transcriptionFile } from './results.ts'
import * as sample from './sample.ts'
import * as transcriptions from './transcriptions.ts'
import * as uploads from './uploads.ts'

const Id = z.object({ id: z.string() })
const Opened = z.object({ id: z.uuid() })
const Done = z.object({ message: z.string() })

const List = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  cursor: z.string().max(200).optional(),
})

/** What the form may say beside the file. Unknown fields are passed over. */
const UploadFields = z.object({
  summaryLanguage: SummaryLanguage.default(DEFAULT_SUMMARY_LANGUAGE),
  generateDocument: z.enum(['true', 'false']).default('false'),
})

export const transcriptionRoutes: FastifyPluginAsyncZod<
  transcriptions.Deps & { engines: engines.EngineNames }
> = async (app, deps) => {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: MAX_UPLOAD_BYTES, files: 2, fields: 10, fieldSize: 1_000, parts: 12 },
  })

  app.get('/api/engines', { schema: { response: { 200: Engines } } }, async () =>
    engines.describe(deps.engines),
  )

  const withinSlots = uploads.uploadSlots()
  app.post(
    '/api/upload',
    { schema: { response: { 200: UploadAnswer } } },
    async (request, reply) => {
      dropUnreadBody(request, reply)
      const { id: userId } = userOf(request)
      needEngine(deps.engines)
      return withinSlots(userId, async () => {
        await uploads.admit(deps, { userId, announcedBytes: announcedBytes(request) })
        if (!request.isMultipart()) throw new Refusal('no_file')

        const signal = whileConnected(reply)
        const form = await receive(deps, request.parts(), signal)
        return uploads.take(deps, { userId, ...form }, signal)
      })
    },
  )

  app.post(
    '/api/transcriptions/sample',
    { schema: { response: { 200: Opened } } },
    async (request) => sample.open(deps, userOf(request).id),
  )

  app.post(
    '/api/transcriptions/:id/confirm',
    { schema: { params: Id, body: Confirm.nullish(), response: { 200: ConfirmAnswer } } },
    async (request) => {
      needEngine(deps.engines)
      return transcriptions.confirm(deps, {
        userId: userOf(request).id,
        id: request.params.id,
        ...(request.body?.summaryLanguage ? { summaryLanguage: request.body.summaryLanguage } : {}),
      })
    },
  )

  app.post(
    '/api/transcriptions/:id/retry',
    { schema: { params: Id, response: { 200: ConfirmAnswer } } },
    async (request) => {
      needEngine(deps.engines)
      return transcriptions.retry(deps, { userId: userOf(request).id, id: request.params.id })
    },
  )

  app.delete(
    '/api/transcriptions/:id/cancel',
    { schema: { params: Id, response: { 200: Done } } },
    async (request) => {
      await transcriptions.cancel(deps, { userId: userOf(request).id, id: request.params.id })
      return { message: 'File has been removed and no credits were charged.' }
    },
  )

  app.delete(
    '/api/transcriptions/:id/recording',
    { schema: { params: Id, response: { 200: Done } } },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      await transcriptions.deleteRecording(deps, owned)
      return { message: 'The recording is deleted. The text stays.' }
    },
  )

  app.delete(
    '/api/transcriptions/:id',
    { schema: { params: Id, response: { 200: Done } } },
    async (request) => {
      await transcriptions.remove(deps, { userId: userOf(request).id, id: request.params.id })
      return { message: 'The transcription is deleted.' }
    },
  )

  app.get(
    '/api/transcriptions',
    { schema: { querystring: List, response: { 200: z.array(TranscriptionRow) } } },
    async (request, reply) => {
      const { limit, offset, cursor } = request.query
      const after = cursor ? readCursor(cursor) : undefined
      const page = { userId: userOf(request).id, limit, offset, ...(after ? { after } : {}) }
      const { rows, total, next } = await transcriptions.list(deps, page)
      void reply.header('X-Total-Count', total)
      if (next) {
        const query = new URLSearchParams({ limit: String(limit), cursor: writeCursor(next) })
        void reply.header('Link', `</api/transcriptions?${query.toString()}>; rel="next"`)
      }
      return rows
    },
  )

  app.get(
    '/api/transcriptions/:id',
    { schema: { params: Id, response: { 200: Transcription, 304: z.undefined() } } },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const found = await transcriptions.get(deps, owned)
      // What was said is never kept by a browser. Before that there is nothing to keep but a
      // status, which is polled, and mostly the same as last time.
      if (isFinished(found.status)) return found
      const tag = tagOf(found)
      void reply.headers({ ETag: tag, 'Cache-Control': 'private, no-cache' })
      return knownTags(request).includes(tag) ? reply.code(304).send() : found
    },
  )

  app.get(
    '/api/transcriptions/:id/download/transcription',
    { schema: { params: Id } },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const { row, turns } = await transcriptions.getFinished(deps, owned)
      return sendText(reply, transcriptionFileName(row.originalName), transcriptionFile(row, turns))
    },
  )

  app.get(
    '/api/transcriptions/:id/download/summary',
    { schema: { params: Id } },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const { row } = await transcriptions.getFinished(deps, owned)
      return sendText(reply, summaryFileName(row.originalName), summaryFile(row))
    },
  )
}

/**
 * Nobody shall wait, with credits held, for a job that this server cannot do.
 *
 * @throws Refusal `not_set_up`
 */
function needEngine({ speech }: engines.EngineNames): void {
  if (speech === 'none') throw new Refusal('not_set_up')
}

function announcedBytes({ headers }: FastifyRequest): number | null {
  return headers['content-length'] === undefined ? null : Number(headers['content-length'])
}

/** Reads the whole form. The fields are looked at when all have come, in whatever order. */
async function receive(
  deps: transcriptions.Deps,
  parts: AsyncIterableIterator<Multipart>,
  signal: AbortSignal,
): Promise<{ arrived: uploads.Arrived; summaryLanguage: SummaryLanguage }> {
  const fields: Record<string, unknown> = {}
  let arrived: uploads.Arrived | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.value
        continue
      }
      if (arrived || part.fieldname !== 'file')
        throw new Refusal('invalid_request', { message: 'Too many files. Nothing was charged.' })
      const { filename: name, file: stream } = part
      arrived = await uploads.store(
        deps,
        { name, stream, isTruncated: () => stream.truncated },
        signal,
      )
    }
    const parsed = UploadFields.safeParse(fields)
    if (!parsed.success)
      throw new Refusal('invalid_request', {
        message: 'The upload form holds a value this server does not know. Nothing was charged.',
      })
    if (parsed.data.generateDocument === 'true') throw new Refusal('documents_need_plan')
    if (!arrived) throw new Refusal('no_file')
    return { arrived, summaryLanguage: parsed.data.summaryLanguage }
  } catch (error) {
    if (arrived) await deps.storage.remove(arrived.key)
    throw error
  }
}

/** Aborts when the client goes away before it has its answer: while it sends, or while it waits. */
function whileConnected({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('the client went away during the upload'))
  })
  return controller.signal
}

/**
 * After an early answer the client may still be sending. What comes is thrown away for a moment,
 * so that a browser gets to read the answer instead of a broken connection; then the line is cut.
 */
function dropUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (raw.complete) return
    raw.unpipe()
    raw.resume()
    const cut = setTimeout(() => raw.destroy(), 5_000)
    raw.once('close', () => clearTimeout(cut))
    raw.once('end', () => clearTimeout(cut))
  })
}

function sendText(reply: FastifyReply, name: string, text: string): FastifyReply {
  return reply
    .header('Content-Disposition', contentDisposition(name))
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .type('text/plain; charset=utf-8')
    .send(text)
}

const tagOf = (answer: Transcription): string =>
  `W/"${createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 22)}"`

const knownTags = ({ headers }: FastifyRequest): string[] =>
  headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? []

type Cursor = NonNullable<transcriptions.Page['after']>

const writeCursor = ({ createdAt, id }: Cursor): string => `${createdAt.getTime()}_${id}`

function readCursor(cursor: string): Cursor {
  const [, time, id] = /^(\d{1,15})_([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (!time || !id) throw new Refusal('invalid_request')
  return { createdAt: new Date(Number(time)), id }
}
