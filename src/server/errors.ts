/**
 * Every error becomes `{ message, code }` here. A fault that the user can mend is told; one on our side
 * is logged and answered with one sentence, because a stack or a statement tells strangers more than it
 * tells the user.
 */
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'

import { Refusal, refusals } from '#shared/refusals.ts'

import { whatIsAway } from './database-away.ts'
import type { Log } from './log.ts'
import { isDiskFull } from './own-disk.ts'
import { inOurWords, type Part, wrongField } from './wrong-fields.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The code of a refusal or an error, for the log and for metrics. */
    refusal?: string
  }
}

interface ErrorBody {
  message: string
  code: string
}

/** Checks a request against its schema. A refusal names the first field that is wrong. */
export const checkRequest: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = (httpPart ?? 'body') as Part
  const error = inOurWords(part)
  return (data: unknown) => {
    const checked = schema.safeParse(data, { error })
    if (checked.success) return { value: checked.data }
    return { error: wrongField(checked.error.issues, part) }
  }
}

export function answerError(
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof Refusal) {
    if (error.retryAfterSeconds !== undefined)
      void reply.header('Retry-After', error.retryAfterSeconds)
    const { status, message, code, figures, refused, field } = error
    const more = { ...(field ? { field } : {}), ...(refused ? { refused } : {}) }
    void send(reply, status, { message, code, ...figures, ...more })
    return
  }
  const status = clientStatus(error)
  if (status !== null) {
    void send(reply, status, { message: complaint(status), code: 'invalid_request' })
    return
  }
  if (isBrokenForm(error)) return void refuse(reply, 'broken_form')
  const { method, url: route } = request.routeOptions
  // A cancelled upload breaks off in the middle of everything: nobody's fault, and nobody listens.
  if (reply.raw.destroyed) {
    log.info({ requestId: request.id, method, route }, 'the client went away')
    void send(reply, 499, { message: 'The client went away.', code: 'client_closed_request' })
    return
  }
  if (isDiskFull(error)) {
    log.error({ requestId: request.id, method, route, err: error }, 'the disk is full')
    void refuse(reply, 'no_space')
    return
  }
  const away = whatIsAway(error)
  if (away) {
    log.warn({ requestId: request.id, method, route, err: error }, away)
    void reply.header('Retry-After', 5)
    void refuse(reply, away)
    return
  }
  log.error({ requestId: request.id, method, route, err: error }, 'request failed')
  const message = `Something broke on our side. If it happens again, mention request ${request.id}.`
  void send(reply, 500, { message, code: 'internal' })
}

export function refuse(reply: FastifyReply, code: keyof typeof refusals): FastifyReply {
  const [status, message] = refusals[code]
  return send(reply, status, { message, code })
}

function send(reply: FastifyReply, status: number, body: ErrorBody): FastifyReply {
  reply.refusal = body.code
  if (status === 401) void reply.header('WWW-Authenticate', challenge(reply.request))
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

/** The way in for programs, and whether the key that came is none of ours (RFC 6750). */
const challenge = ({ headers }: FastifyRequest): string =>
  headers.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"'

/**
 * Whether a multipart form is broken: it has no boundary, or one that cannot be searched for, or it
 * ends too early. The parser's errors have no codes, so their sentences are compared. They are those
 * of @fastify/busboy 3.2.6; `test/bad-requests.test.ts` sends such forms.
 */
function isBrokenForm(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^Multipart: Boundary not found|^The needle cannot |end of multipart data$/.test(error.message)
  )
}

/** The status of an error that is the client's, such as a body that does not parse. */
function clientStatus(error: unknown): number | null {
  const { statusCode, code } = error as Partial<FastifyError>
  const isFastifys = typeof code === 'string' && code.startsWith('FST_')
  return isFastifys && statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? statusCode
    : null
}

function complaint(status: number): string {
  if (status === 413) return 'This request is too large.'
  if (status === 415) return 'This call takes JSON.'
  return refusals.invalid_request[1]
}
