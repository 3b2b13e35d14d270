import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'

import { describe, expect } from 'vitest'

import { openDatabase } from '#server/db.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aUser } from '#test/factories.ts'

const shell =
  '<!doctype html><html><head></head><body>the app<script>start()</script></body></html>'
const notFound = '<!doctype html><html><body>nothing is here</body></html>'
const landing =
  '<!doctype html><html><head><link rel="canonical" href="__PUBLIC_URL__/"><script>theme("<!-- -->")</script><script type="module" src="/assets/a-1.js"></script><style>p{}</style></head><body><p style="color:red">welcome</p></body></html>'

/** A browser side as the build leaves it, cut down to the files that the server looks at. */
async function aClient(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'quoth-client-'))
  for (const folder of ['assets', 'pricing', '404']) await mkdir(join(dir, folder))
  for (const [name, text] of Object.entries({
    '__spa-fallback.html': shell,
    'index.html': landing,
    'pricing/index.html': landing,
    '404/index.html': notFound,
    'assets/a-1.js': 'start()',
    'assets/a-1.css': 'p{}',
    'assets/gone-1.css': 'p{}',
    'assets/a-1.js.br': brotliCompressSync('start()'),
    'sitemap.xml': '<loc>__PUBLIC_URL__/</loc>',
    'robots.txt': '',
    '__screens.json': JSON.stringify(['/', '/auth', '/account/data', '/admin']),
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  }))
    await writeFile(join(dir, name), text)
  return dir
}

const test = base.extend<{ $file: { server: TestApp; bare: TestApp } }>({
  server: [
    async ({ database }, use) => {
      const clientDir = await aClient()
      const settings = { ADMIN_EMAILS: 'operator@quoth.example' }
      const server = await anApp(database, { works: false, settings, parts: { clientDir } })
      // Not a call of the product: it shows the answer to a bug.
      server.app.get('/api/bug', { config: { access: 'public' } }, () => {
        throw new Error('select * from users where email = secret')
      })
      await rm(join(clientDir, 'assets/gone-1.css'))
      await use(server)
      await server.close()
      await rm(clientDir, { recursive: true, force: true })
    },
    { scope: 'file' },
  ],
  bare: [
    async ({ database }, use) => {
      const server = await anApp(database, { works: false })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
})

test('the pages of operators are not there for anybody else', async ({ server, db }) => {
  const operator = await server.as(await aUser(db, { email: 'operator@quoth.example' }))
  const other = await server.as(await aUser(db))
  for (const path of ['/admin', '/admin/', '/%61dmin']) {
    expect((await operator(path)).statusCode).toBe(200)
    for (const ask of [other, server.inject]) expect((await ask(path)).statusCode).toBe(404)
  }
})

// What other sites ask for is refused: test/cross-site.test.ts.
test('our own pages may ask for a change, proven by either header', async ({ server, db }) => {
  for (const headers of [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://localhost' },
    { origin: 'http://127.0.0.1', 'sec-fetch-site': 'same-origin' },
  ]) {
    const signedIn = await server.as(await aUser(db))
    const cookie = String((await signedIn('/api/user')).raw.req.headers.cookie)
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/logout',
      headers: { host: 'localhost', cookie, ...headers },
    })
    expect(answer.statusCode).toBe(200)
  }
})

test('a script without a cookie needs no browser headers', async ({ server }) => {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email: 'ada@example.com', password: 'a wrong password' },
  })
  expect(answer.statusCode).toBe(401)
})

describe('the name in the address', () => {
  const paths = ['/', '/auth', '/pricing', '/api/user', '/assets/a-1.js', '/dev/mail']

  /** The calls of a monitor, which knows the address of a process and not its name. */
  const probes = ['/livez', '/readyz', '/healthz']

  test.for([
    ['evil.example', 'a name'],
    ['localhost.evil.example', 'a name'],
    ['localhost:8080', 'an address'],
    ['127.0.0.2', 'an address'],
    ['0.0.0.0', 'an address'],
    ['10.1.2.3:9000', 'an address'],
    ['[::]', 'an address'],
    ['127.0.0.1.evil.example', 'a name'],
    ['localhost@evil.example', 'a name'],
    ['localhost/evil.example', 'a name'],
    ['localhost evil.example', 'a name'],
    ['http://localhost', 'a name'],
  ])('%j is refused on every route, but %s by probes', async ([host, kind], { server }) => {
    for (const url of probes) {
      const { statusCode } = await server.app.inject({ url, headers: { host } })
      expect([url, statusCode]).toEqual([url, kind === 'an address' ? 200 : 421])
    }
    for (const url of [...paths, '/no-such-page', '/api/no-such-call']) {
      const answer = await server.app.inject({ url, headers: { host } })
      expect([url, answer.statusCode]).toEqual([url, 421])
      expect(answer.json()).toMatchObject({ code: 'wrong_host' })
    }
  })

  test('the three names of the machine itself are one', async ({ server }) => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', 'localhost:80'])
      expect((await server.app.inject({ url: '/healthz', headers: { host } })).statusCode).toBe(200)
  })

  test('a page asked for by another local name is loaded under the public one', async ({
    server,
  }) => {
    for (const url of [
      '/',
      '/auth?mode=register',
      '/pricing',
      '//evil.example/x',
      '/\\evil.example',
    ]) {
      const answer = await server.app.inject({ url, headers: { host: '127.0.0.1' } })
      expect(answer.statusCode).toBe(307)
      expect(new URL(String(answer.headers.location)).origin).toBe('http://localhost')
    }
  })

  test('a host that a proxy claims beside the Host header is not believed', async ({ server }) => {
    const headers = {
      host: 'localhost',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    }
    for (const url of paths) {
      const answer = await server.app.inject({ url, headers })
      expect(answer.statusCode).not.toBe(421)
      expect(`${answer.headers.location} ${answer.body}`).not.toContain('evil')
    }
  })

  test('two names, or another one in the address, are none', async ({ database }) => {
    const PUBLIC_URL = 'https://quoth.example'
    const { app, close } = await anApp(database, { works: false, settings: { PUBLIC_URL } })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const statusOf = async (target: string, ...hosts: string[]) => {
      const socket = connect(port, '127.0.0.1')
      const headers = hosts.map((host) => `Host: ${host}\r\n`).join('')
      socket.write(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      socket.destroy()
      return Number(answer.toString().split(' ')[1])
    }
    const ours = 'quoth.example'
    expect(await statusOf('/api/auth/options', ours)).toBe(200)
    expect(await statusOf('/api/auth/options', ours, 'evil.example')).toBe(400)
    expect(await statusOf('/api/auth/options', ours, ours)).toBe(400)
    expect(await statusOf('https://quoth.example/api/auth/options', ours)).toBe(200)
    expect(await statusOf('https://evil.example/api/auth/options', ours)).toBe(421)
    expect(await statusOf('https://quoth.example/api/auth/options', 'evil.example')).toBe(421)
    expect(await statusOf('https://quoth.example/api/engines', ours)).toBe(401)
    await close()
  })

  test('a public server answers to its own name only', async ({ database }) => {
    const server = await anApp(database, {
      works: false,
      settings: { PUBLIC_URL: 'https://quoth.example' },
    })
    const status = async (host: string) =>
      (await server.app.inject({ url: '/api/auth/options', headers: { host } })).statusCode
    expect(await status('quoth.example')).toBe(200)
    expect(await status('quoth.example:443')).toBe(200)
    expect(await status('localhost')).toBe(421)
    expect(await status('quoth.example:80')).toBe(421)
    const { headers } = await server.inject('/healthz')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    await server.close()
  })
})

describe('pages', () => {
  test('the start page depends on who asks, and is not kept', async ({ server, db }) => {
    const anonymous = await server.inject('/')
    expect(anonymous.body).toContain('welcome')
    const signedIn = await server.as(await aUser(db))
    const app = await signedIn('/')
    expect(app.body).toContain('the app')
    for (const { headers } of [anonymous, app])
      expect(headers).toMatchObject({
        vary: 'Cookie, Accept-Encoding',
        'cache-control': 'no-store',
      })
    const stale = await server.inject({ url: '/?x=1', headers: { cookie: 'quoth_session=stale' } })
    expect(stale.body).toContain('welcome')
  })

  test('the screens of the app get its shell, with and without a last slash', async ({
    server,
  }) => {
    for (const url of ['/auth', '/auth/', '/auth?verify=abc', '/account/data']) {
      const answer = await server.inject(url)
      expect([url, answer.statusCode]).toEqual([url, 200])
      expect(answer.body).toContain('the app')
    }
  })

  test('a path that nobody knows is 404, with a page that says so', async ({ server }) => {
    for (const url of ['/no-such-page', '/auth/x', '/index.html', '/__screens.json', '/assets']) {
      const answer = await server.inject(url)
      expect([url, answer.statusCode]).toEqual([url, 404])
    }
    const answer = await server.inject('/no-such-page')
    expect(answer.body).toContain('nothing is here')
    expect(answer.headers['x-robots-tag']).toBe('noindex')
  })

  test('an address that does not decode is refused in our shape', async ({ server }) => {
    for (const url of ['/%zz', '/api/%zz']) {
      const answer = await server.inject(url)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'invalid_request' })
      expect(answer.headers).toHaveProperty('x-request-id')
    }
  })

  test('a call that nobody knows is 404 in JSON', async ({ server, db }) => {
    const signedIn = await server.as(await aUser(db))
    for (const inject of [server.inject, signedIn])
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const answer = await inject({ method, url: '/api/no-such-call' })
        expect(answer.statusCode).toBe(404)
        expect(answer.json()).toEqual({ message: 'Not found.', code: 'not_found' })
      }
  })

  test('a method that a call does not take is 405 and names those it takes', async ({ server }) => {
    for (const [method, url, allow] of [
      ['GET', '/api/login', 'POST'],
      ['POST', '/api/openapi.json', 'GET, HEAD'],
      ['DELETE', '/api/vocabulary', 'GET, HEAD, PUT'],
      ['QUERY', '/api/user', 'GET, HEAD'],
      ['PUT', `/api/transcriptions/${crypto.randomUUID()}`, 'GET, HEAD, PATCH, DELETE'],
    ] as const) {
      const answer = await server.inject({ method, url })
      expect([url, answer.statusCode]).toEqual([url, 405])
      expect(answer.json()).toMatchObject({ code: 'method_not_allowed' })
      expect(answer.headers['x-frame-options']).toBe('DENY')
      const told = String(answer.headers['allow']).split(', ')
      for (const each of allow.split(', ')) expect(told).toContain(each)
      expect(told).not.toContain(method)
    }
    // Another call takes any name in that place.
    const exact = await server.inject({ method: 'DELETE', url: '/api/batches/confirm' })
    expect(exact.headers['allow']).toBe('POST')
    // The call takes the method, and there is nothing of so long a name.
    const long = await server.inject(`/v1/models/${'a'.repeat(2_000)}`)
    expect([long.statusCode, long.headers['allow']]).toEqual([404, undefined])
  })

  test('a program that is not let in is told how to come in', async ({ server }) => {
    const ask = async (headers: Record<string, string>) => {
      const answer = await server.inject({ url: '/api/user', headers })
      return [answer.statusCode, answer.headers['www-authenticate']]
    }
    expect(await ask({})).toEqual([401, 'Bearer'])
    expect(await ask({ authorization: 'Bearer x' })).toEqual([401, 'Bearer error="invalid_token"'])
  })

  test('files that carry a hash in their name are kept for ever, others for an hour', async ({
    server,
  }) => {
    const hashed = await server.inject('/assets/a-1.js')
    expect(hashed.body).toBe('start()')
    expect(hashed.headers['content-type']).toContain('javascript')
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const icon = await server.inject('/favicon.svg')
    expect(icon.headers['content-type']).toContain('svg')
    expect(icon.headers['cache-control']).toBe('public, max-age=3600')
  })

  test('a file that is gone since the start is not missed for ever', async ({ server }) => {
    const { statusCode, headers } = await server.inject('/assets/gone-1.css')
    expect(statusCode).toBe(404)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
  })

  test('nothing outside of the built files is handed out', async ({ server }) => {
    for (const url of [
      '/../package.json',
      '/..%2fpackage.json',
      '/assets/..%2f..%2fpackage.json',
      '/%2e%2e/package.json',
      '/assets/%00a-1.js',
      '//etc/passwd',
    ])
      expect((await server.inject(url)).statusCode).toBe(404)
  })

  test('a page that has not changed is not sent again', async ({ server }) => {
    const first = await server.inject('/pricing')
    expect(first.headers['cache-control']).toBe('no-cache')
    const etag = String(first.headers['etag'])
    const second = await server.inject({ url: '/pricing', headers: { 'if-none-match': etag } })
    expect(second.statusCode).toBe(304)
    expect(second.body).toBe('')
    const policy = 'content-security-policy'
    expect(second.headers[policy]).toBe(first.headers[policy])
  })

  test('addresses in pages are those of PUBLIC_URL', async ({ server }) => {
    expect((await server.inject('/pricing')).body).toContain('href="http://localhost/"')
  })

  test('a page and a file come compressed to who takes them so', async ({ server }) => {
    const plain = await server.inject('/pricing')
    expect(plain.headers).not.toHaveProperty('content-encoding')
    for (const [accepted, encoding, decoded] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const answer = await server.inject({
        url: '/pricing',
        headers: { 'accept-encoding': accepted },
      })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.headers['vary']).toContain('Accept-Encoding')
      expect(decoded(answer.rawPayload).toString()).toBe(plain.body)
      expect(answer.headers['etag']).toBe(plain.headers['etag'])
    }
    const file = await server.inject({
      url: '/assets/a-1.js',
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(file.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(brotliDecompressSync(file.rawPayload).toString()).toBe('start()')
    expect((await server.inject('/assets/a-1.js.br')).statusCode).toBe(404)
  })

  test('a static page is marked for who may be signed in, and kept apart', async ({ server }) => {
    const anybody = await server.inject('/pricing')
    const somebody = await server.inject({
      url: '/pricing',
      headers: { cookie: 'quoth_session=anything' },
    })
    expect(anybody.body).not.toContain('data-signed-in')
    expect(somebody.body).toContain('<html data-signed-in')
    expect(somebody.headers['etag']).not.toBe(anybody.headers['etag'])
    expect(somebody.headers['vary']).toContain('Cookie')
  })

  test('the map of the site has the addresses of PUBLIC_URL', async ({ server }) => {
    const map = await server.inject('/sitemap.xml')
    expect(map.body).toBe('<loc>http://localhost/</loc>')
    expect(map.headers['content-type']).toContain('application/xml')
  })

  test('without a built browser side a page says what to do', async ({ bare }) => {
    for (const url of ['/', '/auth', '/no-such-page']) {
      const answer = await bare.inject(url)
      expect(answer.statusCode).toBe(503)
      expect(answer.body).toBe(
        'The pages of this server are not built yet. Please run: npm run build',
      )
    }
  })

  test('with the browser side of an earlier release it says so too, and calls are answered', async ({
    database,
  }) => {
    const clientDir = await aClient()
    await rm(join(clientDir, '__screens.json'))
    const server = await anApp(database, { works: false, parts: { clientDir } })
    const page = await server.inject('/auth')
    expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining('npm run build')])
    expect((await server.inject('/api/auth/options')).statusCode).toBe(200)
    await server.close()
    await rm(clientDir, { recursive: true, force: true })
  })
})

describe('headers', () => {
  test('pages, files and calls have a request id and forbid sniffing and framing', async ({
    server,
    db,
  }) => {
    const signedIn = await server.as(await aUser(db))
    for (const url of [
      '/',
      '/auth',
      '/nowhere',
      '/assets/a-1.js',
      '/assets/a-1.css',
      '/api/user',
      '/api/x',
      '/healthz',
    ])
      for (const inject of [server.inject, signedIn]) {
        const { headers } = await inject(url)
        expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin-allow-popups',
        })
        expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
        expect(headers['content-security-policy']).toContain("base-uri 'none'")
        if (url.startsWith('/api/')) expect(headers['cache-control']).toBe('no-store')
      }
  })

  test('a page names its inline scripts and styles by hash, and allows no others', async ({
    server,
  }) => {
    const { headers } = await server.inject('/')
    const policy = String(headers['content-security-policy'])
    const { createHash } = await import('node:crypto')
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain(`script-src 'self' ${hash('theme("<!-- -->")')};`)
    expect(policy).toContain(`style-src 'self' ${hash('p{}')};`)
    expect(policy).toContain(`style-src-attr 'unsafe-hashes' ${hash('color:red')};`)
    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe-inline')
    expect(policy).not.toContain('unsafe-eval')
  })
})

describe('plain http', () => {
  const words = 'This server is reached without encryption. Passwords travel readable.'

  test.for([
    [{ PUBLIC_URL: 'http://quoth.example', ALLOW_HTTP: '1' }, true],
    [{ PUBLIC_URL: 'https://quoth.example', ALLOW_HTTP: '1' }, false],
    [{ PUBLIC_URL: 'http://127.0.0.1', ALLOW_HTTP: '1' }, false],
  ] as const)('%j: every page warns: %s', async ([settings, warns], { database }) => {
    const clientDir = await aClient()
    const server = await anApp(database, { works: false, settings, parts: { clientDir } })
    for (const url of ['/', '/pricing', '/auth', '/no-such-page'])
      expect((await server.inject(url)).body.includes(`<body data-warning="${words}">`)).toBe(warns)
    await server.close()
    await rm(clientDir, { recursive: true, force: true })
  })
})

describe('errors', () => {
  test('a bug is one sentence with the request id, and nothing of what broke', async ({
    server,
  }) => {
    const answer = await server.inject('/api/bug')
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({
      message: `Something broke on our side. If it happens again, mention request ${String(answer.headers['x-request-id'])}.`,
      code: 'internal',
    })
  })

  test.for([
    ['{"email":', 'application/json', 400],
    ['', 'application/json', 400],
    ['[]', 'application/json', 400],
    ['email=ada', 'application/x-www-form-urlencoded', 415],
    [JSON.stringify({ email: 'a'.repeat(300_000) }), 'application/json', 413],
    ['{"email":{"$gt":""},"password":"x"}', 'application/json', 400],
    ['{"__proto__":{"x":1}}', 'application/json', 400],
  ] as const)(
    'a body of %j is refused in our shape',
    async ([payload, type, status], { server }) => {
      const headers = { 'content-type': type }
      const answer = await server.inject({ method: 'POST', url: '/api/login', headers, payload })
      expect(answer.statusCode).toBe(status)
      expect(answer.json()).toMatchObject({ message: expect.any(String), code: 'invalid_request' })
    },
  )

  test('calls below /api/ are for signed-in users unless they say otherwise', async ({
    server,
  }) => {
    for (const [method, url] of [
      ['GET', '/api/user'],
      ['GET', '/api/transcriptions'],
      ['POST', '/api/upload'],
      ['POST', '/api/transcriptions/1/confirm'],
    ] as const) {
      const answer = await server.inject({ method, url })
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual({
        message: 'Please sign in to continue.',
        code: 'not_signed_in',
      })
    }
  })

  test('without its database the server says so and stays up', async ({ database }) => {
    const lost = await openDatabase(database.url)
    const server = await anApp(database, { works: false, parts: { database: lost } })
    expect((await server.inject('/healthz')).json()).toEqual({
      status: 'ok',
      speech: 'pocketsphinx',
      writing: 'extractive',
      decoder: 'unsandboxed',
    })
    await server.parts.storage.setMark('their database\n2999-01-01T00:00:00.000Z\n')
    expect((await server.inject('/healthz')).json()).toMatchObject({
      status: 'ok',
      recordings: 'newer than the database',
    })
    await lost.close()
    const health = await server.inject('/healthz')
    expect(health.statusCode).toBe(503)
    const login = await server.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: 'ada@example.com', password: 'quoth the raven' },
    })
    expect(login.statusCode).toBe(500)
    expect(login.json()).toMatchObject({ code: 'internal' })
    expect(login.body).not.toMatch(/select|pool|node_modules/i)
    await server.close()
  })
})

test('a mail in the outbox is read in the browser, with its link', async ({ database, db }) => {
  const server = await anApp(database)
  const { email } = await aUser(db)
  await server.inject({ method: 'POST', url: '/api/forgot-password', payload: { email } })
  const [mail] = await server.mailsTo(email, { atLeast: 1 })
  const list = await server.inject('/dev/mail')
  expect(list.body).toMatch(
    new RegExp(`<a href="/dev/mail/${mail!.name}"[^>]*>Reset your Quoth password</a>`),
  )
  const page = await server.inject(`/dev/mail/${mail!.name}`)
  expect(page.body).toMatch(/<a href="http:\/\/localhost\/auth\?reset=[\w-]{43}"/)
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  for (const name of ['..%2f..%2fpackage.json', 'none.eml'])
    expect((await server.inject(`/dev/mail/${name}`)).statusCode).toBe(404)
  await server.close()
})

test('a request that has begun is not hurried: 30 s timeouts are for headers only', async ({
  bare,
}) => {
  const { server } = bare.app
  expect(server.requestTimeout).toBe(0)
  expect(server.headersTimeout).toBeGreaterThan(0)
  await bare.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const begun = once(server, 'request')
  socket.write('POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n')
  socket.write('Content-Length: 60\r\n\r\n{"email":')
  await begun
  socket.write('"ada@example.com","password":"a wrong password 123"}')
  socket.write(' '.repeat(60))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 (401|400)/)
  socket.destroy()
})
