/**
 * The log: one JSON object a line, with ids and never with what people said, wrote or called their
 * files. Errors are the usual leak: a failed query carries its parameters, and PostgreSQL quotes
 * the row it refused. Here they are reduced to what an operator needs.
 */
import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import type { FastifyRequest } from 'fastify'
import type { DestinationStream, Logger } from 'pino'

import { networkOf } from './network.ts'

export type Log = Logger

export function createLog({
  level = 'info',
  destination,
}: { level?: string; destination?: DestinationStream } = {}): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** For tests, which read results and not logs. */
export const silentLog: Log = pino({ level: 'silent' })

/** One line for whoever looks into an incident: who did what, by ids, and from which network. */
export function tellSecurity(
  log: Log,
  { id: requestId, ip }: Pick<FastifyRequest, 'id' | 'ip'>,
  facts: { event: string; userId: string; keyId?: string },
): void {
  log.info({ ...facts, requestId, network: networkOf(ip) }, 'security')
}

interface ErrorLine {
  type: string
  message: string
  code?: string
  constraint?: string
  table?: string
  stack?: string
  cause?: ErrorLine
}

/** What may be logged about an error: where and why it happened, without anybody's data. */
function describeError(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' }
  const message = safeMessage(error)
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message,
    ...textFields(error),
    ...(frames && frames.length > 0 ? { stack: frames.join('\n') } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

function safeMessage(error: Error): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`
  // Class 22 is "data exception": its messages quote the value that did not fit.
  if ('code' in error && typeof error.code === 'string' && /^22[0-9A-Z]{3}$/.test(error.code)) {
    return 'a value did not fit its column'
  }
  return error.message
}

function textFields(error: Error): Pick<ErrorLine, 'code' | 'constraint' | 'table'> {
  const fields: Pick<ErrorLine, 'code' | 'constraint' | 'table'> = {}
  for (const name of ['code', 'constraint', 'table'] as const) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string') fields[name] = value
  }
  return fields
}
