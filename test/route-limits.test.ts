/**
 * The cost of calls. Every route is listed by the thing that its work grows with. A route without a
 * line here fails, so that nobody adds one without a bound. Work that grows with a transcript must be
 * seen to run in a thread.
 */
import { tracingChannel } from 'node:diagnostics_channel'

import { expect } from 'vitest'

import { type RunOptions, openThreads } from '#server/threads.ts'
import { systemClock } from '#shared/clock.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aUser } from '#test/factories.ts'
import { lines, nameOf } from '#test/route-table.ts'
import { isLong } from '#test/long.ts'
import { isUnsafe, routesOf } from '#test/router.ts'

type Limit = keyof typeof routes

const routes = {
  /**
   * Work that grows with the body and a fixed number of rows: neither is larger than the limit of a
   * body.
   */
  body: [
    'GET /',
    'GET /*',
    'GET /healthz',
    'GET /livez',
    'GET /readyz',
    'GET /dev/mail',
    'GET /dev/mail/:name',
    'GET /dev/checkout/:id',
    'POST /dev/checkout/:id/:act',
    'GET /api/user',
    'POST /api/register',
    'POST /api/verify-email',
    'POST /api/resend-verification',
    'POST /api/login',
    'POST /api/forgot-password',
    'POST /api/reset-password',
    'POST /api/confirm-email-change',
    'POST /mails-off',
    'POST /api/logout',
    'GET /api/logout',
    'GET /api/auth/options',
    'GET /api/auth/google',
    'GET /api/auth/google/callback',
    'GET /api/auth/oidc',
    'GET /api/auth/oidc/callback',
    'POST /api/auth/ticket',
    'GET /api/account',
    'PATCH /api/account',
    'DELETE /api/account',
    'PUT /api/account/ready-mail',
    'GET /api/account/picture',
    'POST /api/account/password',
    'POST /api/account/email',
    'DELETE /api/account/email',
    'POST /api/account/google',
    'DELETE /api/account/google',
    'POST /api/account/oidc',
    'DELETE /api/account/oidc',
    'DELETE /api/account/sessions',
    'DELETE /api/account/sessions/:id',
    'GET /api/account/data',
    'POST /api/contact',
    'GET /api/admin',
    'POST /api/admin/test-mail',
    'POST /api/admin/try-model',
    'POST /api/admin/jobs/:id/stop',
    'POST /api/admin/jobs/:id/run-again',
    'POST /api/admin/users/:id/credits',
    'POST /api/admin/users/:id/block',
    'POST /api/admin/users/:id/unblock',
    'PUT /api/admin/users/:id/limits',
    'POST /api/admin/letters/:id/answered',
    'POST /api/admin/invitations',
    'POST /api/admin/invitations/:id/withdraw',
    'PUT /api/credits/alert',
    'GET /api/billing',
    'GET /api/billing/receipts/:id',
    'POST /api/billing/preview',
    'POST /api/billing/portal',
    'POST /api/billing/change',
    'POST /api/billing/cancel',
    'POST /api/billing/resume',
    'POST /api/create-payment-intent',
    'POST /api/subscription-success',
    'POST /api/stripe/webhook',
    'POST /api/payments/webhook',
    'GET /api/accuracy',
    'GET /api/vocabulary',
    'PUT /api/vocabulary',
    'GET /api/document-types',
    'POST /api/document-templates',
    'PUT /api/document-templates/:id',
    'DELETE /api/document-templates/:id',
    'POST /api/transcription/:id/documents',
    'POST /api/transcription/:id/documents/:documentId/retry',
    'POST /api/transcriptions/:id/translations',
    'POST /api/transcriptions/:id/translations/:language/again',
    'DELETE /api/transcriptions/:id/translations/:language',
    'GET /api/google/auth-url',
    'GET /api/google/callback',
    'POST /api/keys',
    'DELETE /api/keys/:id',
    'POST /api/webhooks',
    'PATCH /api/webhooks/:id',
    'DELETE /api/webhooks/:id',
    'POST /api/webhooks/:id/secret',
    'POST /api/webhooks/:id/test',
    'POST /api/webhooks/:id/deliveries/:deliveryId/resend',
    'POST /api/webhooks/:id/resend',
    'GET /api/openapi.json',
    'GET /v1/models',
    'GET /v1/models/:model',
    'GET /api/engines',
    'GET /api/capabilities',
    'GET /api/options',
    'GET /api/recordings/same',
    'POST /api/uploads',
    'POST /api/batches',
    'POST /api/batches/confirm',
    'GET /api/uploads/:id',
    'POST /api/uploads/:id/complete',
    'DELETE /api/uploads/:id',
    'POST /api/transcriptions/sample',
    'PATCH /api/transcriptions/:id',
    'DELETE /api/transcriptions/:id',
    'POST /api/transcriptions/:id/undelete',
    'POST /api/transcriptions/tags',
    'POST /api/transcriptions/delete',
    'POST /api/transcriptions/undelete',
    'PUT /api/transcriptions/:id/tags',
    'PUT /api/transcriptions/:id/chapters',
    'GET /api/transcriptions/:id/cuts',
    'POST /api/transcriptions/:id/cuts',
    'POST /api/transcriptions/:id/cuts/undo',
    'GET /api/transcriptions/:id/renders',
    'POST /api/transcriptions/:id/renders',
    'GET /api/transcriptions/:id/renders/:renderId',
    'DELETE /api/transcriptions/:id/renders/:renderId',
    'GET /api/transcriptions/:id/hidden',
    'DELETE /api/transcriptions/:id/hidden/:hiddenId',
    'POST /api/tags',
    'PATCH /api/tags/:id',
    'DELETE /api/tags/:id',
    'POST /api/transcriptions/:id/confirm',
    'POST /api/transcriptions/:id/retry',
    'POST /api/transcriptions/:id/again',
    'POST /api/transcriptions/:id/speakers',
    'POST /api/transcriptions/:id/summary',
    'POST /api/transcriptions/:id/summary/back',
    'DELETE /api/transcriptions/:id/cancel',
    'DELETE /api/transcriptions/:id/recording',
    'GET /api/transcriptions/:id/peaks',
    'POST /api/transcriptions/:id/action-items',
    'PATCH /api/transcriptions/:id/action-items/:itemId',
    'DELETE /api/transcriptions/:id/action-items/:itemId',
    'POST /api/transcriptions/:id/action-items/:itemId/undelete',
    'POST /api/transcriptions/:id/shares',
    'POST /s/:name',
    'GET /s/:name/recording',
    'PATCH /api/shares/:id',
    'DELETE /api/shares/:id',
    'DELETE /api/questions/:id',
  ],
  /** Rows: a page at a time, or all that an account may have. */
  page: [
    'GET /api/account/sessions',
    'GET /api/account/activity',
    'GET /api/credits',
    'GET /api/credits.csv',
    'GET /api/transcriptions',
    'GET /api/batches/:id',
    'GET /api/transcriptions/ids',
    'GET /api/tags',
    'GET /api/document-templates',
    'GET /api/speakers',
    'GET /api/transcription/:id/documents',
    'GET /api/transcriptions/:id/translations',
    'GET /api/admin/server',
    'GET /api/admin/jobs',
    'GET /api/admin/users',
    'GET /api/admin/users/:id',
    'GET /api/admin/users/:id/credits',
    'GET /api/admin/letters',
    'GET /api/admin/log',
    'GET /api/admin/invitations',
    'GET /api/keys',
    'GET /api/webhooks',
    'GET /api/webhooks/:id/deliveries',
    'GET /api/shares',
    'GET /api/transcriptions/:id/shares',
    'GET /api/transcriptions/:id/action-items.ics',
    'GET /api/transcriptions/:id/questions',
    'GET /api/questions',
  ],
  /** A document, which is as long as a model writes, or as a few pages of sentences are. */
  document: [
    // Ten trials with the sample a day.
    'POST /api/document-templates/try',
    'GET /api/transcription/:id/documents/:documentId/export',
    'POST /api/google/create-doc',
  ],
  /** A file, piece by piece; how many at once is limited where it is taken. */
  stream: [
    'POST /api/upload',
    'PUT /api/uploads/:id/parts/:number',
    'POST /api/transcriptions',
    'POST /v1/audio/transcriptions',
    'GET /api/transcriptions/:id/media',
    'GET /api/transcriptions/:id/renders/:renderId/file',
    'GET /api/transcriptions/:id/export/sound',
    'GET /api/account/export',
    'GET /s/:name/recording/:signature',
    'POST /api/exports',
    // Reads nothing of it.
    'POST /share-target',
  ],
  /** A transcript, in a thread. */
  read: [
    'GET /api/transcriptions/:id',
    'GET /api/transcriptions/:id/words',
    'GET /api/transcriptions/:id/so-far',
    'GET /api/transcriptions/:id/again',
    'POST /api/transcriptions/:id/questions',
    'POST /api/questions',
    'POST /api/transcriptions/:id/hidden/find',
    'GET /api/transcriptions/:id/translations/:language',
    'GET /s/:name',
    'GET /s/:name/picture.png',
  ],
  /** A transcript as a file, in a thread, with a limit a minute. */
  export: [
    'GET /api/transcriptions/:id/download/transcription',
    'GET /api/transcriptions/:id/download/summary',
    'GET /api/transcriptions/:id/export',
    'GET /api/transcriptions/:id/captions',
  ],
  /** A change of a transcript, in a thread, with a limit in ten seconds. */
  edit: [
    'PATCH /api/transcriptions/:id/turns/:turnId',
    'POST /api/transcriptions/:id/turns/:turnId/split',
    'POST /api/transcriptions/:id/turns/:turnId/merge',
    'PUT /api/transcriptions/:id/turns/:turnId/times',
    'POST /api/transcriptions/:id/turns/:turnId/accept',
    'POST /api/transcriptions/:id/turns/:turnId/restore',
    'PUT /api/transcriptions/:id/turns/:turnId/speaker',
    'PATCH /api/transcriptions/:id/speakers/:speaker',
    'POST /api/transcriptions/:id/replace',
    'POST /api/transcriptions/:id/restore',
    'POST /api/transcriptions/:id/checked',
    'POST /api/transcriptions/:id/undo',
    'PATCH /api/transcriptions/:id/summary',
    'POST /api/transcriptions/:id/chapters/find',
    'POST /api/transcriptions/:id/hidden',
    'POST /api/transcriptions/:id/again/decision',
    'POST /api/transcriptions/:id/again/back',
    'DELETE /api/transcriptions/:id/again/earlier',
  ],
} as const

const limitOf = new Map(
  Object.entries(routes).flatMap(([limit, names]) =>
    names.map((name): [string, Limit] => [name, limit as Limit]),
  ),
)

const test = base.extend<{ $file: { server: TestApp & { lanes: string[] } } }>({
  server: [
    async ({ database }, use) => {
      const lanes: string[] = []
      const threads = openThreads({ databaseUrl: database.url, clock: systemClock, count: 1 })
      const run: typeof threads.run = (task, input, options: RunOptions) => {
        const until = options.signal ? 'while somebody waits' : 'to its end'
        lanes.push(`${options.kind}:${options.owner} ${until}`)
        return threads.run(task, input, options)
      }
      const server = await anApp(database, {
        parts: { threads: { ...threads, run } },
        works: false,
      })
      await use({ ...server, lanes })
      await server.close()
      await threads.close()
    },
    { scope: 'file' },
  ],
})

const namesIn = (server: TestApp) =>
  routesOf(server.app)
    .filter(({ method }) => method !== 'HEAD')
    .map(nameOf)

test('every route has a line that names the bound of its work', ({ server }) => {
  expect(namesIn(server).filter((name) => !limitOf.has(name))).toEqual([])
})

test('only work that grows with a transcript is done in a thread, and a change is done to its end', async ({
  server,
  db,
}) => {
  const wrong: string[] = []
  for (const [name, limit] of limitOf) {
    const line = lines[name]
    if (line?.for !== 'owner') continue
    const user = await aUser(db, { plan: 'professional', credits: 5 })
    const ids = await line.of(server, user.id)
    const call = await server.as(user)
    const [method = '', path = ''] = name.split(' ')
    const url = path.replace(/:(\w+)/g, (_, id: string) => ids[id] ?? 'unknown')
    server.lanes.length = 0
    await call({
      method: method as 'GET',
      url: url + (line.query ?? ''),
      ...(line.body ? { payload: line.body(ids) } : {}),
    })
    const until = limit === 'edit' ? 'to its end' : 'while somebody waits'
    const inThread = ['read', 'export', 'edit'].includes(limit)
      ? `${limit}:${user.id} ${until}`
      : ''
    if (server.lanes.join() !== inThread) wrong.push(`${name}: ${server.lanes.join()}`)
  }
  expect(wrong).toEqual([])
})

test.for([
  ['GET /api/transcriptions', '?q=harbour', 'read'],
  ['GET /api/transcriptions/ids', '?q=harbour', 'read'],
  ['GET /api/transcriptions/:id/export', '?format=docx&look=1', 'export'],
  ['GET /api/transcription/:id/documents/:documentId/export', '?format=docx', 'export'],
  ['GET /api/transcription/:id/documents/:documentId/export', '?format=pdf', 'export'],
] as const)('%s%s is done in a thread too', async ([name, query, kind], { server, db }) => {
  const user = await aUser(db, { plan: 'professional' })
  const line = lines[name]
  const ids = line?.for === 'owner' ? await line.of(server, user.id) : {}
  const path = name.split(' ')[1]!.replace(/:(\w+)/g, (_, id: string) => ids[id]!)
  const call = await server.as(user)
  server.lanes.length = 0
  expect((await call(path + query)).statusCode).toBe(200)
  expect(server.lanes).toEqual([`${kind}:${user.id} while somebody waits`])
})

const nowhere = `/api/transcriptions/${crypto.randomUUID()}`
test.for([
  [{ method: 'GET', url: `${nowhere}/export?format=pdf` }, 60, 'too_many_exports'],
  [{ method: 'GET', url: `${nowhere}/export/sound` }, 6, 'too_many_exports'],
  [
    { method: 'POST', url: '/api/exports', payload: { ids: [crypto.randomUUID()], format: 'txt' } },
    6,
    'too_many_exports',
  ],
  [{ method: 'POST', url: `${nowhere}/undo`, payload: { edit: 1 } }, 60, 'too_many_edits'],
  [{ method: 'POST', url: `${nowhere}/shares`, payload: {} }, 100, 'too_many_edits'],
  [
    { method: 'PATCH', url: '/api/account', payload: { firstName: 'A', lastName: 'B' } },
    30,
    'too_many_edits',
  ],
] as const)(
  'of %j so many are let through, to each user by themselves',
  async ([ask, most, code], { server, db }) => {
    const call = await server.as(await aUser(db))
    for (let number = 0; number < most; number += 1)
      expect((await call(ask)).statusCode).not.toBe(429)
    const refused = await call(ask)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ code })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await call(`${nowhere}/words`)).statusCode).toBe(404)
    expect((await (await server.as(await aUser(db)))(ask)).statusCode).not.toBe(429)
  },
)

/** Waits until a file is measured. How many one user may have at once is the limit of files. */
const WAITS = 'POST /api/uploads/:id/complete'

if (isLong)
  test('six reads of one user are worked on at once, and three calls of every other kind, over all sessions, but for files, which are limited where they are taken', async ({
    server,
    db,
  }) => {
    let running = 0
    let most = 0
    const begin = () => (most = Math.max(most, (running += 1)))
    const end = () => (running -= 1)
    const handlers = tracingChannel('fastify.request.handler')
    const told = { start: begin, end() {}, asyncStart() {}, asyncEnd: end, error() {} }
    handlers.subscribe(told)
    const wrong: string[] = []
    for (const route of routesOf(server.app)) {
      const { method, path, config } = route
      const name = nameOf(route)
      const limit = limitOf.get(name)
      const isFile = (isUnsafe(route) && limit === 'stream') || name === WAITS
      if (isFile || config.access === 'public') {
        if (config.atOnce !== 'by_route' && config.access !== 'public') wrong.push(name)
        continue
      }
      if (limit === 'export' && config.atOnce !== 'export') wrong.push(`${name}: holds up reads`)
      if (limit === 'document' && !config.atOnce) wrong.push(`${name}: holds up changes`)
      const line = lines[name]
      if (line?.for !== 'owner' || method === 'HEAD' || limit === 'stream') continue
      const user = await aUser(db, { plan: 'professional', credits: 5 })
      const ids = await line.of(server, user.id)
      const calls = [await server.as(user), await server.as(user)]
      const url = path.replace(/:(\w+)/g, (_, id: string) => ids[id] ?? 'unknown')
      const payload = line.body ? { payload: line.body(ids) } : {}
      most = 0
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          calls[n % 2]!({ method: method as 'POST', url: url + (line.query ?? ''), ...payload }),
        ),
      )
      if (most > (isUnsafe(route) || config.atOnce ? 3 : 6)) wrong.push(`${name}: ${most}`)
    }
    handlers.unsubscribe(told)
    expect(wrong).toEqual([])
  }, 180_000)

test('no body but a file is larger than 256 KB', async ({ server, db }) => {
  const wrong: string[] = []
  for (const route of routesOf(server.app).filter(isUnsafe)) {
    const name = nameOf(route)
    if (limitOf.get(name) === 'stream') continue
    // These routes are not there for this caller.
    if (lines[name]?.for === 'operators') continue
    // Each call gets its own session, because some of them end it.
    const call = await server.as(await aUser(db))
    const url = route.path.replace(/:\w+/g, '0')
    const payload = { filler: 'x'.repeat(300_000) }
    const { statusCode } = await call({ method: route.method as 'POST', url, payload })
    if (statusCode !== 413) wrong.push(`${name}: ${statusCode}`)
  }
  expect(wrong).toEqual([])
})
