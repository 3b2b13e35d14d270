/**
 * Every error becomes `{ message, code }` here. What somebody can act on is said; what broke on our
 * side is logged and answered with one sentence, because a stack or a statement tells strangers
 * more than it tells the user.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'

import { Refusal, refusals } from '#shared/refusals.ts'

import type { Log } from './log.ts'

export interface ErrorBody {
  message: string
  code: string
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
    void send(reply, error.status, { message: error.message, code: error.code })
    return
  }
  const status = clientStatus(error)
  if (status !== null) {
    void send(reply, status, { message: complaint(error, status), code: 'invalid_request' })
    return
  }
  const { method, url: route } = request.routeOptions
  if (isDatabaseAway(error)) {
    log.warn({ requestId: request.id, method, route, err: error }, 'the database is away')
    void reply.header('Retry-After', 5)
    void refuse(reply, 'database_away')
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
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}

/**
 * Whether a query failed because the database restarts or cannot be reached: PostgreSQL's classes
 * 08 (connection) and 57P (shutdown), the system's errors of sockets, and pg's own.
 */
function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    if (/^(08...|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(code)) return true
    if (code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'connect') return true
    if (/^Connection terminated|^timeout exceeded when trying to connect/.test(cause.message))
      return true
  }
  return false
}

/** The status of an error that is the client's: a body that does not parse, a field that is wrong. */
function clientStatus(error: unknown): number | null {
  if (hasZodFastifySchemaValidationErrors(error)) return 400
  const { statusCode, code } = error as Partial<FastifyError>
  const isFastifys = typeof code === 'string' && code.startsWith('FST_')
  return isFastifys && statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? statusCode
    : null
}

function complaint(error: unknown, status: number): string {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    return first?.message ?? refusals.invalid_request[1]
  }
  if (status === 413) return 'This request is too large.'
  if (status === 415) return 'This call takes JSON.'
  return refusals.invalid_request[1]
}
