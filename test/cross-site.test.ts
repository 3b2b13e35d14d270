/** Tests that another site cannot make a visitor's browser do anything to this server. */
import { createHash, randomUUID } from 'node:crypto'

import { expect } from 'vitest'

import { Register } from '#features/account/contract.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { anUpload, aSession, aUser } from '#test/factories.ts'
import { times } from '#test/long.ts'
import { isUnsafe, routesOf } from '#test/router.ts'
import { ownPath } from '#shared/own-path.ts'
import { safeNext } from '#web/paths.ts'

const settings = {
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_AUTH_URL: 'https://accounts.google.com/o/oauth2/v2/auth',
}
const test = base.extend<{ $file: { server: TestApp } }>({
  server: [
    async ({ database }, use) => {
      const server = await anApp(database, { settings })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
})

const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/json; charset=utf-7',
  undefined,
]
const sites = ['cross-site', 'same-site', 'none', 'same-origin', undefined]
const origins = ['http://localhost', 'https://evil.example', 'null', undefined]

const isOurs = (site: string | undefined, origin: string | undefined) =>
  (site === 'same-origin' && (origin === 'http://localhost' || origin === undefined)) ||
  (site === undefined && origin === 'http://localhost')

const present = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined),
  )

/** All data that a request could change, as one text. */
async function stateOf({ parts }: TestApp): Promise<string> {
  const hash = createHash('sha256')
  for (const table of [
    'users',
    'sessions',
    'transcriptions',
    'credit_entries',
    'email_changes',
    'identities',
    'contact_messages',
    'email_links',
  ]) {
    const { rows } = await parts.database.pool.query(`select t::text from ${table} t order by 1`)
    hash.update(JSON.stringify(rows))
  }
  return hash.digest('hex')
}

test('no page of another site changes anything, on any route, however it asks', async ({
  server,
  db,
}) => {
  const { app } = server
  const user = await aUser(db, { credits: 10 })
  const { id: session, token } = await aSession(db, { userId: user.id })
  const { id } = await anUpload(db, { userId: user.id })
  const ids: Record<string, string> = { id, turnId: randomUUID(), speaker: '0', act: 'pay' }
  const addressOf = (path: string) =>
    path === '/api/account/sessions/:id'
      ? path.replace(':id', session)
      : path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'x')
  const cookie = `quoth_session=${token}`
  const before = await stateOf(server)

  let refused = 0
  const wrong: string[] = []
  // It only leads to a page: a phone's share menu posts to it.
  const routes = routesOf(app)
    .filter(isUnsafe)
    .filter(({ path }) => path !== '/share-target')
  // Every route is asked from every place. Of the types of a body, and of made-up tokens, it is each
  // in turn: every pair of place and type meets many routes.
  let turn = 0
  for (const { method, path } of routes) {
    turn += 1
    const ask = async (headers: Record<string, string | undefined>) =>
      app.inject({
        method: method as 'POST',
        url: addressOf(path),
        payload: '{}',
        headers: { host: 'localhost', ...present(headers) },
      })
    for (const site of sites)
      for (const origin of origins) {
        const context = { 'sec-fetch-site': site, origin }
        turn += 1
        if (!isOurs(site, origin))
          for (const [at, type] of types.entries()) {
            if ((at + turn) % times(types.length, 1) !== 0) continue
            const answer = await ask({ cookie, ...context, 'content-type': type })
            if (answer.statusCode === 403 && answer.body.includes('from another site')) refused += 1
            else wrong.push(`${method} ${path} ${site} ${origin} ${type}: ${answer.statusCode}`)
          }
        // With a made-up token the cookie is ignored, wherever the request comes from.
        if (turn % times(4, 1) !== 0) continue
        const bad = { authorization: 'Bearer made-up', 'content-type': 'application/json' }
        const answer = await ask({ cookie, ...context, ...bad })
        if (answer.statusCode >= 400 || path === '/api/logout') refused += 1
        else wrong.push(`${method} ${path} with a made-up token: ${answer.statusCode}`)
      }
  }
  console.log(`cross-site: ${refused} requests on ${routes.length} routes, none changed anything`)
  expect(wrong).toEqual([])
  expect(await stateOf(server)).toBe(before)
  const still = await app.inject({ url: '/api/user', headers: { host: 'localhost', cookie } })
  expect(still.statusCode).toBe(200)
}, 120_000)

test('our own page can make its changes, by cookie, by token and by both', async ({
  server,
  db,
}) => {
  const user = await aUser(db)
  const { token } = await aSession(db, { userId: user.id })
  const cookie = `quoth_session=${token}`
  const authorization = `Bearer ${token}`
  for (const headers of [{ cookie }, { authorization }, { cookie, authorization }]) {
    const answer = await server.app.inject({
      method: 'PATCH',
      url: '/api/account',
      payload: { firstName: 'Grace', lastName: 'Hopper' },
      headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', ...headers },
    })
    expect(answer.statusCode).toBe(200)
  }
})

test('a sign-out that another site links to leaves the session alone', async ({ server, db }) => {
  const user = await aUser(db)
  const cookie = `quoth_session=${(await aSession(db, { userId: user.id })).token}`
  for (const site of ['cross-site', 'same-site']) {
    const headers = { host: 'localhost', cookie, 'sec-fetch-site': site }
    const answer = await server.app.inject({ url: '/api/logout', headers })
    expect(answer.headers.location).toBe('/')
    const still = await server.app.inject({ url: '/api/user', headers: { ...headers } })
    expect(still.statusCode).toBe(200)
  }
})

test('a page of any site may make the calls that take a key, and no others', async ({ server }) => {
  const foreign = { host: 'localhost', origin: 'https://evil.example' }
  const allowed = new Map<string, string>()
  for (const { method, path, schema } of routesOf(server.app)) {
    if (path === '/*') continue
    const headers = { ...foreign, 'access-control-request-method': method }
    const url = path.replaceAll(/:\w+/g, 'x')
    const before = await server.app.inject({ method: 'OPTIONS', url, headers })
    expect(before.headers).not.toHaveProperty('access-control-allow-credentials')
    const methods = (before.headers['access-control-allow-methods'] ?? '').split(', ')
    const isAllowed =
      before.statusCode === 204 &&
      before.headers['access-control-allow-origin'] === '*' &&
      methods.includes(method)
    expect([method, path, isAllowed]).toEqual([method, path, 'scopes' in schema])
    if (isAllowed)
      allowed.set(`${method} ${path}`, String(before.headers['access-control-allow-headers']))
  }
  expect(allowed.size).toBeGreaterThan(80)
  expect(new Set(allowed.values())).toEqual(new Set(['Authorization, *']))
  expect(allowed.has('POST /api/login')).toBe(false)
})

test('such a page reads the answer to its own key, a refusal too, and nothing by a cookie', async ({
  server,
  db,
}) => {
  const foreign = {
    host: 'localhost',
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
  }
  const user = await aUser(db)
  const { token } = await aSession(db, { userId: user.id, kind: 'token' })
  const ask = (headers: Record<string, string>, url = '/api/user') =>
    server.app.inject({ url, headers: { ...foreign, ...headers } })
  const authorization = `Bearer ${token}`
  const answers = [
    await ask({ authorization }),
    await ask({ authorization: 'Bearer x' }),
    await ask({}),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401, 401])
  for (const { headers } of answers) {
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  }
  const { headers } = await ask({ authorization }, '/api/account/sessions')
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

const targets = [
  'evil.example',
  'evil.example:443',
  'localhost.evil.example',
  'localhost@evil.example',
  'evil%2eexample',
]
const wrappers = [
  (host: string) => `https://${host}/`,
  (host: string) => `//${host}/`,
  (host: string) => `///${host}/`,
  (host: string) => `/\\${host}/`,
  (host: string) => `\\\\${host}`,
  (host: string) => `/\t/${host}`,
  (host: string) => `/%09/${host}`,
  (host: string) => `/%2f%2f${host}`,
  (host: string) => `/%5c${host}`,
  (host: string) => `/..//${host}`,
  (host: string) => `/.//${host}`,
  (host: string) => `/;@${host}`,
  (host: string) => `@${host}`,
  (host: string) => `.${host}`,
  (host: string) => `http:${host}`,
  (host: string) => `http:/\\${host}`,
  (host: string) => `https:%2f%2f${host}`,
  (host: string) => `/${host}%0d%0aLocation:%20https://${host}`,
  (host: string) => `/\r\nLocation: https://${host}`,
  (host: string) => `/?next=//${host}`,
  (host: string) => `/#//${host}`,
  (host: string) => `/%E2%80%AE//${host}`,
  (host: string) => `/。//${host}`,
  (host: string) => `///;//${host}`,
  (host: string) => `/%00//${host}`,
  (host: string) => `/%2e%2e%2f%2f${host}`,
  (host: string) => `%2f%2f${host}`,
  (host: string) => `%5c%5c${host}`,
]
const scripts = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'javascript%3Aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '//evil.example',
  'https:evil.example',
  'ftp://evil.example',
]
const parameters = ['next', 'redirect', 'return', 'url', 'state', 'code', 'error', 'token', 'auth']

const payloads = [...targets.flatMap((host) => wrappers.map((wrap) => wrap(host))), ...scripts]

test('no sign-in leads on to another site, wherever a visitor claims to be bound', () => {
  const person = {
    email: 'a@b.example',
    password: 'quoth the raven',
    firstName: 'Ada',
    lastName: 'Lovett',
  }
  const kept = payloads.flatMap((next) => Register.parse({ ...person, next }).next ?? [])
  const origins = [...payloads, ...kept].map(
    (next) => new URL(safeNext(next) ?? '/home', 'http://localhost').origin,
  )
  expect(new Set(origins)).toEqual(new Set(['http://localhost']))
  expect(kept.filter((next) => new URL(next, 'http://localhost').origin !== origins[0])).toEqual([])
  // Accepted paths are turned back into links.
  const links = payloads.flatMap((next) => ownPath(next) ?? [])
  expect(
    links.map(({ pathname, rest }) => pathname + rest).filter((link) => link.startsWith('//')),
  ).toEqual([])
})

test('no address on this server redirects to another site', async ({ server }) => {
  expect(payloads.length).toBeGreaterThanOrEqual(150)
  const ours = new Set(['http://localhost', 'https://accounts.google.com'])
  let asked = 0
  const foreign: string[] = []
  const ask = async (url: string, host: string) => {
    const answer = await server.app.inject({ url, headers: { host } })
    asked += 1
    const { location } = answer.headers
    if (location === undefined) return
    const target = URL.parse(location, 'http://localhost')
    if (!target || !ours.has(target.origin)) foreign.push(`${url} → ${location}`)
    if (/[\r\n]/.test(location)) foreign.push(`${url} → a header of its own`)
  }
  for (const payload of payloads) {
    const value = encodeURIComponent(payload)
    for (const path of [
      '/',
      '/auth',
      '/api/logout',
      '/api/auth/google',
      '/api/auth/google/callback',
    ])
      await ask(`${path}?${parameters.map((name) => `${name}=${value}`).join('&')}`, 'localhost')
    // A page that is asked for under another local name is redirected to the public one.
    if (payload.startsWith('/')) await ask(encodeURI(payload), '127.0.0.1')
    await ask(`/${value}`, '127.0.0.1')
  }
  console.log(
    `redirects: ${payloads.length} payloads, ${asked} requests, ${foreign.length} foreign`,
  )
  expect(foreign).toEqual([])
}, 60_000)

const forged = (host: string): Record<string, string>[] => [
  { host },
  { host: 'localhost', 'x-forwarded-host': host },
  { host: 'localhost', 'x-forwarded-host': host, 'x-forwarded-proto': 'https' },
  { host: 'localhost', forwarded: `host=${host};proto=https` },
  { host: 'localhost', 'x-host': host, 'x-forwarded-server': host },
  { host: 'localhost', 'x-original-url': `https://${host}/`, 'x-rewrite-url': `//${host}/` },
  { host: 'localhost', 'x-http-host-override': host },
]
const hosts = [
  'evil.example',
  'localhost.evil.example',
  'evil.example:80',
  'localhost@evil.example',
  'localhost:80@evil.example',
  '127.0.0.1.nip.io',
  'LOCALHOST.evil.example',
  '[::ffff:8.8.8.8]',
]

test('no host that somebody makes up is in a link, a redirect or a mail', async ({ server }) => {
  const cases = hosts.flatMap(forged)
  expect(cases.length).toBeGreaterThan(50)
  let mails = 0
  for (const [at, headers] of cases.entries()) {
    for (const url of ['/', '/auth', '/api/auth/google', '/api/logout', '/no-such-page']) {
      const answer = await server.app.inject({ url, headers })
      const text = `${answer.body} ${JSON.stringify(answer.headers)}`
      expect(text).not.toMatch(/evil\.example|nip\.io|8\.8\.8\.8/)
      if (headers['host'] !== 'localhost') expect(answer.statusCode).toBe(421)
    }
    // A sign-up and its mail with each kind of header, in the long run with each host too.
    if (at % times(4, 1) !== 0) continue
    const email = `${randomUUID()}@example.com`
    const registered = await server.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: { email, password: 'quoth the raven', firstName: 'Ada', lastName: 'Lovett' },
      headers,
    })
    if (headers['host'] !== 'localhost') {
      expect(registered.statusCode).toBe(421)
      continue
    }
    expect(registered.statusCode).toBe(201)
    const [mail] = await server.mailsTo(email, { atLeast: 1 })
    mails += 1
    const links = mail!.text.match(/https?:\/\/[^\s]+/g) ?? []
    expect(links.every((link) => link.startsWith('http://localhost/'))).toBe(true)
  }
  console.log(`hosts: ${cases.length} forged, ${mails} mails, 0 foreign links`)
}, 120_000)
