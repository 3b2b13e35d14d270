/**
 * What many calls at the same moment cost everybody else. Passwords are slow to hash, and few
 * threads do it. Calls wait for locks of the database, and there are few connections to wait on.
 */
import { createHook } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'

import { AT_ONCE } from '#features/account/passwords.ts'
import { users } from '#features/account/tables.ts'
import type { Share } from '#features/sharing/contract.ts'
import { shares } from '#features/sharing/tables.ts'
import { vocabularies } from '#features/vocabulary/tables.ts'
import { type Tx, lock, openDatabase } from '#server/db.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base, untilItWaits } from '#test/database.ts'
import { aTranscription, aUser, anUpload } from '#test/factories.ts'

const CONNECTIONS = 4

const test = base.extend('server', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const few = await openDatabase({ connectionString: database.url, max: CONNECTIONS })
  const server = await anApp(few, { works: false })
  onCleanup(async () => {
    await server.close()
    await few.close()
  })
  return server
})

const password = 'one account, one word'
const linkPassword = 'dairy-reels-54'

async function anOwner(server: TestApp) {
  const { db } = server.parts.database
  const user = await aUser(db, { password, credits: 300 })
  const { id } = await aTranscription(db, { userId: user.id, turns: [{ speaker: 0, text: 'hi' }] })
  const call = await server.as(user)
  const url = `/api/transcriptions/${id}/shares`
  const payload = { password: linkPassword }
  const share = (await call({ method: 'POST', url, payload })).json<Share>()
  return { user, call, share, url, path: new URL(share.url!).pathname }
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

/** Counts the hashes that Node is asked for while the work runs, and how many of them at once. */
async function hashesDuring(work: () => Promise<unknown>) {
  const running = new Set<number>()
  const counted = { all: 0, atOnce: 0 }
  const hook = createHook({
    init(id, type) {
      if (type !== 'ARGON2REQUEST') return
      running.add(id)
      counted.all += 1
      counted.atOnce = Math.max(counted.atOnce, running.size)
    },
    // The answer is about to be told.
    before: (id) => void running.delete(id),
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return counted
}

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

test('nothing is hashed for what is not there, not theirs, or beyond the limit', async ({
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

const crowds: Record<string, Crowd> = {
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
      const waiting = sql`select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`
      expect((await db.execute(waiting)).rows.length).toBeLessThan(CONNECTIONS)
    })
    expect((await all!).map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(status))
  },
)

test('of one user 60 changes are under way at most; more are refused, and nothing is changed', async ({
  server,
  db,
}) => {
  const { user, call } = await anOwner(server)
  const payload = { terms: ['Okafor'] }
  const asks = () => call({ method: 'PUT', url: '/api/vocabulary', payload })
  let all: Promise<{ statusCode: number }[]> | undefined
  await db.transaction(async (tx) => {
    await tx.insert(vocabularies).values({ userId: user.id })
    const first = times(60, asks)
    all = Promise.all(first)
    all.catch(() => undefined)
    await untilItWaits(db, all)
    const refused = await asks()
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_much_at_once'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
  expect((await all!).filter(({ statusCode }) => statusCode === 200)).toHaveLength(60)
  expect((await call('/api/vocabulary')).json()).toMatchObject({ revision: 60 })
})
