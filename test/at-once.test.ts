/**
 * The cost of many calls at the same moment to everybody else. Passwords are slow to hash, and few
 * threads do it. Calls wait for locks of the database, and there are few connections to wait on.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

import { eq, sql } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { expect, vi } from 'vitest'

import * as links from '#features/account/email-links.ts'
import { AT_ONCE } from '#features/account/passwords.ts'
import { emailChanges, users } from '#features/account/tables.ts'
import * as throttle from '#features/account/throttle.ts'
import { apiKeys } from '#features/developers/tables.ts'
import type { Share } from '#features/sharing/contract.ts'
import { shares } from '#features/sharing/tables.ts'
import { vocabularies } from '#features/vocabulary/tables.ts'
import { type Writer, extractive } from '#features/writing/writing.ts'
import { type Db, type Tx, lock, openDatabase } from '#server/db.ts'
import { aDeveloper, aToken } from '#test/api.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base, untilItWaits } from '#test/database.ts'
import { aTranscription, aUser, anUpload, granted } from '#test/factories.ts'
import { uploadOf } from '#test/form.ts'
import { hashesDuring } from '#test/hashes.ts'
import { lines, nameOf } from '#test/route-table.ts'
import { isLong } from '#test/long.ts'
import { routesOf } from '#test/router.ts'

const CONNECTIONS = 4
/** One user's reads have six; one is for the queue, and one for somebody else. */
const MORE_CONNECTIONS = 8

async function withConnections(url: string, max: number) {
  const few = await openDatabase({ connectionString: url, max })
  const server = await anApp(few, { works: false })
  const close = async () => {
    await server.close()
    await few.close()
  }
  return { server, close }
}

const test = base
  .extend('server', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const { server, close } = await withConnections(database.url, CONNECTIONS)
    onCleanup(close)
    return server
  })
  .extend('wider', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const { server, close } = await withConnections(database.url, MORE_CONNECTIONS)
    onCleanup(close)
    return server
  })

const password = 'one account, one word'
const linkPassword = 'dairy-reels-54'

async function anOwner(server: TestApp) {
  const { db } = server.parts.database
  const { user, key } = await aDeveloper(server, { password, credits: 300 })
  const token = await aToken(server, user.id)
  const { id } = await aTranscription(db, { userId: user.id, turns: [{ speaker: 0, text: 'hi' }] })
  const call = await server.as(user)
  const url = `/api/transcriptions/${id}/shares`
  const payload = { password: linkPassword }
  const share = (await call({ method: 'POST', url, payload })).json<Share>()
  return { user, key, token, call, share, url, path: new URL(share.url!).pathname }
}
type Owner = Awaited<ReturnType<typeof anOwner>>

const from = (n: number) => `198.51.100.${n}`
const signsIn = ({ user: { email } }: Owner, n: number, typed = password): InjectOptions => ({
  method: 'POST',
  url: '/api/login',
  remoteAddress: from(n),
  payload: { email, password: typed },
})
const opens = ({ path }: Owner, n: number, typed = linkPassword): InjectOptions => ({
  method: 'POST',
  url: path,
  remoteAddress: from(n),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams({ password: typed }).toString(),
})
const changes = ({ share: { id } }: Owner, payload: object = { password }): InjectOptions => ({
  method: 'PATCH',
  url: `/api/shares/${id}`,
  payload,
})
const makes = ({ url }: Owner, payload: object = { password }): InjectOptions => ({
  method: 'POST',
  url,
  payload,
})
const signsUp = (n: number): InjectOptions => ({
  method: 'POST',
  url: '/api/register',
  remoteAddress: from(n),
  payload: { email: `${randomUUID()}@example.com`, password, firstName: 'Ada', lastName: 'B' },
})

const times = <T>(many: number, each: (n: number) => T) =>
  Array.from({ length: many }, (_, n) => each(n))

test('however many passwords are typed at once, two are hashed at once', async ({ server }) => {
  const owner = await anOwner(server)
  const { call, user } = owner
  const proves = { method: 'POST', url: '/api/account/password' } as const
  const deletes = { method: 'DELETE', url: '/api/account' } as const
  const wrong = { password: 'not that', newPassword: 'another account, another' }
  const counted = await hashesDuring(() =>
    Promise.all(
      times(8, (n) => [
        server.inject(signsIn(owner, n)),
        server.inject(signsIn(owner, n, 'not that')),
        server.inject(signsUp(n)),
        server.inject(opens(owner, n)),
        server.inject(opens(owner, n, 'not that')),
        call(changes(owner)),
        call(makes(owner)),
        call({ ...proves, payload: wrong }),
        call({ ...deletes, payload: { confirmation: user.email, password: 'not that' } }),
      ]).flat(),
    ),
  )
  expect(counted.atOnce).toBeLessThanOrEqual(AT_ONCE)
  expect(counted.all).toBeGreaterThan(40)
})

test('nothing is hashed for a thing that is not there, for one of another user, or beyond the limit', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const other = await anOwner(server)
  const { db } = server.parts.database
  const nowhere = { ...owner, share: { ...owner.share, id: randomUUID() } }
  const unfinished = await aTranscription(db, { userId: owner.user.id, status: 'processing' })
  const statuses = async (...calls: Promise<{ statusCode: number }>[]) =>
    (await Promise.all(calls)).map(({ statusCode }) => statusCode)
  const counted = await hashesDuring(async () => {
    const { call } = owner
    expect(await statuses(call(changes(nowhere)), call(changes(other)))).toEqual([404, 404])
    expect(await statuses(call(makes(other)))).toEqual([404])
    const url = `/api/transcriptions/${unfinished.id}/shares`
    expect(await statuses(call(makes({ ...owner, url })))).toEqual([409])
    const reset = { token: 'made up', password }
    const asked = { method: 'POST', url: '/api/reset-password', payload: reset } as const
    expect(await statuses(server.inject(asked))).toEqual([410])
  })
  expect(counted.all).toBe(0)

  const before = await hashesDuring(async () => {
    for (let n = 0; n < 99; n += 1) await owner.call(changes(owner))
  })
  expect(before.all).toBe(99)
  const after = await hashesDuring(async () => {
    const refused = await owner.call(changes(owner))
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_link_passwords'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await owner.call(makes(owner))).statusCode).toBe(429)
  })
  expect(after.all).toBe(0)
  expect((await other.call(changes(other))).statusCode).toBe(200)
})

interface Crowd {
  /** Takes the lock that all calls of this kind need. */
  holds: (tx: Tx, owner: Owner) => Promise<unknown>
  asks: (server: TestApp, owner: Owner, n: number) => ReturnType<TestApp['inject']>
  status: number
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

const crowds: Record<string, Crowd> = {
  'calls by one token': {
    holds: holdWrites,
    asks: (server, { token }) => server.inject({ url: '/api/user', ...bearer(token) }),
    status: 200,
  },
  'calls by one key': {
    holds: holdWrites,
    asks: (server, { key }) => server.inject({ url: '/api/user', ...bearer(key) }),
    status: 200,
  },
  'calls by one key that are refused': {
    holds: holdWrites,
    asks: (server, { key }) => server.inject({ url: '/api/keys', ...bearer(key) }),
    status: 403,
  },
  'changes by which one account shuts others out, each by another session': {
    holds: (tx) => tx.execute(sql`lock table ${emailChanges} in exclusive mode`),
    asks: async (server, { user }) => {
      const call = await server.as(user)
      return call({ method: 'DELETE', url: '/api/account/email' })
    },
    status: 200,
  },
  'right passwords of one link': {
    holds: (tx, { share }) => lock(tx, `share:${share.id}`),
    asks: (server, owner, n) => server.inject(opens(owner, n)),
    status: 303,
  },
  'sign-ins to one account': {
    holds: (tx, { user }) =>
      tx.select().from(users).where(eq(users.id, user.id)).for('no key update'),
    asks: (server, owner, n) => server.inject(signsIn(owner, n)),
    status: 200,
  },
  'changes of one link': {
    holds: (tx, { share }) => tx.select().from(shares).where(eq(shares.id, share.id)).for('update'),
    asks: (_, owner) => owner.call(changes(owner, { days: 3 })),
    status: 200,
  },
  'new links of one account': {
    holds: (tx, { user }) => lock(tx, `shares:${user.id}`),
    asks: (_, owner) => owner.call(makes(owner, {})),
    status: 201,
  },
  'changes of one vocabulary': {
    holds: (tx, { user }) => tx.insert(vocabularies).values({ userId: user.id }),
    asks: (_, owner) =>
      owner.call({ method: 'PUT', url: '/api/vocabulary', payload: { terms: ['Okafor'] } }),
    status: 200,
  },
  'new tags of one account': {
    holds: (tx, { user }) => lock(tx, `tags:${user.id}`),
    asks: (_, owner, n) =>
      owner.call({ method: 'POST', url: '/api/tags', payload: { name: `tag ${n}` } }),
    status: 200,
  },
  'uploads of one account': {
    holds: (tx, { user }) => lock(tx, `uploads:${user.id}`),
    asks: (_, { call }, n) =>
      call({ method: 'POST', url: '/api/uploads', payload: { name: `${n}.wav`, sizeBytes: 9 } }),
    status: 200,
  },
  'confirms of one account': {
    holds: (tx, { user }) => lock(tx, `credits:${user.id}`),
    asks: async (server, { call, user }) => {
      const { id } = await anUpload(server.parts.database.db, { userId: user.id })
      return call({ method: 'POST', url: `/api/transcriptions/${id}/confirm`, payload: {} })
    },
    status: 200,
  },
  'changes of the plan of one account': {
    holds: (tx, { user }) => lock(tx, `billing:${user.id}`),
    asks: (_, { call }) =>
      call({
        method: 'POST',
        url: '/api/create-payment-intent',
        payload: { amount: 9.99, planId: 'starter' },
      }),
    status: 200,
  },
  'sign-ups from one network': {
    holds: (tx) => lock(tx, `signUps:${from(200)}`),
    asks: (server) => server.inject(signsUp(200)),
    status: 201,
  },
  'mailed links of one account': {
    holds: (tx, { user }) =>
      tx.select().from(users).where(eq(users.id, user.id)).for('no key update'),
    asks: async (server, { user: { id: userId, email: newEmail } }) => {
      const { db } = server.parts.database
      const now = new Date()
      const change = { userId, newEmail, expiresAt: new Date(now.getTime() + 60_000) }
      await db.insert(emailChanges).values(change).onConflictDoNothing()
      const token = await granted(db, userId, (tx, grant) =>
        links.create(tx, grant, { kind: 'change-old', now }),
      )
      return server.inject({
        method: 'POST',
        url: '/api/confirm-email-change',
        payload: { token },
      })
    },
    status: 200,
  },
  'clicks on one link that switches mails off': {
    holds: (tx, { user }) => tx.select().from(users).where(eq(users.id, user.id)).for('update'),
    asks: (server, { user }) =>
      server.inject({ method: 'POST', url: `/mails-off?key=${user.readyMailKey}` }),
    status: 200,
  },
  'mails asked for from one network': {
    holds: (tx) => lock(tx, `mails:${from(200)}`),
    asks: (server, { user: { email } }) =>
      server.inject({
        method: 'POST',
        url: '/api/forgot-password',
        remoteAddress: from(200),
        payload: { email },
      }),
    status: 200,
  },
}

/** The answer to a call that must wait for nothing: one that does would never be answered. */
async function atOnce<T>(call: Promise<T>): Promise<T> {
  let hasEnded = false
  const end = () => void (hasEnded = true)
  call.then(end, end)
  await expect.poll(() => hasEnded, { timeout: 5_000 }).toBe(true)
  return call
}

/** How many connections wait for a lock. */
async function countWaiting(db: Db): Promise<number> {
  const waiting = sql`select from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database() and backend_type = 'client backend'`
  return (await db.execute(waiting)).rows.length
}

test.for(Object.entries(crowds))(
  '%s that wait for each other leave the database to others',
  async ([, { holds, asks, status }], { server, db }) => {
    const owner = await anOwner(server)
    const another = await server.as(await aUser(db))
    let all: Promise<Awaited<ReturnType<TestApp['inject']>>[]> | undefined
    await db.transaction(async (tx) => {
      await holds(tx, owner)
      all = Promise.all(times(5, (n) => asks(server, owner, n)))
      all.catch(() => undefined)
      await untilItWaits(db, all)
      expect((await another('/api/user')).statusCode).toBe(200)
      expect(await countWaiting(db)).toBeLessThan(CONNECTIONS)
    })
    expect((await all!).map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(status))
  },
)

const waited: Record<string, (tx: Tx, db: Db, owner: Owner) => Promise<unknown>> = {
  'one account': (tx, _, { user }) =>
    tx.select().from(users).where(eq(users.id, user.id)).for('update'),
  'the count of right passwords of one account': async (tx, db, { user: { email } }) => {
    for (const ip of times(AT_ONCE + 1, from)) {
      const { rightKey } = await throttle.guess(db, { email, ip, now: new Date() })
      await lock(tx, rightKey)
    }
  },
}

test.for(Object.entries(waited))(
  'sign-ins that wait for %s hold up no sign-in to another',
  async ([, holds], { server, db }) => {
    const [owner, another] = [await anOwner(server), await anOwner(server)]
    let all: Promise<{ statusCode: number }[]> | undefined
    await db.transaction(async (tx) => {
      await holds(tx, db, owner)
      all = Promise.all(times(AT_ONCE + 1, (n) => server.inject(signsIn(owner, n))))
      all.catch(() => undefined)
      await untilItWaits(db, all)
      expect((await atOnce(server.inject(signsIn(another, 100)))).statusCode).toBe(200)
    })
    expect((await all!).map(({ statusCode }) => statusCode)).toEqual(Array(AT_ONCE + 1).fill(200))
  },
)

/** Holds up all that is written and every lock of a row, as a slow transaction does. Reads pass. */
async function holdWrites(tx: Tx): Promise<void> {
  const { rows } = await tx.execute<{ names: string }>(sql`
    select string_agg(format('%I.%I', schemaname, tablename), ', ') as names from pg_tables
    where schemaname in ('public', 'pgboss')`)
  // What an earlier call has set going may hold a table. Who waits for it with the others would block it.
  const held = () =>
    tx.transaction((all) =>
      all.execute(sql.raw(`lock table ${rows[0]!.names} in exclusive mode nowait`)),
    )
  await vi.waitFor(held, { timeout: 20_000 })
}

if (isLong)
  test(
    'no call, made twelve times at once, keeps the database from others while it waits',
    { timeout: 120_000 },
    async ({ wider, db }) => {
      const another = await wider.as(await aUser(db))
      const form = await uploadOf([{ name: 'a.wav', bytes: new Uint8Array(9) }])
      const wrong: string[] = []
      for (const [n, route] of routesOf(wider.app).entries()) {
        const name = nameOf(route)
        const line = lines[name]
        if (!line || line.for === 'operators' || route.method === 'HEAD') continue
        const user = await aUser(db, { plan: 'professional', credits: 5 })
        const call = await wider.as(user)
        const params = line.for === 'owner' ? await line.of(wider, user.id) : {}
        const path = route.path.replace(/:(\w+)/g, (_, id: string) => params[id] ?? randomUUID())
        const url = path + (line.for === 'owner' ? (line.query ?? '') : '')
        const { payload, headers } = form
        const sent = route.config.form
          ? { payload, headers }
          : line.body
            ? { payload: line.body(params) }
            : {}
        const asked = { method: route.method as 'GET', url, remoteAddress: from(n % 256), ...sent }
        let all: Promise<unknown> | undefined
        await db.transaction(async (tx) => {
          await holdWrites(tx)
          all = Promise.all(times(12, () => call(asked)))
          all.catch(() => undefined)
          await untilItWaits(db, all)
          for (let n = 0; n < 3; n += 1)
            if ((await another('/api/user')).statusCode !== 200) return void wrong.push(name)
        })
        await all
      }
      expect(wrong).toEqual([])
    },
  )

test('many strangers who ask for files of another release do not use up the connections to the database', async ({
  wider,
  db,
}) => {
  const another = await wider.as(await aUser(db))
  let all: Promise<{ statusCode: number }[]> | undefined
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table assets in access exclusive mode`)
    const ask = (n: number) => wider.app.inject(`/assets/of-another-release-${n}.js`)
    all = Promise.all(Array.from({ length: 12 }, (_, n) => ask(n)))
    all.catch(() => undefined)
    await untilItWaits(db, all)
    expect((await another('/api/user')).statusCode).toBe(200)
  })
  expect((await all)?.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(404))
})

test('one user has 100 changes under way at most, half of them of one session; more are refused, and nothing is changed', async ({
  server,
  db,
}) => {
  const { user, call } = await anOwner(server)
  const [second, third] = [await server.as(user), await server.as(user)]
  const payload = { terms: ['Okafor'] }
  const change = { method: 'PUT', url: '/api/vocabulary', payload } as const
  const refuses = async (by: typeof call) => {
    const refused = await atOnce(by(change))
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_much_at_once'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  }
  let all: Promise<{ statusCode: number }[]> | undefined
  await db.transaction(async (tx) => {
    await tx.insert(vocabularies).values({ userId: user.id })
    const first = times(50, () => call(change))
    await untilItWaits(db, Promise.all(first))
    await refuses(call)
    all = Promise.all([...first, ...times(50, () => second(change))])
    all.catch(() => undefined)
    await refuses(second)
    await refuses(third)
  })
  expect((await all!).filter(({ statusCode }) => statusCode === 200)).toHaveLength(100)
  expect((await call('/api/vocabulary')).json()).toMatchObject({ revision: 100 })
})

test('sessions and keys of one user are served in turns', async ({ server, db }) => {
  const { user, key, call } = await anOwner(server)
  const served: string[] = []
  const change = { method: 'PUT', url: '/api/vocabulary', payload: { terms: ['Okafor'] } } as const
  const by = (who: string, answer: Promise<unknown>) => answer.then(() => void served.push(who))
  let all: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await tx.insert(vocabularies).values({ userId: user.id })
    const first = times(20, () => by('key', server.inject({ ...change, ...bearer(key) })))
    await untilItWaits(db, Promise.all(first))
    all = Promise.all([...first, by('owner', call(change))])
    all.catch(() => undefined)
    // Answered after the owner's change has come, and before the lock is gone.
    await call('/api/user')
  })
  await all
  expect(served).toHaveLength(21)
  // Three were worked on when the owner came.
  expect(served.indexOf('owner')).toBeLessThanOrEqual(5)
})

/** A change whose body never comes to its end. */
const slowly = () => ({
  method: 'PUT' as const,
  url: '/api/vocabulary',
  payload: new Readable({ read() {} }),
})
const json = { 'content-type': 'application/json' }

test.for(['key', 'session'] as const)(
  'a thief of a %s does not keep the owner from ending it',
  async (stolen, { server, db }) => {
    const owner = await anOwner(server)
    const { user, key, call } = owner
    const theirs = { authorization: bearer(key).headers.authorization, ...json }
    const sends = (body: ReturnType<typeof slowly>) =>
      stolen === 'key'
        ? server.inject({ ...body, headers: theirs })
        : call({ ...body, headers: json })
    const bodies = times(60, slowly)
    const answered: number[] = []
    const all = bodies.map((body) =>
      sends(body).then(({ statusCode }) => void answered.push(statusCode)),
    )
    const statusOf = async (asked: InjectOptions, by = call) => (await atOnce(by(asked))).statusCode
    try {
      // Its share is used up.
      await expect.poll(() => answered.length, { timeout: 10_000 }).toBeGreaterThan(0)
      expect(new Set(answered)).toEqual(new Set([429]))
      const mine = stolen === 'key' ? call : await server.as(user)
      const change = { method: 'PUT', url: '/api/vocabulary', payload: { terms: ['Okafor'] } }
      expect(await statusOf(change as InjectOptions, mine)).toBe(200)
      const other = await server.as(user)
      const [row] = await db.select().from(apiKeys).where(eq(apiKeys.userId, user.id))
      expect(await statusOf({ method: 'DELETE', url: `/api/keys/${row!.id}` })).toBe(200)
      expect(await statusOf({ method: 'DELETE', url: '/api/account/sessions' })).toBe(200)
      expect(await statusOf({ url: '/api/user' }, other)).toBe(401)
      const changed = await atOnce(
        call({
          method: 'POST',
          url: '/api/account/password',
          payload: { password, newPassword: 'another word, another account' },
        }),
      )
      expect(changed.statusCode).toBe(200)
      const cookie = changed.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      expect(await statusOf({ method: 'POST', url: '/api/logout', headers: { cookie } })).toBe(200)
    } finally {
      for (const { payload } of bodies) payload.push(null)
      await Promise.all(all)
    }
  },
)

test('a body that is sent too slowly is cut off', async ({ server }) => {
  const { call } = await anOwner(server)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let hasEnded = false
  const end = () => void (hasEnded = true)
  const body = slowly()
  const sent = call({ ...body, headers: json }).then(end, end)
  try {
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(31_000)
        return hasEnded
      })
      .toBe(true)
  } finally {
    body.payload.push(null)
    await sent
  }
})

test('an answer that a model writes slowly holds up no change and no read of its user', async ({
  database,
  db,
}) => {
  const { promise: held, resolve: end } = Promise.withResolvers<void>()
  let asked = 0
  const slow: Writer = {
    ...extractive,
    answer: async () => {
      asked += 1
      await held
      return null
    },
    compose: async () => {
      asked += 1
      await held
      return { kind: 'too_little' }
    },
  }
  const server = await anApp(database, { works: false, parts: { writer: slow } })
  const user = await aUser(db, { plan: 'professional' })
  const turns = [{ speaker: 0, text: 'The harbour opens in May.' }]
  const { id } = await aTranscription(db, { userId: user.id, turns })
  const call = await server.as(user)
  const payload = { question: 'When does the harbour open?' }
  const asks = (url: string) => call({ method: 'POST', url, payload })
  const trial = { name: 'Report', instructions: 'Be short.', length: 'short', parts: ['quotes'] }
  const all = [
    call({ method: 'POST', url: '/api/document-templates/try', payload: trial }),
    asks(`/api/transcriptions/${id}/questions`),
    ...times(3, () => asks('/api/questions')),
  ]
  try {
    await expect.poll(() => asked).toBe(3)
    const change = {
      method: 'PUT',
      url: '/api/vocabulary',
      payload: { terms: ['Okafor'] },
    } as const
    expect((await atOnce(call(change))).statusCode).toBe(200)
    expect((await atOnce(call('/api/vocabulary'))).statusCode).toBe(200)
    expect(asked).toBe(3)
  } finally {
    end()
    await Promise.all(all)
    await server.close()
  }
})
