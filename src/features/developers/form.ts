/** Reads a form with a fingerprint, by which the same form is recognised when it comes again. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

import type { FastifyRequest } from 'fastify'

import { type Form, type IncomingFile, readForm } from '#server/request-body.ts'

import { fingerprintOf } from './idempotency.ts'

/** The same fingerprint for the same fields and the same file, however the form around them is written. */
export type Known<Kept> = Form<Kept> & { fingerprint: string }

/** @throws Refusal as `readForm` */
export async function readKnown<Kept>(
  request: FastifyRequest,
  keep: (file: IncomingFile) => Promise<Kept>,
): Promise<Known<Kept>> {
  const hash = createHash('sha256')
  const form = await readForm(request, ({ stream, ...file }) => {
    const heard = listened(stream, (chunk) => hash.update(chunk))
    return keep({ ...file, stream: Readable.from(heard, { objectMode: false }) })
  })
  const fields = Object.entries(form.fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const asked = fingerprintOf([fields, form.fileName, hash.digest('base64url')])
  return { ...form, fingerprint: fingerprintOf([request.routeOptions.url ?? '', asked]) }
}

async function* listened(
  source: Readable,
  listen: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    listen(chunk)
    yield chunk
  }
}

/** Reads a file to its end and keeps nothing of it. */
export async function passOver({ stream }: IncomingFile): Promise<null> {
  stream.resume()
  await finished(stream)
  return null
}
