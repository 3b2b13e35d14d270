import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'

import { call } from '#shared/call.ts'

import { ApiError, ask, loader, queryOf, request, sentenceOf } from './api.ts'

interface Sent {
  path: string
  init: RequestInit
}
let sent: Sent[]
let answers: Response[]
let storage: Map<string, string>

beforeEach(() => {
  sent = []
  answers = []
  storage = new Map()
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    sent.push({ path, init })
    return answers.shift() ?? new Response('{}')
  })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
})

const header = (one: Sent, name: string) => new Headers(one.init.headers).get(name)

test('a failed call says STATUS: BODY, and people read its message', async () => {
  const body = '{"message":"Insufficient credits","code":"insufficient_credits"}'
  answers = [new Response(body, { status: 402 })]

  const error = await ask(call('GET', '/api/x')).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    message: `402: ${body}`,
    status: 402,
    code: 'insufficient_credits',
    sentence: 'Insufficient credits',
  })
  expect(sentenceOf(error, 'Upload failed.')).toBe('Insufficient credits')
})

test('a failure without words of ours falls back on the status text and on the given words', async () => {
  answers = [
    new Response('', { status: 502, statusText: 'Bad Gateway' }),
    new Response('<h1>Bad gateway</h1>', { status: 502 }),
  ]
  const empty = await ask(call('GET', '/api/x')).catch((thrown: unknown) => thrown)
  expect(empty).toMatchObject({ message: '502: Bad Gateway', sentence: null })
  const page = await ask(call('GET', '/api/x')).catch((thrown: unknown) => thrown)
  expect(sentenceOf(page, 'Please try again.')).toBe('Please try again.')
  expect(sentenceOf(empty)).toBe('The server answered with an error (502). Please try again.')
  expect(sentenceOf(new TypeError('offline'))).toBe(
    'The server could not be reached. Please try again.',
  )
  expect(sentenceOf(new TypeError('offline'), 'Please try again.')).toBe('Please try again.')
})

test('bodies go as JSON, form data goes as it is, cookies always go', async () => {
  await ask(call('POST', '/api/login').carries<{ body: object }>(), { body: { email: 'a' } })
  const form = new FormData()
  await ask(call('POST', '/api/upload').carries<{ body: FormData }>(), { body: form })
  await request(call('DELETE', '/api/x'))

  const [json, upload, bare] = sent
  expect(json!.init).toMatchObject({
    method: 'POST',
    body: '{"email":"a"}',
    credentials: 'include',
  })
  expect(header(json!, 'Content-Type')).toBe('application/json')
  expect(upload!.init.body).toBe(form)
  expect(header(upload!, 'Content-Type')).toBeNull()
  expect(header(bare!, 'Content-Type')).toBeNull()
})

test('a bearer header is sent only when auth_token lies in local storage', async () => {
  await ask(call('GET', '/api/x'))
  storage.set('auth_token', 'abc')
  await ask(call('GET', '/api/x'))
  expect(sent.map((call) => header(call, 'Authorization'))).toEqual([null, 'Bearer abc'])
})

test('a token that ended is removed and the call is made once more without it', async () => {
  storage.set('auth_token', 'ended')
  answers = [new Response('{}', { status: 401 }), new Response('{"id":1}')]

  expect(await ask(call('GET', '/api/user').carries<{ answer: object }>())).toEqual({ id: 1 })
  expect(sent.map((call) => header(call, 'Authorization'))).toEqual(['Bearer ended', null])
  expect(storage.has('auth_token')).toBe(false)
})

test('a session that goes on under a new token is kept by it', async () => {
  storage.set('auth_token', 'before')
  answers = [new Response('{}', { headers: { 'X-Auth-Token': 'after' } })]
  await ask(call('POST', '/api/account/password'))
  expect(storage.get('auth_token')).toBe('after')
})

test('the default loader gets the first element of the key, and 401 can mean nobody', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  answers = [
    new Response('[1]'),
    new Response('{"code":"not_signed_in"}', { status: 401 }),
    new Response('{}', { status: 401 }),
    new Response('{}', { status: 500 }),
  ]
  const load = (on401: 'throw' | 'null') =>
    client.fetchQuery({ queryKey: ['/api/things', 2], queryFn: loader({ on401 }), staleTime: 0 })

  expect(await load('throw')).toEqual([1])
  expect(sent[0]!.path).toBe('/api/things')
  expect(await load('null')).toBeNull()
  await expect(load('throw')).rejects.toThrow('401: {}')
  await expect(load('null')).rejects.toThrow('500: {}')
})

const changeThing = call('PATCH', '/api/things/:id').carries<{
  query: { draft?: boolean }
  body: { name: string }
  answer: { id: string }
}>()

test('a call is made with its method at its address, and its answer is read', async () => {
  answers = [Response.json({ id: '7' })]
  const answer = await ask(changeThing, {
    params: { id: 'a b' },
    query: { draft: true },
    body: { name: 'lid' },
  })

  expect(answer.id).toBe('7')
  expect(sent[0]).toMatchObject({
    path: '/api/things/a%20b?draft=true',
    init: { method: 'PATCH', body: '{"name":"lid"}' },
  })
})

test('the key of a query is the address of its call, and its signal ends the call', async () => {
  const readThing = call('GET', '/api/things/:id').carries<{ answer: { id: string } }>()
  const client = new QueryClient()
  const query = queryOf(readThing, { params: { id: '7' } })
  expect(query.queryKey).toEqual(['/api/things/7'])

  answers = [Response.json({ id: '7' })]
  expect((await client.fetchQuery(query)).id).toBe('7')
  expect(sent[0]!.init.signal).toBeInstanceOf(AbortSignal)
})

/** Compiled, never run: each line that is told to be wrong must be refused by the compiler. */
export function callsThatLackSomething(): void {
  const either = call('PUT', '/api/things').carries<{ body: { name: string } | { id: string } }>()
  const body = { name: 'lid' } as { name: string } | { id: string }
  void ask(either, { body })
  const bare = call('DELETE', '/api/things')
  void ask(bare)
  // @ts-expect-error No part of the path.
  void ask(changeThing, { body: { name: 'lid' } })
  // @ts-expect-error No body.
  void ask(changeThing, { params: { id: '7' } })
  // @ts-expect-error Another body.
  void ask(changeThing, { params: { id: '7' }, body: { names: 'lid' } })
  // @ts-expect-error Something that the query does not have.
  void ask(changeThing, { params: { id: '7' }, query: { q: 1 }, body: { name: 'lid' } })
}
