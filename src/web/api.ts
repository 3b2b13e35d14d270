/**
 * Every call to the server. Cookies are sent; a bearer header only when `auth_token` lies in local
 * storage. A failed call throws an ApiError whose message is 'STATUS: BODY'; what a person should
 * read is `sentence`, the message field of the body.
 */
import type { QueryFunctionContext } from '@tanstack/react-query'

const TOKEN_KEY = 'auth_token'

export class ApiError extends Error {
  readonly status: number
  /** The body's `code`, the key of the server's table of refusals. */
  readonly code: string | null
  /** The body's `message`; null when the answer was not from our server (a proxy's page, say). */
  readonly sentence: string | null
  /** As it came, for the few answers that carry more than the two. */
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

/** What to tell the user about something that was thrown, else the given words. */
export function sentenceOf(error: unknown, otherwise: string): string {
  return (error instanceof ApiError && error.sentence) || otherwise
}

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

/** Called when any call finds nobody signed in, be it a query, a change or an upload. */
export const sessionEnds = new EventTarget()

export const token = {
  read: () => localStorage.getItem(TOKEN_KEY),
  store: (value: string) => localStorage.setItem(TOKEN_KEY, value),
  remove: () => localStorage.removeItem(TOKEN_KEY),
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The bare call: form data goes as it is, other bodies as JSON. @throws ApiError when the answer is not OK */
export async function request(
  method: Method,
  path: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const bearer = token.read()
  const response = await send(method, path, bearer, body, signal)
  // A token that ended must not stand before a cookie that is still good.
  if (response.status === 401 && bearer) {
    token.remove()
    return settled(await send(method, path, null, body, signal))
  }
  return settled(response)
}

async function send(
  method: Method,
  path: string,
  bearer: string | null,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = new Headers()
  if (bearer) headers.set('Authorization', `Bearer ${bearer}`)
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json')
  return fetch(path, {
    method,
    headers,
    credentials: 'include',
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
}

async function settled(response: Response): Promise<Response> {
  if (!response.ok) throw refused(response.status, response.statusText, await response.text())
  // A session that goes on under a new token says so; a new password does that.
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

/** A call whose answer is JSON; the type is what the contract says about it. */
export async function call<Answer>(
  method: Method,
  path: string,
  options?: { body?: unknown; signal?: AbortSignal },
): Promise<Answer> {
  return (await request(method, path, options)).json() as Promise<Answer>
}

export const get = <Answer>(path: string, signal?: AbortSignal) =>
  call<Answer>('GET', path, signal ? { signal } : {})
export const post = <Answer>(path: string, body?: unknown) => call<Answer>('POST', path, { body })

/** A field that is missing, or is null although it must not be, gets its default. */
export function filledIn<Answer extends object>(answer: Answer, defaults: Partial<Answer>): Answer {
  const lacking = Object.entries(defaults).filter(
    ([name]) => (Reflect.get(answer, name) ?? null) === null,
  )
  return { ...answer, ...Object.fromEntries(lacking) }
}

/**
 * The default loader of queries: GET to the first element of the key. With `on401: 'null'` an
 * answer of 401 is not an error but nobody.
 */
export function loader<Answer>({ on401 = 'throw' }: { on401?: 'throw' | 'null' } = {}) {
  return async ({ queryKey, signal }: QueryFunctionContext): Promise<Answer | null> => {
    try {
      return await get<Answer>(String(queryKey[0]), signal)
    } catch (error) {
      if (on401 === 'null' && error instanceof ApiError && error.status === 401) return null
      throw error
    }
  }
}
