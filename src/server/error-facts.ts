/**
 * The facts of an error that may be told outside the work that met it: in the log, beside a failed job,
 * and when it comes out of a thread. Errors quote what people said. A query quotes its values,
 * PostgreSQL the row that it refused, a parser its text, a mail server the mail. So the facts that may
 * be told are listed here. Everything else is left out, of errors of every class:
 *
 * - its type, the places of its stack, and fields that hold names and numbers, like an SQLSTATE;
 * - its message where our own code wrote it, where the system did, and where PostgreSQL speaks of
 *   itself and not of a value.
 */
import { fileURLToPath } from 'node:url'

export interface ErrorFacts {
  type: string
  message: string
  stack?: string
  cause?: ErrorFacts
  /** Those of an AggregateError. */
  errors?: ErrorFacts[]
  fields: Readonly<Record<string, string | number>>
}

const LEFT_OUT = 'left out: it could quote what somebody said'
const MOST_CAUSES = 8
const MOST_ERRORS = 4

/** Told where they hold one name without spaces. */
const names = ['code', 'error', 'syscall', 'address', 'claim', 'reason']
const ofPostgres = ['severity', 'schema', 'table', 'column', 'constraint', 'dataType', 'routine']
const numbers = ['errno', 'port', 'status', 'statusCode', 'responseCode']
const NAME = /^[\w.:$-]{1,100}$/

/**
 * Classes whose messages our own code writes. All others write theirs from the values that they get.
 */
const ourTypes = new Set(['Error', 'Refusal', 'Refused', 'ConfigError', 'MissingProgram'])
const { href: rootUrl } = new URL('../../', import.meta.url)
const root = fileURLToPath(rootUrl)

/** The driver's words for a connection that is gone, by which `isDatabaseAway` knows it. */
const ofDriver =
  /^(Connection terminated( unexpectedly| due to connection timeout)?|timeout exceeded when trying to connect|Client (was closed|has encountered a connection error) and is not queryable)$/

/**
 * PostgreSQL's classes of errors about connections, signing in, transactions, resources, locks,
 * operators, the system and damage. Their messages name files, roles and limits, and no values.
 */
const ofTheServer = /^(08|28|3D|40|53|55|57|58)|^XX00[12]$/

/** Mistakes in a program, up to where the language would quote a name. */
const ofTheLanguage =
  /^(Cannot (read|set) properties of (undefined|null)|[\w.$]+ is not (defined|a function|a constructor)$)/

/** Errors that were made from facts, which are all that is known of them. */
const restored = new WeakMap<Error, ErrorFacts>()

export function factsOf(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error', fields: {} }
  const known = restored.get(error)
  if (known) return known
  const stack = placesOf(error)
  const isTold = depth < MOST_CAUSES
  const { cause } = error
  return {
    type: typeOf(error),
    message: messageOf(error, stack[0]),
    fields: fieldsOf(error),
    ...(stack.length > 0 ? { stack: stack.join('\n') } : {}),
    ...(cause === undefined || !isTold ? {} : { cause: factsOf(cause, depth + 1) }),
    ...(error instanceof AggregateError && isTold
      ? { errors: error.errors.slice(0, MOST_ERRORS).map((each) => factsOf(each, depth + 1)) }
      : {}),
  }
}

/** An error of which nothing but the facts is known, with its fields. */
export function errorFrom(facts: ErrorFacts): Error {
  const { type: name, message, stack, cause, fields } = facts
  const error = new Error(message, cause ? { cause: errorFrom(cause) } : {})
  restored.set(error, facts)
  return Object.assign(error, { name, ...fields, stack: [`${name}: ${message}`, stack].join('\n') })
}

/** Many classes give themselves no name of their own. */
function typeOf(error: Error): string {
  const name = /^error$/i.test(error.name) ? error.constructor.name : error.name
  return NAME.test(name) ? name : 'Error'
}

/** The lines of a stack that say where, without the message in front of them. */
function placesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message)
  const lines = (at === -1 ? stack : stack.slice(at + message.length)).split('\n')
  return lines.filter((line) => PLACE.test(line))
}

const PLACE = /^\s+at (.* \()?((file:\/\/|node:|\/).*:\d+:\d+|<anonymous>|index \d+)\)?$/

function messageOf(error: Error, place: string | undefined): string {
  if (typeOf(error) === 'DrizzleQueryError') return `Failed query: ${statementOf(error)}`
  if (ofDriver.test(error.message)) return error.message
  const code = textOf(error, 'code') ?? ''
  if (isOfPostgres(error)) return ofTheServer.test(code) ? error.message : LEFT_OUT
  if (isOfSystem(error)) {
    // The rest of the message can be the name of a host that a user chose.
    const path = textOf(error, 'path')
    return [textOf(error, 'syscall'), code, path].filter(Boolean).join(' ')
  }
  if (isOurs(error, place)) return error.message
  return ofTheLanguage.exec(error.message)?.[0] ?? LEFT_OUT
}

/** A statement has signs in place of its values. Should one be written into it, that is left out. */
function statementOf(error: Error): string {
  return (textOf(error, 'query') ?? '').replace(/'[^']*'/g, "'…'")
}

const isOfPostgres = (error: Error): boolean =>
  textOf(error, 'severity') !== undefined && /^[0-9A-Z]{5}$/.test(textOf(error, 'code') ?? '')

const isOfSystem = (error: Error): boolean =>
  'errno' in error && typeof error.errno === 'number' && textOf(error, 'syscall') !== undefined

/** Whether our own code made it, with a message that it wrote. */
function isOurs(error: Error, place = ''): boolean {
  return (
    (place.includes(root) || place.includes(rootUrl)) &&
    !place.includes('node_modules') &&
    ourTypes.has(error.name) &&
    // Node's own errors can begin at the line that called it.
    !textOf(error, 'code')?.startsWith('ERR_')
  )
}

function fieldsOf(error: Error): ErrorFacts['fields'] {
  const fields: Record<string, string | number> = {}
  for (const name of isOfPostgres(error) ? [...names, ...ofPostgres] : names) {
    const value = textOf(error, name)
    if (value !== undefined && NAME.test(value)) fields[name] = value
  }
  for (const name of numbers) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'number') fields[name] = value
  }
  return fields
}

function textOf(error: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : undefined
}
