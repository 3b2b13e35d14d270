/**
 * Makes every call to the server. Cookies are always sent, and a bearer header when local storage
 * has an `auth_token`. A failed call throws an ApiError. Its message is 'STATUS: BODY'; its
 * `sentence` is the text for users, from the message field of the body.
 */
import type { QueryFunctionContext } from '@tanstack/react-query'

import {
  type AnswerOf,
  type BodyOf,
  type Call,
  type Method,
  type ParamsOf,
  type QueryOf,
  addressOf,
} from '#shared/call.ts'

const TOKEN_KEY = 'auth_token'

export class ApiError extends Error {
  readonly status: number
  /** The body's `code`, the key of the server's table of refusals. */
  readonly code: string | null
  /** The body's `message`; null when the answer was not from our server (a proxy's page, say). */
  readonly sentence: string | null
  /** The whole body, for the few answers that carry more than code and message. */
  readonly body: string

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
    const { message, code } = fieldsOf(body)
    this.sentence = message
    this.code = code
  }
}

/**
 * The sentence to show for an error, or `otherwise` where it has none. Without that it is said whether
 * there was an answer: a server that fails is there, and a broken line is no fault of the server.
 */
export function sentenceOf(error: unknown, otherwise?: string): string {
  if (!(error instanceof ApiError)) return otherwise ?? NOT_REACHED
  const { sentence, status } = error
  return sentence ?? otherwise ?? `The server answered with an error (${status}). Please try again.`
}

const NOT_REACHED = 'The server could not be reached. Please try again.'

function fieldsOf(body: string): { message: string | null; code: string | null } {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    parsed = null // A body that is not JSON has no fields.
  }
  const text = (field: string) => {
    const value: unknown =
      typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, field) : null
    return typeof value === 'string' && value !== '' ? value : null
  }
  return { message: text('message'), code: text('code') }
}

/** Sends `end` when any call is answered with "nobody is signed in". */
export const sessionEnds = /* @__PURE__ */ new EventTarget()

export const token = {
  /** Null also where storage is forbidden: then the cookie alone says who it is. */
  read: () => {
    try {
      return localStorage.getItem(TOKEN_KEY)
    } catch {
      return null
    }
  },
  store: (value: string) => localStorage.setItem(TOKEN_KEY, value),
  remove: () => localStorage.removeItem(TOKEN_KEY),
}

interface Options {
  /** The media type of the answer, where the server has several. */
  accept?: string
  signal?: AbortSignal
  /** The browser sends it to the end, also when the page is left meanwhile. */
  keepalive?: boolean
}

/** What a call takes with it: each part only where the call has it, and then it must be there. */
export type Given<C extends Call> = Needed<'params', ParamsOf<C['path']>> &
  Needed<'query', QueryOf<C>> &
  Needed<'body', BodyOf<C>> &
  Options

type Needed<Name extends string, Value> = unknown extends Value
  ? unknown
  : [Value] extends [undefined]
    ? unknown
    : [object] extends [Value]
      ? Partial<Record<Name, Value>>
      : Record<Name, Value>

/** Nothing needs to be given where nothing is needed. */
type Rest<C extends Call> = object extends Given<C> ? [given?: Given<C>] : [given: Given<C>]

/**
 * Makes one call and gives back the whole answer: for files, and where the body is not read. Form data
 * is sent as it is, other bodies as JSON.
 * @throws ApiError when the answer is not OK
 */
export async function request<C extends Call>(call: C, ...[given]: Rest<C>): Promise<Response> {
  const parts: Parts = { ...given }
  const address = addressOf(call, parts)
  const bearer = token.read()
  const response = await send(call.method, address, bearer, parts)
  // The token is dropped: the server prefers it to the cookie, which may still be valid.
  if (response.status === 401 && bearer) {
    token.remove()
    return settled(await send(call.method, address, null, parts))
  }
  return settled(response)
}

/** Makes one call and gives back the JSON of its answer. @throws ApiError when it is not OK */
export async function ask<C extends Call>(call: C, ...given: Rest<C>): Promise<AnswerOf<C>> {
  return (await request(call, ...given)).json() as Promise<AnswerOf<C>>
}

/** The key and the function of a query that makes this call. */
export function queryOf<C extends Call>(call: C, ...[given]: Rest<C>) {
  return {
    queryKey: [addressOf(call, given as Parts)] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      ask(call, ...([{ ...given, signal }] as unknown as Rest<C>)),
  }
}

/** What may be given to any call. */
interface Parts extends Options {
  params?: object
  query?: object
  body?: unknown
}

async function send(
  method: Method,
  address: string,
  bearer: string | null,
  { body, accept, signal, keepalive = false }: Parts,
): Promise<Response> {
  const headers = new Headers()
  if (accept) headers.set('Accept', accept)
  if (bearer) headers.set('Authorization', `Bearer ${bearer}`)
  // Whoever does not see how far the work is wants a mail when it is done.
  if (globalThis.document?.hidden) headers.set('X-Page', 'hidden')
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json')
  return fetch(address, {
    method,
    headers,
    credentials: 'include',
    keepalive,
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
}

async function settled(response: Response): Promise<Response> {
  if (!response.ok) throw refused(response.status, response.statusText, await response.text())
  // A change of the password gives the session a new token, which comes with this answer.
  const renewed = response.headers.get('X-Auth-Token')
  if (renewed) token.store(renewed)
  return response
}

/** The error of an answer that was not OK. */
export function refused(status: number, statusText: string, body: string): ApiError {
  const error = new ApiError(status, statusText, body)
  if (error.code === 'not_signed_in') sessionEnds.dispatchEvent(new Event('end'))
  return error
}

/** A field that is missing, or is null although it must not be, gets its default. */
export function filledIn<Answer extends object>(answer: Answer, defaults: Partial<Answer>): Answer {
  const lacking = Object.entries(defaults).filter(
    ([name]) => (Reflect.get(answer, name) ?? null) === null,
  )
  return { ...answer, ...Object.fromEntries(lacking) }
}

/**
 * The default loader of queries: it sends a GET to the first element of the key. With `on401:
 * 'null'` an answer of 401 is no error but null: nobody is signed in.
 */
export function loader<Answer>({ on401 = 'throw' }: { on401?: 'throw' | 'null' } = {}) {
  return async ({ queryKey, signal }: QueryFunctionContext): Promise<Answer | null> => {
    try {
      const read: Call<string, { answer: Answer }> = { method: 'GET', path: String(queryKey[0]) }
      return await ask(read, { signal })
    } catch (error) {
      if (on401 === 'null' && error instanceof ApiError && error.status === 401) return null
      throw error
    }
  }
}
