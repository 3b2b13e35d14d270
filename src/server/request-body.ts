/** The reading of large bodies, which several rooms share. */
import type { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'

import { MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import { isStorable } from './storable.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The fields of the multipart form that the route takes, beside its file. */
    form?: z.ZodObject
  }
}

/** How much the client says it will send; null when it does not say. */
export function announcedBytes({ headers }: FastifyRequest): number | null {
  return headers['content-length'] === undefined ? null : Number(headers['content-length'])
}

/** Aborts when the client goes away before it has its answer: while it sends, or while it waits. */
export function whileConnected({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const end = () => {
    if (!raw.writableFinished) controller.abort(new Error('the client went away'))
  }
  // It may have gone before anybody asked: no event tells of that.
  if (raw.closed) end()
  else raw.once('close', end)
  return controller.signal
}

/** With what @fastify/multipart is registered. */
export const formLimits = {
  throwFileSizeLimit: false,
  // A second file is refused by name below.
  limits: { fileSize: MAX_UPLOAD_BYTES, files: 2, fields: 40, fieldSize: 100_000, parts: 42 },
}

/** A file of a form, cut at the largest size that is taken. */
export interface IncomingFile {
  name: string
  stream: Readable
  isTruncated: () => boolean
}

export interface Form<Kept> {
  /** By name, without the `[]` or `[0]` that some clients write after those of a list. */
  fields: Record<string, string[]>
  fileName: string
  kept: Kept
}

/**
 * Reads a whole form, with its parts in any order: one file, and fields that may come more than once. A
 * field is text that can be stored. `keep` is given the file and must read it to its end.
 *
 * @throws Refusal `no_file`, for no form at all too; `invalid_request`
 */
export async function readForm<Kept>(
  request: FastifyRequest,
  keep: (file: IncomingFile) => Promise<Kept>,
): Promise<Form<Kept>> {
  if (!request.isMultipart()) throw new Refusal('no_file')
  // The parser hears only of clients that leave while it reads: for one that left before, it would
  // wait for ever, and the user's place for uploads would stay taken.
  if (request.raw.destroyed) throw new Error('the client went away before its form was read')
  const fields = new Map<string, string[]>()
  let found: { fileName: string; kept: Kept } | null = null
  for await (const part of request.parts()) {
    const said = part.type === 'file' ? part.filename : part.value
    if (part.type === 'file' && !said)
      throw new Refusal('invalid_request', {
        message:
          'The file has no name. Send it with one that ends in its format, such as interview.mp3. Nothing was charged.',
      })
    if (typeof said !== 'string' || !isStorable([part.fieldname, said]))
      throw new Refusal('invalid_request')
    if (part.type === 'field') {
      const name = part.fieldname.replace(/\[\d*\]$/, '')
      fields.set(name, [...(fields.get(name) ?? []), said])
      continue
    }
    if (found || part.fieldname !== 'file')
      throw new Refusal('invalid_request', {
        message:
          'Too many files. The recording is sent as the only file, in a field called file. Nothing was charged.',
      })
    const { file: stream } = part
    const isTruncated = () => stream.truncated
    found = { fileName: said, kept: await keep({ name: said, stream, isTruncated }) }
  }
  if (!found) throw new Refusal('no_file')
  return { fields: Object.fromEntries(fields), ...found }
}

/**
 * After an early answer the client may still be sending. The rest is thrown away for a moment, so that
 * a browser gets to read the answer instead of a broken connection; then the line is cut.
 */
export function dropUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (raw.complete) return
    raw.unpipe()
    raw.resume()
    const cut = setTimeout(() => raw.destroy(), 5_000)
    raw.once('close', () => clearTimeout(cut))
    raw.once('end', () => clearTimeout(cut))
  })
}
