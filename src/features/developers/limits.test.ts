import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { attempts } from '#server/tables.ts'
import { callsPerHour } from '#shared/business.ts'
import { aDeveloper, aToken } from '#test/api.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/served.ts'
import { isLong } from '#test/long.ts'
import { aUser } from '#test/factories.ts'

import * as limits from './limits.ts'

const test = base.extend('second', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const second = await anApp(database, { works: false })
  onCleanup(() => second.close())
  return second
})

test('of 130 calls on starter exactly 100 pass, over two servers and a restart between', async ({
  database,
  db,
  server,
  second,
}) => {
  const user = await aUser(db)
  const headers = { authorization: `Bearer ${await aToken(server, user.id)}` }
  const ask = (on: TestApp) => on.inject({ url: '/api/user', headers })
  const answers = await Promise.all(
    Array.from({ length: 70 }, (_, n) => ask(n % 2 === 0 ? server : second)),
  )
  const restarted = await anApp(database, { works: false })
  for (let n = 0; n < 60; n++) answers.push(await ask(n % 3 === 0 ? second : restarted))
  await restarted.close()

  const passed = answers.filter(({ statusCode }) => statusCode === 200)
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect([passed.length, refused.length]).toEqual([100, 30])
  const left = passed.map(({ headers }) => Number(headers['ratelimit-remaining']))
  expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  for (const { headers: sent, body } of refused) {
    expect(sent['ratelimit-limit']).toBe('100')
    expect(sent['ratelimit-remaining']).toBe('0')
    expect(Number(sent['retry-after'])).toBeGreaterThan(3500)
    expect(Number(sent['retry-after'])).toBeLessThanOrEqual(3600)
    expect(JSON.parse(body)).toMatchObject({ code: 'too_many_calls' })
  }
})

test('a parameter that a call does not have is refused by its name, to programs', async ({
  server,
  db,
}) => {
  const user = await aUser(db)
  const headers = { authorization: `Bearer ${await aToken(server, user.id)}` }
  const ask = (url: string) => server.inject({ url, headers })
  const list = await ask('/api/transcriptions?limit=5&langauge=de')
  expect([list.statusCode, list.json()]).toEqual([
    400,
    {
      code: 'invalid_request',
      field: 'langauge',
      message: expect.stringMatching(
        /^This call has no parameter langauge\. It takes .*\blimit\b.*\. Nothing was changed or charged\.$/,
      ),
    },
  ])
  expect((await ask('/api/user?x=1')).json().message).toContain('It takes none.')
  expect((await ask('/api/transcriptions?limit=5')).statusCode).toBe(200)
  expect((await ask('/v1/models?api-version=2026-01-01')).statusCode).toBe(200)
  // Our own pages may be of another release than the server.
  const page = await server.as(user)
  expect((await page('/api/user?x=1')).statusCode).toBe(200)
})

test('a used-up hour keeps no owner from signing others out', async ({ server, db }) => {
  const user = await aUser(db)
  const headers = { authorization: `Bearer ${await aToken(server, user.id)}` }
  await db.execute(sql`insert into ${attempts} (id, key, at)
    select gen_random_uuid(), ${limits.keyOf(user.id)}, now() from generate_series(1, 100)`)
  expect((await server.inject({ url: '/api/user', headers })).statusCode).toBe(429)
  const call = await server.as(user)
  const ends = { method: 'DELETE', url: '/api/account/sessions', headers } as const
  expect((await server.inject(ends)).statusCode).toBe(200)
  expect((await call('/api/user')).statusCode).toBe(401)
})

if (isLong)
  test('the web app is never counted, by its cookie or by the token it keeps', async ({
    server,
    db,
  }) => {
    const user = await aUser(db)
    const call = await server.as(user)
    for (let n = 0; n < 1_800; n += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => call('/api/user')))
      for (const { statusCode, headers } of answers)
        expect([statusCode, headers['ratelimit-limit']]).toEqual([200, undefined])
    }
    expect(await limits.made(db, { userId: user.id, limit: 100, now: new Date() })).toBe(0)
  })

test.for(['starter', 'professional', 'enterprise'] as const)(
  'a token on %s has the hourly calls of its plan',
  async (plan, { server, db }) => {
    const user = await aUser(db, { plan })
    const headers = { authorization: `Bearer ${await aToken(server, user.id)}` }
    const limit = callsPerHour[plan]
    await db.execute(sql`insert into ${attempts} (id, key, at)
      select gen_random_uuid(), ${limits.keyOf(user.id)}, now() - interval '30 minutes'
      from generate_series(1, ${limit - 1})`)
    const last = await server.inject({ url: '/api/user', headers })
    expect(last.statusCode).toBe(200)
    expect(last.headers).toMatchObject({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': expect.stringMatching(/^(1800|1799)$/),
    })
    const refused = await server.inject({ url: '/api/user', headers })
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1790)
    expect(refused.json().message).toContain('Please wait 30 minutes')
  },
)

test('a call counts for an hour, and keys and tokens count together', async ({ server, db }) => {
  const { user, key } = await aDeveloper(server)
  const ask = (token: string) =>
    server.inject({ url: '/api/user', headers: { authorization: `Bearer ${token}` } })
  await ask(key)
  await ask(await aToken(server, user.id))
  expect(await limits.made(db, { userId: user.id, limit: 100, now: new Date() })).toBe(2)
  await db.update(attempts).set({ at: sql`at - interval '1 hour'` })
  expect(await limits.made(db, { userId: user.id, limit: 100, now: new Date() })).toBe(0)
})

test('refused calls do not count, so that a program that goes on asking gets in again', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  const calls = { userId, limit: 2, now: new Date() }
  for (let n = 0; n < 3; n++) await limits.count(db, calls)
  expect(await limits.made(db, calls)).toBe(2)
})
