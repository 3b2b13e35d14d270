/**
 * Who may do what: every route of the router × who asks. A route without a line here fails, so that
 * nobody adds one without saying whose it is.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

import { eq } from 'drizzle-orm'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

import * as sessions from '#features/account/sessions.ts'
import { users } from '#features/account/tables.ts'
import * as keys from '#features/developers/keys.ts'
import { apiKeys, webhookDeliveries, webhookEndpoints } from '#features/developers/tables.ts'
import { documents } from '#features/documents/tables.ts'
import { transcriptions, turns } from '#features/transcriptions/tables.ts'
import { type TestApp } from '#test/app.ts'
import { test } from '#test/served.ts'
import type { PlanId } from '#shared/business.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { routesOf } from '#test/router.ts'

/** A word of the owner's that no answer to anybody else may hold. */
const CANARY = 'canaryofaccess'

type Params = Record<string, string>
type Thing = (server: TestApp, userId: string) => Promise<Params>

type Line = (
  | /** Answers everybody, and nothing in its address names a thing of somebody's. */
    { for: 'everybody' }
  /** Answers who is signed in, about themselves. */
  | { for: 'signed-in' }
  /** Its address names a thing, which is there for its owner and for nobody else. */
  | { for: 'owner'; of: Thing; body?: (params: Params) => object; query?: string }
  /** Answers whoever knows an address that cannot be guessed. */
  | { for: 'who-knows' }
) & {
  /** What an owner on the starter plan gets where it is not what every owner gets. */
  starter?: number
}

const everybody: Line = { for: 'everybody' }
const signedIn: Line = { for: 'signed-in' }
const owner = (of: Thing, body?: (params: Params) => object, query?: string): Line => ({
  for: 'owner',
  of,
  ...(body ? { body } : {}),
  ...(query ? { query } : {}),
})

const upload: Thing = async ({ parts }, userId) => {
  const originalName = `${CANARY}.m4a`
  return { id: (await anUpload(parts.database.db, { userId, originalName })).id }
}

async function ended(server: TestApp, userId: string, set: object): Promise<Params> {
  const { db } = server.parts.database
  const storageKey = randomUUID()
  const content = Readable.from([CANARY])
  await server.parts.storage.write(storageKey, content, { signal: AbortSignal.timeout(5_000) })
  const originalName = `${CANARY}.m4a`
  const { id } = await anUpload(db, { userId, storageKey, originalName })
  const change = { finishedAt: new Date(), attempt: 1, mediaType: 'audio/mp4', ...set }
  await db.update(transcriptions).set(change).where(eq(transcriptions.id, id))
  const said = [0, 1].map((position) => ({
    id: randomUUID(),
    transcriptionId: id,
    position,
    speaker: position,
    startMs: position * 1000,
    endMs: position * 1000 + 900,
    text: `${CANARY} again`,
    words: [CANARY, 'again'].map((text, n) => ({
      text,
      startMs: position * 1000 + n * 400,
      endMs: position * 1000 + n * 400 + 300,
      confidence: 0.2,
    })),
  }))
  await db.insert(turns).values(said)
  return { id, turnId: said[1]!.id, previousId: said[0]!.id, speaker: '0' }
}

const completed = {
  status: 'completed',
  transcriptionText: `${CANARY} again`,
  summary: CANARY,
  keyPoints: [],
  topics: [CANARY],
  language: 'en',
  wordCount: 4,
  speakerCount: 2,
}
const result: Thing = (server, userId) => ended(server, userId, completed)
const failed: Thing = (server, userId) => ended(server, userId, { status: 'error' })
const deleted: Thing = (server, userId) =>
  ended(server, userId, { ...completed, deletedAt: new Date() })

const edited: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const call = await server.as({ id: userId })
  const url = `/api/transcriptions/${params['id']}/turns/${params['turnId']}`
  const answer = await call({ method: 'PATCH', url, payload: edit() })
  return { ...params, edit: String(answer.json<{ undo: number }>().undo) }
}

const session: Thing = async ({ parts }, userId) => {
  const now = new Date()
  const begun = { userId, kind: 'web', device: '', now } as const
  return { id: (await sessions.open(parts.database.db, begun)).id }
}

const document: Thing = async (server, userId) => {
  const params = await result(server, userId)
  const documentId = randomUUID()
  await server.parts.database.db.insert(documents).values({
    id: documentId,
    userId,
    transcriptionId: params['id']!,
    documentType: 'article',
    includeImages: false,
    status: 'generated',
    finishedAt: new Date(),
    title: CANARY,
    content: CANARY,
  })
  return { ...params, documentId }
}

const key: Thing = async ({ parts }, userId) => {
  const values = { userId, name: CANARY, prefix: 'x', keyHash: randomUUID(), scopes: ['read'] }
  const [row] = await parts.database.db.insert(apiKeys).values(values).returning()
  return { id: row!.id }
}

const webhook: Thing = async ({ parts }, userId) => {
  const { db } = parts.database
  const endpoint = { userId, url: `https://${CANARY}.example`, types: [], secret: CANARY }
  const [row] = await db.insert(webhookEndpoints).values(endpoint).returning()
  const sent = { endpointId: row!.id, messageId: CANARY, type: 'ping', body: CANARY }
  const [delivery] = await db.insert(webhookDeliveries).values(sent).returning()
  return { id: row!.id, deliveryId: delivery!.id }
}

const edit = () => ({ text: 'changed', revision: 0 })
const revision = () => ({ revision: 0 })

const lines: Record<string, Line> = {
  'GET /': everybody,
  'GET /*': everybody,
  'GET /healthz': everybody,
  'GET /dev/mail': everybody,
  'GET /dev/mail/:name': { for: 'who-knows' },
  'GET /dev/checkout/:id': { for: 'who-knows' },
  'POST /dev/checkout/:id/:act': { for: 'who-knows' },

  'GET /api/user': signedIn,
  'POST /api/register': everybody,
  'POST /api/verify-email': everybody,
  'POST /api/resend-verification': everybody,
  'POST /api/login': everybody,
  'POST /api/forgot-password': everybody,
  'POST /api/reset-password': everybody,
  'POST /api/confirm-email-change': everybody,
  'POST /api/logout': everybody,
  'GET /api/logout': everybody,
  'GET /api/auth/options': everybody,
  'GET /api/auth/google': everybody,
  'GET /api/auth/google/callback': everybody,
  'POST /api/auth/ticket': signedIn,
  'GET /api/account': signedIn,
  'PATCH /api/account': signedIn,
  'DELETE /api/account': signedIn,
  'GET /api/account/picture': signedIn,
  'POST /api/account/password': signedIn,
  'POST /api/account/email': signedIn,
  'DELETE /api/account/email': signedIn,
  'POST /api/account/google': signedIn,
  'DELETE /api/account/google': signedIn,
  'GET /api/account/sessions': signedIn,
  'DELETE /api/account/sessions': signedIn,
  'DELETE /api/account/sessions/:id': owner(session),
  'GET /api/account/activity': signedIn,
  'GET /api/account/data': signedIn,
  'GET /api/account/export': signedIn,

  'POST /api/contact': everybody,

  'GET /api/credits': signedIn,
  'GET /api/credits.csv': signedIn,
  'PUT /api/credits/alert': signedIn,
  'GET /api/billing': signedIn,
  'POST /api/billing/preview': signedIn,
  'POST /api/billing/portal': signedIn,
  'POST /api/billing/change': signedIn,
  'POST /api/billing/cancel': signedIn,
  'POST /api/billing/resume': signedIn,
  'POST /api/create-payment-intent': signedIn,
  'POST /api/subscription-success': signedIn,
  // Signed by the provider, and refused without its signature.
  'POST /api/stripe/webhook': everybody,
  'POST /api/payments/webhook': everybody,

  'GET /api/document-types': { ...signedIn, starter: 403 },
  'GET /api/transcription/:id/documents': owner(document),
  'POST /api/transcription/:id/documents': {
    ...owner(result, () => ({ documentType: 'article' })),
    starter: 403,
  },
  'POST /api/transcription/:id/documents/:documentId/retry': owner(document),
  'GET /api/transcription/:id/documents/:documentId/export': owner(
    document,
    undefined,
    '?format=txt',
  ),
  'GET /api/google/auth-url': signedIn,
  'GET /api/google/callback': everybody,
  'POST /api/google/create-doc': signedIn,

  'GET /api/keys': signedIn,
  'POST /api/keys': signedIn,
  'DELETE /api/keys/:id': owner(key),
  'GET /api/webhooks': signedIn,
  'POST /api/webhooks': signedIn,
  'PATCH /api/webhooks/:id': owner(webhook, () => ({ isPaused: true })),
  'DELETE /api/webhooks/:id': owner(webhook),
  'POST /api/webhooks/:id/secret': owner(webhook),
  'POST /api/webhooks/:id/test': owner(webhook),
  'GET /api/webhooks/:id/deliveries': owner(webhook),
  'POST /api/webhooks/:id/deliveries/:deliveryId/resend': owner(webhook),
  'POST /api/webhooks/:id/resend': owner(webhook, () => ({
    from: new Date(0).toISOString(),
    to: new Date().toISOString(),
  })),
  'GET /api/openapi.json': everybody,
  'POST /api/transcriptions': signedIn,
  'GET /v1/models': signedIn,
  'GET /v1/models/:model': signedIn,
  'POST /v1/audio/transcriptions': signedIn,

  'GET /api/engines': signedIn,
  'POST /api/upload': signedIn,
  'GET /api/transcriptions': signedIn,
  'POST /api/transcriptions/sample': signedIn,
  'GET /api/transcriptions/:id': owner(result),
  'PATCH /api/transcriptions/:id': owner(result, () => ({ name: 'renamed' })),
  'DELETE /api/transcriptions/:id': owner(result),
  'POST /api/transcriptions/:id/undelete': owner(deleted),
  'POST /api/transcriptions/:id/confirm': owner(upload, () => ({ summaryLanguage: 'en' })),
  'POST /api/transcriptions/:id/retry': owner(failed),
  'DELETE /api/transcriptions/:id/cancel': owner(upload),
  'DELETE /api/transcriptions/:id/recording': owner(result),
  'GET /api/transcriptions/:id/download/transcription': owner(result),
  'GET /api/transcriptions/:id/download/summary': owner(result),
  'GET /api/transcriptions/:id/export': owner(result, undefined, '?format=txt'),
  'GET /api/transcriptions/:id/media': owner(result),
  'GET /api/transcriptions/:id/peaks': owner(result),
  'GET /api/transcriptions/:id/words': owner(result),
  'PATCH /api/transcriptions/:id/turns/:turnId': owner(result, edit),
  'POST /api/transcriptions/:id/turns/:turnId/split': owner(result, () => ({ at: 3, revision: 0 })),
  'POST /api/transcriptions/:id/turns/:turnId/merge': owner(result, ({ previousId }) => ({
    revision: 0,
    previous: { id: previousId, revision: 0 },
  })),
  'POST /api/transcriptions/:id/turns/:turnId/accept': owner(result, () => ({
    revision: 0,
    words: [0],
  })),
  'POST /api/transcriptions/:id/turns/:turnId/restore': owner(result, revision),
  'PUT /api/transcriptions/:id/turns/:turnId/speaker': owner(result, () => ({ speaker: 0 })),
  'PATCH /api/transcriptions/:id/speakers/:speaker': owner(result, () => ({ name: 'Renamed' })),
  'POST /api/transcriptions/:id/restore': owner(result, revision),
  'POST /api/transcriptions/:id/undo': owner(edited, ({ edit }) => ({ edit: Number(edit) || 1 })),
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

test('every route says here whose it is', ({ server }) => {
  const routes = routesOf(server.app)
  const gets = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const unsaid = routes
    .filter(({ method, path }) => !(method === 'HEAD' && gets.has(path)))
    .map(nameOf)
    .filter((name) => !Object.hasOwn(lines, name))
  expect(unsaid).toEqual([])
})

test('each route answers whom it is for, and nobody else', async ({ server, db }) => {
  const { inject } = server
  const aVisitor = async (name: string, plan: PlanId = 'professional') => {
    const email = `${name}-${randomUUID()}@example.com`
    const user = await aUser(db, { email, plan, credits: 100 })
    const call = await server.as(user)
    const begun = { userId: user.id, kind: 'token', device: '', now: new Date() } as const
    const bearer = await sessions.begin(db, begun)
    return {
      user,
      byCookie: call,
      byToken: (options: InjectOptions) =>
        inject({ ...options, headers: { authorization: `Bearer ${bearer}` } }),
    }
  }
  const other = await aVisitor('other')
  const gone = await aVisitor('gone')
  const developer = await aVisitor('developer', 'enterprise')
  const clock = () => new Date()
  const { key: apiKey } = await keys.make(
    { db, clock },
    { userId: developer.user.id, name: 'all', scopes: ['read', 'write'] },
  )
  const byKey = (options: InjectOptions) =>
    inject({ ...options, headers: { authorization: `Bearer ${apiKey}` } })
  await db.delete(users).where(eq(users.id, gone.user.id))

  let asked = 0
  const wrong: string[] = []
  for (const route of routesOf(server.app)) {
    const line = lines[nameOf({ ...route, method: route.method.replace('HEAD', 'GET') })]
    if (!line) continue
    // Each route has an owner of its own: some of them end the session, or the account.
    const theirs = await aVisitor('owner')
    const params = line.for === 'owner' ? await line.of(server, theirs.user.id) : {}
    const request = (ids: Params): InjectOptions => {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'unknown')
      const body = line.for === 'owner' && line.body ? { payload: line.body(ids) } : {}
      const query = line.for === 'owner' ? (line.query ?? '') : ''
      const method = route.method as 'GET'
      return { method, url: path.replace('*', 'nowhere') + query, ...body }
    }
    const check = (who: string, answer: LightMyRequestResponse, isRight: boolean) => {
      asked += 1
      const isLeak = who !== 'owner' && who !== 'starter' && answer.body.includes(CANARY)
      if (!isRight || isLeak)
        wrong.push(`${nameOf(route)} for ${who}: ${answer.statusCode} ${answer.body.slice(0, 120)}`)
    }
    const isPublic = line.for === 'everybody' || line.for === 'who-knows'
    const strangers = {
      anonymous: await inject(request(params)),
      'deleted user': await gone.byCookie(request(params)),
      "deleted user's token": await gone.byToken(request(params)),
    }
    for (const [who, answer] of Object.entries(strangers))
      check(who, answer, isPublic ? answer.statusCode !== 401 : answer.statusCode === 401)

    if (line.for === 'owner') {
      const nowhere = Object.fromEntries(
        Object.keys(params).map((name) => [name, name === 'speaker' ? '0' : randomUUID()]),
      )
      const made = await other.byCookie(request(nowhere))
      for (const [who, ask] of [
        ['other user', other.byCookie],
        ["other user's token", other.byToken],
      ] as const) {
        const answer = await ask(request(params))
        const isSame = answer.statusCode === 404 && answer.body === made.body
        check(who, answer, isSame)
      }
    }
    // A program's key sees nothing of others, and does nothing to the account it belongs to.
    if (!isPublic) {
      const answer = await byKey(request(params))
      const isPersonal = /^\/api\/(account|keys|billing)/.test(route.path)
      const allowed = isPersonal ? [403] : line.for === 'owner' ? [403, 404] : null
      const isRight = allowed?.includes(answer.statusCode) ?? answer.statusCode !== 401
      check("other user's key", answer, isRight)
    }

    const starter = await aVisitor('starter', 'starter')
    const others = line.for === 'owner' ? await line.of(server, starter.user.id) : {}
    for (const [who, answer] of [
      ['owner', await theirs.byCookie(request(params))],
      ['starter', await starter.byCookie(request(others))],
    ] as const) {
      const { statusCode: status } = answer
      // What there is none of is 404 for its owner as well: a picture, a page.
      const refusals = line.for === 'owner' ? [401, 403, 404, 500] : [401, 403, 500]
      const isAnswered = line.for === 'who-knows' || !refusals.includes(status)
      const isLimited = who === 'starter' && line.starter !== undefined
      check(who, answer, isLimited ? status === line.starter : isAnswered)
    }
  }
  console.log(
    `access: ${asked} answers of ${routesOf(server.app).length} routes, ${wrong.length} wrong`,
  )
  expect(wrong).toEqual([])
}, 120_000)
