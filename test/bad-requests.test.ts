/**
 * Requests that no client of ours sends. Every field of every route's address, query, body and form
 * gets values that a database, a date or a parser cannot hold. Each is refused or served, never
 * 500.
 */
import { randomUUID } from 'node:crypto'

import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { z } from 'zod'

import { refusals } from '#shared/refusals.ts'
import type { TestApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'
import { times } from '#test/long.ts'
import { type Params, lines, nameOf } from '#test/route-table.ts'
import { type Route, isUnsafe, routesOf } from '#test/router.ts'
import { test } from '#test/served.ts'

const nested = (depth: number): unknown => {
  let value: unknown = 'core'
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
const cursor = (fields: object): string =>
  Buffer.from(JSON.stringify({ sort: 'newest', id: randomUUID(), total: 1, ...fields })).toString(
    'base64url',
  )

const texts = [
  'a\0b',
  'a\ud800b',
  'a'.repeat(20_001),
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00.000Z',
]
const numbers = ['-1', '0.5', '2147483648', '1e308']
const cursors = [
  cursor({ value: '0000-01-01T00:00:00Z' }),
  cursor({ value: '+275760-09-13T00:00:00.000Z' }),
  cursor({ value: '2026-01-01T00:00:00Z\0' }),
  cursor({ value: 2 ** 40 }),
  cursor({ value: 'now', total: 2 ** 60 }),
  Buffer.from('null').toString('base64url'),
]
const values: unknown[] = [
  ...texts,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  1e308,
  null,
  true,
  {},
  nested(2_000),
  ['a\0b', 2 ** 31],
]
const ids = ['%00', '%ed%a0%80', '2147483648', 'a'.repeat(2_000)]

/** Four of five are not sent, so what a request holds is made when it is. */
type Bad = {
  what: string
  url?: string
  sent?: () => Pick<InjectOptions, 'payload' | 'headers'>
}

/** Places in a body where a value can stand: the example's own, and those its schema has besides. */
function placesIn(example: unknown, schema?: z.ZodType): (string | number)[][] {
  if (typeof example !== 'object' || example === null) return []
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const names = [...new Set([...Object.keys(example), ...known])]
  return names.flatMap((name) => [
    [name],
    ...placesIn((example as Record<string, unknown>)[name]).map((rest) => [name, ...rest]),
  ])
}

function changed(example: unknown, [name, ...rest]: (string | number)[], value: unknown): unknown {
  if (name === undefined) return value
  const copy = structuredClone(example) as Record<string, unknown>
  copy[name] = changed(copy[name], rest, value)
  return copy
}

const json = (body: unknown) => ({
  payload: JSON.stringify(body),
  headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
})

function* badAddresses({ path }: Route, addressOf: (ids: Params) => string): Generator<Bad> {
  const params = [...path.matchAll(/:(\w+)|\*/g)].map(([all, name = all]) => name)
  for (const name of params)
    for (const id of ids)
      yield { what: `${name} ${id.slice(0, 20)}`, url: addressOf({ [name]: id }) }
}

function* badQueries({ schema }: Route, url: string): Generator<Bad> {
  const known = schema.querystring instanceof z.ZodObject ? schema.querystring.shape : {}
  const glue = url.includes('?') ? '&' : '?'
  for (const name of [...Object.keys(known), 'unknown'])
    for (const text of [...texts, ...numbers, ...(name === 'cursor' ? cursors : [])]) {
      const query = text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
      yield { what: `?${name}=${text.slice(0, 20)}`, url: `${url}${glue}${name}=${query}` }
    }
  for (const name of Object.keys(known))
    yield { what: `?${name} twice`, url: `${url}${glue}${name}=1&${name}=2` }
}

function* badBodies({ schema }: Route, example: object | undefined): Generator<Bad> {
  for (const place of placesIn(example, schema.body))
    for (const value of values) {
      const what = `${place.join('.')}: ${JSON.stringify(value).slice(0, 40)}`
      yield { what, sent: () => json(changed(example, place, value)) }
    }
  for (const body of ['a\0b', null, 7, [], { unknown: 'a\0b' }, { 'a\0b': 1 }])
    yield { what: `a body ${JSON.stringify(body)}`, sent: () => json(body) }
  const { headers } = json(null)
  const deep = () => `{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`
  yield { what: 'a deep body', sent: () => ({ payload: deep(), headers }) }
  yield { what: 'a cut body', sent: () => ({ payload: '{"a":', headers }) }
  yield { what: 'an empty body', sent: () => ({ payload: '', headers }) }
}

const part = (name: string, content: string, type = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n${content}\r\n`
const file = part('file', 'RIFF and nothing more', '; filename="a.wav"\r\nContent-Type: audio/wav')
const asJson = '\r\nContent-Type: application/json'

function* badForms(schema: z.ZodObject): Generator<Bad> {
  const form = (what: string, payload: string, boundary = '; boundary=x'): Bad => ({
    what,
    sent: () => ({
      payload,
      headers: { 'content-type': `multipart/form-data${boundary}` },
    }),
  })
  const whole = `${file}--x--\r\n`
  yield form('a form without a boundary', whole, '')
  yield form('a form with an empty boundary', whole, '; boundary=')
  yield form('a form with a long boundary', whole, `; boundary=${'x'.repeat(300)}`)
  yield form('a form of another boundary', whole, '; boundary=y')
  yield form('an empty form', '')
  yield form('a form that ends at once', '--x--\r\n')
  yield form('a form cut off in its file', file.slice(0, -10))
  yield form('a form cut off in a header', file.slice(0, 30))
  yield form('a form cut off after its file', file)
  yield form('a form cut off in a field', file + part('model', 'whisper-1').slice(0, -6))
  yield form('a file under another name', whole.replace('"file"', '"a\0b"'))
  yield form('a file with a bad name', whole.replace('a.wav', 'a\0b.wav'))
  yield form('two files', file + whole)
  yield form('many fields', part('a', 'b').repeat(100) + whole)
  for (const name of ['__proto__', '__proto__[]', 'constructor[]', 'toString[]', '[]', 'a\0b'])
    yield form(`a field ${name}`, part(name, 'x') + whole)
  for (const name of [...Object.keys(schema.shape), 'unknown']) {
    for (const text of ['a\0b', 'a\ud800b', 'a'.repeat(200_000)])
      yield form(`a field ${name} of ${text.slice(0, 3)}`, part(name, text) + whole)
    const deep = '['.repeat(499) + ']'.repeat(499)
    for (const text of ['{"a":1}', deep, '{'])
      yield form(`a field ${name} of JSON`, part(name, text, asJson) + whole)
    yield form(`a field ${name} after the file`, `${file}${part(name, 'a\0b')}--x--\r\n`)
  }
}

const Refused = z.object({ message: z.string().min(1), code: z.string() })
const Answer = z.union([Refused, z.object({ error: Refused }).transform(({ error }) => error)])

/** The answer of OpenAI's calls where no route has the address, as for a name that is too long. */
const codes = new Set([...Object.keys(refusals), 'unknown_url'])

/** In the shape of our refusals, or of OpenAI's. A bad address may lead to a page instead. */
function isRefusal({ body, headers, statusCode }: LightMyRequestResponse): boolean {
  if (!headers['content-type']?.startsWith('application/json')) return statusCode !== 500
  const refused = Answer.safeParse(JSON.parse(body))
  return refused.success && codes.has(refused.data.code)
}

let asker = 0
/** Each request comes from another address, so that no limit of calls refuses it. */
const anAddress = () => `10.${(asker >> 16) & 255}.${(asker >> 8) & 255}.${asker++ & 255}`

async function anOwner(server: TestApp, route: Route) {
  const line = lines[nameOf(route)]
  if (!line) throw new Error(`test/route-table.ts has no line for ${nameOf(route)}`)
  const user = await aUser(server.parts.database.db, { plan: 'enterprise', credits: 100 })
  const ids = line.for === 'owner' ? await line.of(server, user.id) : {}
  const query = line.for === 'owner' ? (line.query ?? '') : ''
  const addressOf = (others: Params) =>
    route.path.replace(/:(\w+)|\*/g, (all, name = all) => ({ ...ids, ...others })[name] ?? 'x') +
    query
  return { call: await server.as(user), addressOf, example: line.body?.(ids) }
}

test('a route that takes a body has an example of it', ({ server }) => {
  const takers = routesOf(server.app).filter(({ schema }) => schema.body)
  expect(takers.filter((route) => !lines[nameOf(route)]?.body).map(nameOf)).toEqual([])
})

test(
  'whatever a request holds, no route breaks over it',
  async ({ server }) => {
    const wrong: string[] = []
    let made = 0
    let asked = 0
    for (const route of routesOf(server.app)) {
      if (route.method === 'HEAD') continue
      let { call, addressOf, example } = await anOwner(server, route)
      const bad = [
        ...badAddresses(route, addressOf),
        ...badQueries(route, addressOf({})),
        ...(isUnsafe(route) ? badBodies(route, example) : []),
        ...(route.config.form ? badForms(route.config.form) : []),
      ]
      for (const { what, url = addressOf({}), sent } of bad) {
        // Every seventh, counted over all routes, so that each value comes up somewhere.
        made += 1
        if (made % times(7, 1) !== 0) continue
        const remoteAddress = anAddress()
        const method = route.method as 'GET'
        const answer = await call({ method, url, remoteAddress, ...sent?.() })
        asked += 1
        const { statusCode: status } = answer
        const isAnswered = status < 400 || isRefusal(answer)
        if (!isAnswered)
          wrong.push(`${nameOf(route)} ${what}: ${status} ${answer.body.slice(0, 90)}`)
        // A call that worked may have ended the session, or deleted the thing that the address
        // names.
        if (status < 400 && isUnsafe(route))
          ({ call, addressOf, example } = await anOwner(server, route))
      }
    }
    console.log(`bad requests: ${asked} answers, ${wrong.length} wrong`)
    expect(wrong).toEqual([])
  },
  times(60_000, 360_000),
)
