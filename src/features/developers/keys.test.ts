import { randomUUID } from 'node:crypto'

import { eq } from 'drizzle-orm'
import Fastify, { type FastifySchema } from 'fastify'
import { expect } from 'vitest'

import { users } from '#features/account/tables.ts'
import type { Db } from '#server/db.ts'
import { systemClock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'
import { aDeveloper } from '#test/api.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/served.ts'
import { aSession, aTranscription, aUser } from '#test/factories.ts'

import { addCallRules } from './call-hook.ts'
import * as keys from './keys.ts'
import { apiKeys } from './tables.ts'
import { operations } from './ui/api-document.ts'

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const asker = async (db: Db, { id: userId }: { id: string }) => ({
  userId,
  sessionId: (await aSession(db, { userId })).id,
})
const made = { name: 'Backup', scopes: ['read', 'write'] as ('read' | 'write')[] }

test('a key is shown once, and only its hash is kept', async ({ server, db }) => {
  const user = await aUser(db, { plan: 'enterprise' })
  const call = await server.as(user)
  const answer = await call({ method: 'POST', url: '/api/keys', payload: made })
  expect(answer.statusCode).toBe(201)
  const { key, prefix, id } = answer.json<{ key: string; prefix: string; id: string }>()
  expect(key).toMatch(/^quoth_live_[0-9A-Za-z]{38}$/)
  expect(key.startsWith(prefix)).toBe(true)

  const list = await call('/api/keys')
  expect(list.body).not.toContain(key)
  expect(list.json()).toMatchObject({ isAllowed: true, callsPerHour: 2000, keys: [{ id, prefix }] })
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id))
  expect(JSON.stringify(row)).not.toContain(key.slice(prefix.length))
})

test('keys are made on the Enterprise plan only, and pause when it ends', async ({
  server,
  db,
}) => {
  const starter = await aUser(db)
  const deps = { db, clock: server.parts.clock }
  await expect(keys.make(deps, { ...(await asker(db, starter)), ...made })).rejects.toThrow(
    'API keys are part of the Enterprise plan',
  )
  const { user, key } = await aDeveloper(server)
  const ask = () => server.inject({ url: '/api/user', headers: bearer(key) })
  expect((await ask()).statusCode).toBe(200)
  await db.update(users).set({ planType: 'professional' }).where(eq(users.id, user.id))
  expect((await ask()).json()).toMatchObject({ code: 'key_paused' })
  await db.update(users).set({ planType: 'enterprise' }).where(eq(users.id, user.id))
  expect((await ask()).statusCode).toBe(200)
})

test('a revoked or expired key opens nothing from the next call on', async ({ server, db }) => {
  const { user, key } = await aDeveloper(server)
  const ask = () => server.inject({ url: '/api/user', headers: bearer(key) })
  expect((await ask()).json()).toMatchObject({ id: user.id })
  const call = await server.as(user)
  const [row] = await keys.list({ db }, user.id)
  expect(row!.lastUsedAt).not.toBeNull()
  const revoked = await call({ method: 'DELETE', url: `/api/keys/${row!.id}` })
  expect(revoked.statusCode).toBe(200)
  expect((await ask()).statusCode).toBe(401)

  const deps = { db, clock: server.parts.clock }
  const wish = { ...(await asker(db, user)), ...made, expiresInDays: 1 }
  const short = await keys.make(deps, wish)
  expect(await keys.find(deps, short.key)).toMatchObject({ userId: user.id })
  const tomorrow = () => new Date(Date.now() + 25 * 60 * 60 * 1000)
  expect(await keys.find({ db, clock: tomorrow }, short.key)).toBeNull()
})

test('a key that was cut off or mistyped opens nothing', async ({ server }) => {
  const { key } = await aDeveloper(server)
  expect(keys.isWellFormed(key)).toBe(true)
  const last = key.at(-20) === 'x' ? 'y' : 'x'
  for (const wrong of [key.slice(0, -1), `${key}0`, key.slice(0, -20) + last + key.slice(-19)])
    expect(keys.isWellFormed(wrong)).toBe(false)
})

test('a key that may read changes nothing', async ({ server, db }) => {
  const { user, key } = await aDeveloper(server, { scopes: ['read'] })
  const { id } = await aTranscription(db, { userId: user.id, turns: [{ speaker: 0, text: 'yes' }] })
  const url = `/api/transcriptions/${id}`
  expect((await server.inject({ url, headers: bearer(key) })).statusCode).toBe(200)
  const refused = await server.inject({ method: 'DELETE', url, headers: bearer(key) })
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toMatchObject({ code: 'key_reads_only' })
})

test('a call that needs two rights is refused to a key with one of them, and names the other', async ({
  server,
}) => {
  const mayOnly = {
    read: await aDeveloper(server, { scopes: ['read'] }),
    write: await aDeveloper(server, { scopes: ['write'] }),
  }
  const codes = { read: 'key_writes_only', write: 'key_reads_only' } as const
  const counted = { read: 0, write: 0, both: 0 }
  for (const { method, path, scopes } of operations) {
    if (scopes === '') continue
    counted[scopes === 'read and write' ? 'both' : (scopes as 'read' | 'write')] += 1
    const url = path.replace(/\{\w+\}/g, () => randomUUID())
    for (const [own, other] of [
      ['read', 'write'],
      ['write', 'read'],
    ] as const) {
      const headers = bearer(mayOnly[own].key)
      const { body } = await server.inject({ method: method as 'GET', url, headers })
      const isRefused = body.includes(`"${codes[other]}"`)
      expect([method, path, own, isRefused]).toEqual([method, path, own, scopes.includes(other)])
    }
  }
  for (const many of Object.values(counted)) expect(many).toBeGreaterThan(10)
})

test('a key that may only write reads nothing: no text, no question, no archive, no public link', async ({
  server,
  db,
}) => {
  const { user, key } = await aDeveloper(server, { scopes: ['write'] })
  const { id } = await aTranscription(db, { userId: user.id, turns: [{ speaker: 0, text: 'yes' }] })
  const one = `/api/transcriptions/${id}`
  const question = { question: 'What was said?' }
  for (const request of [
    { method: 'GET', url: one },
    { method: 'GET', url: `${one}/export?format=txt` },
    { method: 'POST', url: '/api/exports', payload: { ids: [id], format: 'txt' } },
    { method: 'POST', url: `${one}/questions`, payload: question },
    { method: 'POST', url: '/api/questions', payload: question },
    { method: 'POST', url: `${one}/shares`, payload: {} },
    { method: 'PATCH', url: one, payload: { name: 'renamed' } },
  ] as const) {
    const answer = await server.inject({ ...request, headers: bearer(key) })
    expect([request.url, answer.statusCode]).toEqual([request.url, 403])
    expect(answer.json()).toMatchObject({ code: 'key_writes_only' })
  }
  const deleted = await server.inject({ method: 'DELETE', url: one, headers: bearer(key) })
  expect(deleted.statusCode).toBe(200)
})

test('a documented route that does not say what a key must be allowed does not start', async ({
  db,
}) => {
  await using app = Fastify()
  addCallRules(app, { db, clock: systemClock })
  const declare = (schema: FastifySchema) => app.get('/api/new', { schema }, async () => 'read')
  expect(() => declare({ tags: ['Results'] })).toThrow('GET /api/new does not say')
  expect(() => declare({ tags: ['Results'], scopes: ['read'] })).not.toThrow()
})

test('a key makes the documented calls, and none about the account itself', async ({ server }) => {
  const { key } = await aDeveloper(server)
  for (const request of [
    { method: 'GET', url: '/api/keys' },
    { method: 'POST', url: '/api/keys', payload: made },
    { method: 'DELETE', url: '/api/account', payload: {} },
    { method: 'POST', url: '/api/account/password', payload: {} },
    { method: 'GET', url: '/api/account/export' },
    { method: 'POST', url: '/api/logout' },
    { method: 'GET', url: '/api/billing' },
  ] as const) {
    const answer = await server.inject({ ...request, headers: bearer(key) })
    expect([request.url, answer.statusCode]).toEqual([request.url, 403])
    expect(answer.json()).toMatchObject({ code: 'key_not_allowed' })
  }
})

test('public calls can be made with a key too', async ({ server }) => {
  const { key } = await aDeveloper(server)
  const answer = await server.inject({ url: '/api/openapi.json', headers: bearer(key) })
  expect(answer.statusCode).toBe(200)
})

test('an account has at most twenty keys, also when they are made at once', async ({
  server,
  db,
}) => {
  const user = await aUser(db, { plan: 'enterprise' })
  const deps = { db, clock: server.parts.clock }
  const wish = { ...(await asker(db, user)), ...made }
  const tries = await Promise.all(
    Array.from({ length: 25 }, () => keys.make(deps, wish).catch((error: unknown) => error)),
  )
  expect(tries.filter((each) => each instanceof Refusal)).toHaveLength(5)
  expect(await keys.list({ db }, user.id)).toHaveLength(20)
})

test('tokens that open nothing are slowed down per address, and good ones are not', async ({
  database,
}) => {
  const settings = { PUBLIC_URL: 'https://quoth.example' }
  const server = await anApp(database, { settings, works: false })
  const { key } = await aDeveloper(server)
  const ask = (token: string, remoteAddress: string) =>
    server.inject({ url: '/api/user', headers: bearer(token), remoteAddress })
  const guesses = await Promise.all(
    Array.from({ length: 305 }, (_, n) => ask(`guess-${n}`, '203.0.113.7')),
  )
  const statuses = guesses.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 401)).toHaveLength(300)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  expect((await ask(key, '203.0.113.7')).statusCode).toBe(200)
  expect((await ask('guess', '203.0.113.8')).statusCode).toBe(401)
  await server.close()
})

test('making and revoking a key is in the log of the account', async ({ server }) => {
  const { user } = await aDeveloper(server)
  const call = await server.as(user)
  const { keys: listed } = (await call('/api/keys')).json<{ keys: { id: string }[] }>()
  await call({ method: 'DELETE', url: `/api/keys/${listed[0]!.id}` })
  const log = (await call('/api/account/activity')).json<{ kind: string }[]>()
  expect(log.map(({ kind }) => kind)).toEqual(['key_revoked', 'key_made'])
})
