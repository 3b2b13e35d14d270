/**
 * The log: one JSON object a line, with ids and never with what people said, wrote or called their
 * files. Errors are the usual leak: error-facts.ts says what of them is told.
 *
 * Promise: nothing people said is logged (error-facts.ts, test/words-in-logs.test.ts).
 */
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import type { FastifyRequest } from 'fastify'

import { type ErrorFacts, factsOf } from './error-facts.ts'
import { networkOf } from './network.ts'

export type Log = Logger

export function createLog({
  level = 'info',
  destination,
}: { level?: string; destination?: DestinationStream } = {}): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), log: withoutWords },
    // Pino's own would add what errors say.
    serializers: { err: (facts: unknown) => facts },
    hooks: {
      logMethod([what, ...text], method) {
        // Without a text of ours pino would take the error's message.
        const given = typeof what === 'string' || text.length > 0 ? text : ['']
        method.apply(this, [what instanceof Error ? { err: what } : what, ...given])
      },
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** For tests, which read results and not logs. */
export const silentLog: Log = pino({ level: 'silent' })

/** One line for the investigation of an incident: the act, the user by id, and the network. */
export function tellSecurity(
  log: Log,
  { id: requestId, ip }: Pick<FastifyRequest, 'id' | 'ip'>,
  facts: { event: string; userId: string; keyId?: string },
): void {
  log.info({ ...facts, requestId, network: networkOf(ip) }, 'security')
}

/** Errors and other thrown values, under any name. */
function withoutWords(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isError = value instanceof Error || (name === 'err' && value !== undefined)
      return [name, isError ? lineOf(factsOf(value)) : value]
    }),
  )
}

function lineOf({ fields, cause, errors, ...facts }: ErrorFacts): object {
  return {
    ...facts,
    ...fields,
    ...(cause ? { cause: lineOf(cause) } : {}),
    ...(errors ? { errors: errors.map(lineOf) } : {}),
  }
}
