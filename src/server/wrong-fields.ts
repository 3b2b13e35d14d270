/**
 * Says which field of a request is wrong, and what it takes. A schema's own words are for people who
 * fill in a form, and stay as they are; where it has none, a sentence for programmers is made here.
 */
import type { z } from 'zod'

import { Refusal } from '#shared/refusals.ts'

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** The part of a request that has the field. */
export type Part = 'body' | 'querystring' | 'params' | 'headers'

const NOTHING_DONE = 'Nothing was changed or charged.'
const LONGEST_NAME = 100

/** To be handed to `safeParse`. */
export const inOurWords =
  (part: Part) =>
  (issue: RawIssue): string => {
    const name = nameOf(issue.path ?? [])
    const isMissing = issue.input === undefined
    if (name === '') return `The ${placeOf(part)} takes ${wanted(issue)}. ${NOTHING_DONE}`
    const begin = `The ${wordFor(part)} ${name} ${isMissing ? 'is missing: it' : ''}`.trim()
    return `${begin} takes ${wanted(issue)}. ${NOTHING_DONE}`
  }

/** A request that has these faults; the first of them is told. */
export function wrongField([first]: readonly Issue[], part: Part): Refusal {
  if (!first) return new Refusal('invalid_request')
  const field = nameOf(first.path)
  // The words of some schemas only say what is taken.
  const isHalf = field !== '' && /^\p{Ll}/u.test(first.message)
  const message = isHalf
    ? `The ${wordFor(part)} ${field} takes ${first.message}. ${NOTHING_DONE}`
    : first.message
  return new Refusal('invalid_request', { message, ...(field === '' ? {} : { field }) })
}

/** "files.0.name" */
const nameOf = (path: readonly PropertyKey[]): string =>
  path.map(String).join('.').slice(0, LONGEST_NAME)

const wordFor = (part: Part): string => (part === 'querystring' ? 'parameter' : 'field')
const placeOf = (part: Part): string => (part === 'querystring' ? 'query' : part)

function wanted(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kinds[String(issue['expected'])] ?? 'something else'
    case 'invalid_value':
      return oneOf((issue['values'] as unknown[]).map((value) => JSON.stringify(value)))
    case 'too_big':
      return `at most ${amount(issue, issue['maximum'])}`
    case 'too_small':
      return `at least ${amount(issue, issue['minimum'])}`
    case 'invalid_format':
      return formats[String(issue['format'])] ?? 'another form of text'
    case 'not_multiple_of':
      return `a multiple of ${String(issue['divisor'])}`
    case 'invalid_union': {
      const branches = issue['errors'] as RawIssue[][]
      return orList(branches.flatMap(([first]) => (first ? [wanted(first)] : [])))
    }
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'unrecognized_keys':
      return 'another value'
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of JSON',
  record: 'an object of JSON',
  null: 'null',
  date: 'a date',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  email: 'an email address',
  url: 'an address that begins with https://',
  datetime: 'a moment such as 2026-09-01T10:02:00Z',
  date: 'a day such as 2026-09-01',
  safeint: 'a whole number',
}

const units: Readonly<Record<string, { one: string; many: string }>> = {
  string: { one: ' character', many: ' characters' },
  array: { one: ' entry', many: ' entries' },
}

const orList = (all: readonly string[]): string => [...new Set(all)].join(' or ') || 'another value'

const oneOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`

function amount(issue: RawIssue, most: unknown): string {
  const unit = units[String(issue['origin'])] ?? { one: '', many: '' }
  return `${String(most)}${most === 1 ? unit.one : unit.many}`
}
