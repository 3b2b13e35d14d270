import { randomUUID } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'
import { describe, expect } from 'vitest'

import * as links from '#features/account/email-links.ts'
import { requireRecent } from '#features/account/recent-proof.ts'
import * as sessions from '#features/account/sessions.ts'
import { emailChanges } from '#features/account/tables.ts'
import * as again from '#features/again/again.ts'
import * as credits from '#features/credits/credits.ts'
import { creditEntries } from '#features/credits/tables.ts'
import { keyOf as keyOfCalls } from '#features/developers/limits.ts'
import { webhookJob } from '#features/developers/webhooks.ts'
import * as documents from '#features/documents/documents.ts'
import { documents as rows } from '#features/documents/tables.ts'
import type { EngineNames } from '#features/recordings/engines.ts'
import { sayEngines } from '#features/recordings/workers.ts'
import { transcriptions } from '#features/row/tables.ts'
import * as batches from '#features/transcriptions/batches.ts'
import * as jobs from '#features/transcriptions/by-operators.ts'
import * as transcribing from '#features/transcriptions/transcriptions.ts'
import { queues } from '#root/worker.ts'
import type { Db, Tx } from '#server/db.ts'
import { add as addAttempts } from '#server/limits.ts'
import { mailJob } from '#server/mail-jobs.ts'
import { MAX_BATCH } from '#shared/business.ts'
import { aDeveloper, aToken } from '#test/api.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { looksInto, test as base } from '#test/database.ts'
import { aSession, aTranscription, aUser, anUpload, granted } from '#test/factories.ts'

import type { Job, LogPage, Overview, UserFacts, UserPage } from './contract.ts'
import { takeBackUnused } from './operators.ts'
import { healthRows, otherWork } from './overview.ts'
import { operatorActs } from './tables.ts'

const OPERATOR = 'olga@quoth.example'
/** An operator who has a key. */
const PROGRAM = 'oskar@quoth.example'
const PASSWORD = 'a long passphrase'

interface Given {
  server: TestApp
  /** Calls as an operator who has just signed in. */
  call: Awaited<ReturnType<TestApp['as']>>
}

const test = base.extend<{ $file: Given }>({
  server: [
    async ({ database }, use) => {
      const settings = { ADMIN_EMAILS: `${OPERATOR.toUpperCase()},${PROGRAM}` }
      const server = await anApp(database, { settings, works: false })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
  call: [
    async ({ server }, use) => {
      const { db } = server.parts.database
      const operator = await aUser(db, { email: OPERATOR, password: PASSWORD })
      await use(await server.as(operator))
    },
    { scope: 'file' },
  ],
})

const post = (url: string, payload: object = {}) =>
  ({ method: 'POST', url, payload: { id: randomUUID(), ...payload } }) as const
const at = (userId: string, what = '') => `/api/admin/users/${userId}${what}`

/** A job whose last attempt has failed on our side. */
const aFailedJob = async (db: Db, userId: string, more: object = {}) =>
  aTranscription(db, {
    userId,
    status: 'error',
    attempt: 1,
    creditsRequired: 3,
    originalName: 'secret.m4a',
    ...more,
  })

test('the server says who is an operator, and to nobody else, nor to a key', async ({
  call,
  server,
  db,
}) => {
  expect((await call('/api/user')).json()).toMatchObject({ email: OPERATOR, isOperator: true })
  const other = await server.as(await aUser(db))
  expect((await other('/api/user')).json()).not.toHaveProperty('isOperator')
  const { key } = await aDeveloper(server, { email: PROGRAM })
  const headers = { authorization: `Bearer ${key}` }
  const told = (await server.inject({ url: '/api/user', headers })).json()
  expect(told).toMatchObject({ email: PROGRAM })
  expect(told).not.toHaveProperty('isOperator')
})

describe('credits', () => {
  test('are given once, and their owner reads why and from whom', async ({ call, server, db }) => {
    const user = await aUser(db, { credits: 4 })
    const grant = post(at(user.id, '/credits'), { credits: 20, reason: 'Engine fault on Nov 14' })
    expect((await call(grant)).statusCode).toBe(200)
    expect((await call(grant)).statusCode).toBe(200)
    expect(await credits.balance(db, user.id)).toEqual({ available: 24, held: 0 })

    const theirs = await (await server.as(user))('/api/credits')
    expect(theirs.json<{ lines: unknown[] }>().lines[0]).toMatchObject({
      what: 'Granted',
      title: 'Changed by an operator of this server',
      note: 'Engine fault on Nov 14 (Ada Example)',
      change: 20,
      balance: 24,
    })
  })

  test('are taken, and never more than there are', async ({ call, db }) => {
    const user = await aUser(db, { credits: 4 })
    const take = (n: number) =>
      call(post(at(user.id, '/credits'), { credits: -n, reason: 'Given by mistake' }))
    expect((await take(5)).json()).toMatchObject({ code: 'not_so_many_credits' })
    expect((await take(3)).statusCode).toBe(200)
    const rows = (await call(at(user.id, '/credits'))).json<{ rows: object[] }>().rows
    expect(rows[0]).toMatchObject({ what: 'Given by mistake (Ada Example)', change: -3, after: 1 })
    expect(await credits.verify(db)).toEqual([])
  })

  test('another act under the same id is refused', async ({ call, db }) => {
    const [one, two] = [await aUser(db), await aUser(db)]
    const grant = post(at(one.id, '/credits'), { credits: 1, reason: 'Test' })
    await call(grant)
    const others = [
      { ...grant, url: at(two.id, '/credits') },
      { ...grant, payload: { ...grant.payload, credits: 2 } },
      { ...grant, payload: { ...grant.payload, reason: 'Another' } },
    ]
    for (const other of others)
      expect((await call(other)).json()).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('and all that is done to an account ask for the password after 15 minutes', async ({
    server,
    db,
  }) => {
    const [operator] = [await aUser(db, { email: `two-${OPERATOR}`, password: PASSWORD })]
    const app = await anApp(server.parts.database, {
      settings: { ADMIN_EMAILS: operator.email },
      works: false,
    })
    const now = new Date(Date.now() - 16 * 60_000)
    const { token } = await aSession(db, { userId: operator.id, now })
    const cookie = `${sessions.cookieFor(app.parts.config.web.publicUrl).name}=${token}`
    const user = await aUser(db)
    const ask = (what: string, payload: object) =>
      app.inject({ ...post(at(user.id, what), payload), headers: { cookie } })
    const grant = (more = {}) => ask('/credits', { credits: 1, reason: 'Test', ...more })
    const limits = { callsPerHour: 1, unconfirmedUploads: 1, reason: 'Test' }
    for (const refused of [
      await grant(),
      await ask('/block', { reason: 'Test' }),
      await ask('/unblock', {}),
      await app.inject({
        ...post(at(user.id, '/limits'), limits),
        method: 'PUT',
        headers: { cookie },
      }),
    ])
      expect(refused.json()).toMatchObject({ code: 'password_again' })
    expect((await grant({ password: 'wrong' })).json()).toMatchObject({
      code: 'wrong_current_password',
    })
    expect((await grant({ password: PASSWORD })).statusCode).toBe(200)
    expect((await grant()).statusCode).toBe(200)
    expect((await credits.balance(db, user.id)).available).toBe(2)
    await app.close()
  })

  test('and an operator without a password signs in again for them', async ({ db }) => {
    const { id: userId } = await aUser(db)
    const now = Date.now()
    const { id: sessionId } = await aSession(db, { userId, now: new Date(now - 16 * 60_000) })
    const proven = requireRecent(
      { db, clock: () => new Date(now) },
      { userId, sessionId, password: undefined },
    )
    await expect(proven).rejects.toMatchObject({ code: 'sign_in_again' })
  })
})

describe('a blocked account', () => {
  test('is signed out, gets no way in, and its jobs stop unpaid', async ({ call, server, db }) => {
    const { user, key } = await aDeveloper(server, { password: PASSWORD, credits: 10 })
    const theirs = await server.as(user)
    const job = await aTranscription(db, { userId: user.id, status: 'transcribing', attempt: 1 })
    const cause = transcribing.holdCause(job.id, 1)
    await db.transaction((tx) => credits.hold(tx, { userId: user.id, cause, credits: 4 }))

    const { clock, queue } = server.parts
    const waits = await aTranscription(db, { userId: user.id, status: 'uploading' })
    const done = await aTranscription(db, { userId: user.id })
    const order = { documentType: 'meeting-minutes', includeImages: false } as const
    const document = await db.transaction((tx) =>
      documents.begin(tx, { clock, queue }, { userId: user.id, id: job.id, ...order }),
    )

    await call(post(at(user.id, '/block'), { reason: 'Shares the account' }))
    const [ended] = await db.select().from(rows).where(eq(rows.id, document.id))
    expect(ended).toMatchObject({ status: 'error', isCreditReturned: true })
    // What was asked for before it was blocked, and comes to its turn now, begins nothing.
    const deps = { ...server.parts, db, clock, queue }
    const owned = { userId: user.id, id: waits.id }
    for (const late of [
      () => transcribing.confirm(deps, owned),
      () => batches.confirm(deps, { userId: user.id, ids: [waits.id] }),
      () => transcribing.retry(deps, { ...owned, id: job.id }),
      () => again.quote(deps, { ...owned, id: done.id }),
      () => again.tellApart(deps, { ...owned, id: done.id, speakers: '2' }),
    ])
      await expect(late()).rejects.toMatchObject({ code: 'account_blocked' })
    expect((await theirs('/api/user')).statusCode).toBe(401)
    const login = { email: user.email, password: PASSWORD }
    const signIn = (given: object) =>
      server.inject({ method: 'POST', url: '/api/login', payload: given })
    expect((await signIn(login)).json()).toMatchObject({ code: 'account_blocked' })
    expect((await signIn({ ...login, password: 'wrong one' })).json()).toMatchObject({
      code: 'wrong_password',
    })
    const byKey = await server.inject({
      url: '/api/user',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(byKey.json()).toMatchObject({ code: 'account_blocked' })
    const [stopped] = await db.select().from(transcriptions).where(eq(transcriptions.id, job.id))
    expect(stopped).toMatchObject({ status: 'error', lease: null })
    expect((await credits.balance(db, user.id)).held).toBe(0)
    const facts = (await call(at(user.id))).json<UserFacts>()
    expect(facts.blocked).toMatchObject({ by: OPERATOR, reason: 'Shares the account' })

    await call(post(at(user.id, '/unblock')))
    expect((await signIn(login)).statusCode).toBe(200)
    expect((await call(at(user.id))).json<UserFacts>().blocked).toBeNull()
  })

  test('that is open again is opened by nothing that was mailed before', async ({
    call,
    server,
    db,
  }) => {
    const user = await aUser(db, { password: PASSWORD })
    const now = server.parts.clock()
    const token = await granted(db, user.id, (tx, grant) =>
      links.create(tx, grant, { kind: 'reset', now }),
    )
    const change = { userId: user.id, newEmail: 'elsewhere@quoth.example' }
    const expiresAt = new Date(now.getTime() + 3_600_000)
    await db.insert(emailChanges).values({ ...change, expiresAt })
    await call(post(at(user.id, '/block'), { reason: 'Shares the account' }))
    await call(post(at(user.id, '/unblock')))
    const payload = { token, password: 'another long passphrase' }
    const reset = await server.inject({ method: 'POST', url: '/api/reset-password', payload })
    expect(reset.json()).toMatchObject({ code: 'link_used' })
    expect(await db.$count(emailChanges, eq(emailChanges.userId, user.id))).toBe(0)
  })

  test('is never that of an operator', async ({ call }) => {
    const { users } = (await call(`/api/admin/users?q=${OPERATOR}`)).json<UserPage>()
    const own = users.find(({ email }) => email === OPERATOR)!
    const answer = await call(post(at(own.id, '/block'), { reason: 'Oops' }))
    expect(answer.json()).toMatchObject({ code: 'operator_not_blocked' })
  })
})

describe('the limits of one account', () => {
  const limits = { callsPerHour: null, unconfirmedUploads: null, reason: 'Moving in' }
  const put = (userId: string, payload: object) =>
    ({ ...post(at(userId, '/limits'), { ...limits, ...payload }), method: 'PUT' }) as const

  /** Asks for something by a token, after `before` calls in the last hour. */
  async function aCaller(server: TestApp, db: Db, before: number) {
    const user = await aUser(db)
    const headers = { authorization: `Bearer ${await aToken(server, user.id)}` }
    const made = { keys: [keyOfCalls(user.id)], now: new Date() }
    await db.transaction(async (tx) => {
      for (let n = 0; n < before; n++) await addAttempts(tx, made)
    })
    return { user, ask: () => server.inject({ url: '/api/user', headers }) }
  }

  test('let its programs call more often or less often, and those of nobody else', async ({
    call,
    server,
    db,
  }) => {
    const [more, less, other] = await Promise.all([100, 1, 100].map((n) => aCaller(server, db, n)))
    for (const { ask } of [more!, other!]) expect((await ask()).statusCode).toBe(429)
    expect((await call(put(more!.user.id, { callsPerHour: 102 }))).statusCode).toBe(200)
    expect((await call(put(less!.user.id, { callsPerHour: 2 }))).statusCode).toBe(200)

    for (const [{ ask }, limit, statuses] of [
      [more!, '102', [200, 200, 429]],
      [less!, '2', [200, 429]],
      [other!, '100', [429]],
    ] as const)
      for (const status of statuses) {
        const { statusCode, headers } = await ask()
        expect([statusCode, headers['ratelimit-limit']]).toEqual([status, limit])
      }
    const keys = await (await server.as(more!.user))('/api/keys')
    expect(keys.json()).toMatchObject({ callsPerHour: 102 })
    const facts = (await call(at(more!.user.id))).json<UserFacts>()
    expect(facts.limits).toEqual({
      own: { callsPerHour: 102, unconfirmedUploads: null },
      ofPlan: { callsPerHour: 100, unconfirmedUploads: MAX_BATCH },
    })

    expect((await call(put(more!.user.id, {}))).statusCode).toBe(200)
    expect((await more!.ask()).headers['ratelimit-limit']).toBe('100')
  })

  test('let more or fewer uploads of it wait to be confirmed', async ({ call, server, db }) => {
    const user = await aUser(db, { credits: 1 })
    const theirs = await server.as(user)
    const payload = { name: 'a.wav', sizeBytes: 100, summaryLanguage: 'auto' }
    const upload = async () => {
      const answer = await theirs({ method: 'POST', url: '/api/uploads', payload })
      return answer.statusCode === 200 ? 'begun' : answer.json<{ code: string }>().code
    }
    for (let n = 0; n < MAX_BATCH; n++) await anUpload(db, { userId: user.id })
    expect(await upload()).toBe('too_many_unconfirmed')
    await call(put(user.id, { unconfirmedUploads: MAX_BATCH + 1 }))
    expect(await upload()).toBe('begun')
    await call(put(user.id, { unconfirmedUploads: 3 }))
    expect(await upload()).toBe('too_many_unconfirmed')
  })

  test('are set by operators alone, within bounds, once, and with a line in the log', async ({
    call,
    server,
    db,
  }) => {
    const user = await aUser(db)
    const own = await server.as(user)
    expect((await own(put(user.id, { callsPerHour: 9_000 }))).statusCode).toBe(404)
    for (const wrong of [
      { callsPerHour: 0 },
      { callsPerHour: 10_001 },
      { callsPerHour: 1.5 },
      { callsPerHour: undefined },
      { unconfirmedUploads: 201 },
      { reason: ' ' },
    ])
      expect((await call(put(user.id, wrong))).statusCode, JSON.stringify(wrong)).toBe(400)
    const nothing = { callsPerHour: null, unconfirmedUploads: null }
    expect((await call(at(user.id))).json<UserFacts>().limits.own).toEqual(nothing)

    const asked = put(user.id, { callsPerHour: 600, unconfirmedUploads: 40 })
    for (const _ of [1, 2]) expect((await call(asked)).statusCode).toBe(200)
    const other = { ...asked, payload: { ...asked.payload, callsPerHour: 700 } }
    expect((await call(other)).json()).toMatchObject({ code: 'idempotency_key_reused' })
    const { lines } = (await call('/api/admin/log')).json<LogPage>()
    expect(lines.filter(({ userId }) => userId === user.id)).toMatchObject([
      {
        kind: 'limits',
        limits: { callsPerHour: 600, unconfirmedUploads: 40 },
        reason: 'Moving in',
      },
    ])
    const nobody = put(randomUUID(), {})
    expect((await call(nobody)).statusCode).toBe(404)
  })
})

describe('a job', () => {
  test('is run again at no charge for its owner', async ({ call, db }) => {
    const user = await aUser(db)
    const { id } = await aFailedJob(db, user.id)
    const again = post(`/api/admin/jobs/${id}/run-again`)
    expect((await call(again)).statusCode).toBe(200)
    expect((await call(again)).statusCode).toBe(200)
    expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 3 })
    const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
    expect(row).toMatchObject({ status: 'processing', attempt: 2 })
  })

  test('that fails again leaves no credits behind, and says so', async ({ call, db }) => {
    const user = await aUser(db, { credits: 1 })
    const { id } = await aFailedJob(db, user.id, { errorCode: 'no_speech' })
    await call(post(`/api/admin/jobs/${id}/run-again`))
    await call(post(`/api/admin/jobs/${id}/stop`))
    expect(await credits.balance(db, user.id)).toEqual({ available: 1, held: 0 })
    await db.update(transcriptions).set({ errorCode: 'no_speech' }).where(eq(transcriptions.id, id))
    const { jobs } = (await call(at(user.id))).json<UserFacts>()
    expect(jobs).toMatchObject([{ id, state: 'failed', hasFailedAlike: true, canRunAgain: true }])
  })

  test('that was paid for keeps the credits that were given', async ({ call, db }) => {
    const user = await aUser(db)
    const { id } = await aFailedJob(db, user.id)
    await call(post(`/api/admin/jobs/${id}/run-again`))
    await db.transaction(async (tx) => {
      await credits.settle(tx, {
        userId: user.id,
        cause: transcribing.holdCause(id, 2),
        credits: 3,
      })
      await takeBackUnused(tx, { userId: user.id, type: 'transcription.deleted', data: { id } })
    })
    const entries = await db.select().from(creditEntries).where(eq(creditEntries.userId, user.id))
    expect(entries.map(({ kind }) => kind)).toEqual(['adjustment', 'hold', 'charge'])
  })

  test('is not run for an account that is blocked', async ({ call, db }) => {
    const user = await aUser(db)
    const { id } = await aFailedJob(db, user.id)
    await call(post(at(user.id, '/block'), { reason: 'Shares the account' }))
    const answer = await call(post(`/api/admin/jobs/${id}/run-again`))
    expect(answer.json()).toMatchObject({ code: 'owner_blocked' })
    expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })
  })

  test('that goes while its document is written leaves no credit for it behind', async ({
    call,
    server,
    db,
  }) => {
    const { clock, queue } = server.parts
    const user = await aUser(db)
    const { id } = await aFailedJob(db, user.id)
    await call(post(`/api/admin/jobs/${id}/run-again`))
    const deps = { clock, queue, onEvent: takeBackUnused }
    const order = { documentType: 'meeting-minutes', includeImages: false } as const
    await db.transaction(async (tx) => {
      await credits.settle(tx, {
        userId: user.id,
        cause: transcribing.holdCause(id, 2),
        credits: 2,
      })
      await documents.begin(tx, deps, { userId: user.id, id, ...order })
    })
    await db.transaction((tx) => documents.removeOf(tx, [id], deps))
    expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })
  })

  test('whose document fails leaves no credit for it behind', async ({ call, server, db }) => {
    const { clock, queue } = server.parts
    // Credits of its owner's own, of which nothing may be taken.
    const user = await aUser(db, { credits: 5 })
    const { id } = await aFailedJob(db, user.id)
    await call(post(`/api/admin/jobs/${id}/run-again`))
    const deps = { db, clock, queue, onEvent: takeBackUnused }
    const order = { documentType: 'meeting-minutes', includeImages: false } as const
    const owned = { userId: user.id, id }
    const document = await db.transaction(async (tx) => {
      await credits.settle(tx, {
        userId: user.id,
        cause: transcribing.holdCause(id, 2),
        credits: 2,
      })
      return documents.begin(tx, deps, { ...owned, ...order })
    })
    await documents.fail(deps, { documentId: document.id, attempt: 1 }, null)
    expect(await credits.balance(db, user.id)).toEqual({ available: 5, held: 0 })

    // Another that its owner orders, and pays for, is no part of the given credits.
    const more = { userId: user.id, cause: randomUUID(), credits: 1 }
    await db.transaction((tx) => credits.grant(tx, more))
    const own = await db.transaction((tx) => documents.begin(tx, deps, { ...owned, ...order }))
    await documents.fail(deps, { documentId: own.id, attempt: 1 }, null)
    expect(await credits.balance(db, user.id)).toEqual({ available: 6, held: 0 })
    expect(await credits.verify(db)).toEqual([])
  })

  test('is shown without its name, and found by its id', async ({ call, db }) => {
    const user = await aUser(db)
    const { id } = await aFailedJob(db, user.id)
    const answer = await call('/api/admin/jobs?state=failed')
    expect(answer.body).not.toContain('secret')
    const job = answer.json<Job[]>().find((each) => each.id === id)
    expect(job).toMatchObject({ email: user.email, seconds: 60, errorCode: null })
    const { users } = (await call(`/api/admin/users?q=${id}`)).json<UserPage>()
    expect(users.map((each) => each.id)).toEqual([user.id])
  })
})

test('failed jobs are found among all that have ended by an index', async ({ db }) => {
  const read = (tx: Tx) => jobs.list(tx, { states: ['failed'], now: new Date() })
  expect(await looksInto(db, 'transcriptions_failed', read)).toBe(1)
})

test('all jobs are those that have ended too, of every kind', async ({ call, server, db }) => {
  const user = await aUser(db)
  const done = await aTranscription(db, { userId: user.id, status: 'completed' })
  const [document] = await db
    .insert(rows)
    .values({
      userId: user.id,
      transcriptionId: done.id,
      documentType: 'summary',
      includeImages: false,
      title: 'Minutes',
    })
    .returning()
  const { queue } = server.parts
  const added = await db.transaction(async (tx) => ({
    mail: await queue.add(tx, mailJob, { userId: user.id, kind: 'verify' }),
    document: await queue.add(tx, documents.documentJob, { documentId: document!.id, attempt: 1 }),
    webhook: await queue.add(tx, webhookJob, { deliveryId: randomUUID(), round: 1, step: 0 }),
  }))
  const end = (id: string, state: string) =>
    db.execute(sql`update pgboss.job set state = ${state}, completed_on = now() where id = ${id}`)
  await end(added.mail, 'completed')
  await end(added.webhook, 'failed')
  const jobs = async (state = '') => (await call(`/api/admin/jobs${state}`)).json<Job[]>()
  const { email } = user
  const all = await jobs()
  const job = (wanted: string) => all.find(({ id }) => id === wanted)
  expect(job(done.id)).toMatchObject({ kind: 'Transcription', state: 'done', email })
  expect(job(added.mail)).toMatchObject({ kind: 'Mail', state: 'done', email, seconds: null })
  expect(job(added.document)).toMatchObject({ kind: 'Document', state: 'waiting', email })
  expect(job(added.webhook)).toMatchObject({ kind: 'Webhook', state: 'failed', userId: null })
  expect((await jobs('?state=done')).every(({ state }) => state === 'done')).toBe(true)
  const { jobs: counts } = (await call('/api/admin')).json<Overview>()
  for (const state of ['running', 'waiting', 'failed'] as const)
    expect(await jobs(`?state=${state}`), state).toHaveLength(counts[state])
})

test('every queue that works for people is told of', () => {
  const forPeople = queues
    .filter(({ name, cron }) => cron === undefined && !name.endsWith('-dead'))
    .map(({ name }) => name)
  expect(['transcribe', 'transcribe-long', ...Object.keys(otherWork)].toSorted()).toEqual(
    forPeople.toSorted(),
  )
})

test('users are found by parts of a name or an address', async ({ call, db }) => {
  const email = `100%-${randomUUID()}@Example.com`
  const user = await aUser(db, { email })
  const idsFor = async (q: string) => {
    const answer = await call(`/api/admin/users?q=${encodeURIComponent(q)}`)
    return answer.json<UserPage>().users.map(({ id }) => id)
  }
  expect(await idsFor('100%-')).toEqual([user.id])
  expect(await idsFor(email.toUpperCase())).toEqual([user.id])
  expect(await idsFor('ada exam')).toContain(user.id)
})

test('a letter is marked as answered', async ({ call, server }) => {
  const message = { name: 'Jo', email: 'jo@example.com', type: 'billing', message: 'Invoice?' }
  await server.inject({ method: 'POST', url: '/api/contact', payload: message })
  const unanswered = async () => (await call('/api/admin')).json<Overview>().unanswered
  const before = await unanswered()
  const { letters } = (await call('/api/admin/letters')).json<{ letters: { id: string }[] }>()
  await call(post(`/api/admin/letters/${letters[0]!.id}/answered`))
  expect(await unanswered()).toBe(before - 1)
})

describe('the log', () => {
  test('says who did what to whom and why, newest first', async ({ call, db }) => {
    const user = await aUser(db)
    await call(post(at(user.id, '/credits'), { credits: 2, reason: 'Goodwill' }))
    const { lines } = (await call('/api/admin/log')).json<LogPage>()
    expect(lines[0]).toMatchObject({
      operator: OPERATOR,
      kind: 'adjust',
      email: user.email,
      credits: 2,
      reason: 'Goodwill',
    })
  })

  test('is added to and never changed', async ({ call, db }) => {
    const user = await aUser(db)
    await call(post(at(user.id, '/unblock')))
    await expect(db.update(operatorActs).set({ operator: 'nobody' })).rejects.toThrow()
    await expect(db.delete(operatorActs)).rejects.toThrow()
  })

  test('keeps an id, and no word, of who has deleted their account', async ({
    call,
    server,
    db,
  }) => {
    const user = await aUser(db, { password: PASSWORD })
    await call(post(at(user.id, '/credits'), { credits: 2, reason: 'Ada wrote twice' }))
    const theirs = await server.as(user)
    const archive = await theirs('/api/account/export')
    expect(archive.rawPayload.includes('operators.json')).toBe(true)
    const payload = { confirmation: user.email, password: PASSWORD }
    const gone = await theirs({ method: 'DELETE', url: '/api/account', payload })
    expect(gone.statusCode).toBe(200)
    const { lines } = (await call('/api/admin/log')).json<LogPage>()
    const line = lines.find(({ userId }) => userId === user.id)
    expect(line).toMatchObject({ kind: 'adjust', credits: 2, email: null, reason: null })
  })
})

test('an address that was copied with invisible letters is invited as it is seen', async ({
  call,
}) => {
  const email = '\ufeffguest\u200b@invited.example\u200e '
  expect((await call(post('/api/admin/invitations', { email }))).statusCode).toBe(200)
  const invited = (await call('/api/admin/invitations')).json()
  expect(invited).toMatchObject([{ email: 'guest@invited.example' }])
})

test('health tells of a better model that is on its way, and of workers', async ({
  server,
  db,
}) => {
  const row = async (engines: EngineNames) => {
    const health = { look: async () => ({ problems: [], space: null }) }
    const counts = await jobs.counts(db, new Date())
    const others = {
      mail: { smtpUrl: null },
      operators: new Set<string>(),
      signUp: 'open',
    } as const
    const deps = { ...server.parts, ...others, db, health, engines }
    const rows = await healthRows(deps, { counts, now: new Date() })
    return rows.find(({ name }) => name === 'Speech engine')
  }
  const embedded = { speech: 'pocketsphinx', writing: 'extractive' }
  const fetching = { model: 'Parakeet', percent: 62 }
  expect((await row({ ...embedded, fetching }))?.measure).toBe(
    'pocketsphinx · Parakeet is being fetched: 62 %',
  )
  expect(await row({ ...embedded, notFetched: 'The disk is full.' })).toMatchObject({
    state: 'look',
    measure: 'pocketsphinx · no better one yet',
    advice: expect.stringMatching(/^There is no better recogniser yet: The disk is full\. /),
  })
  const web = { speech: 'workers', writing: 'workers' }
  expect(await row(web)).toMatchObject({ state: 'look', measure: 'No worker was heard of' })
  const says = { ...embedded, speech: 'sherpa', speechModel: 'Parakeet' }
  const saying = [says, says, embedded].map((engines) =>
    sayEngines({ db, log: server.parts.log, engines }),
  )
  await expect.poll(async () => (await row(web))?.measure).toMatch(/Parakeet on 2 workers/)
  expect((await row(web))?.measure).toContain('pocketsphinx on 1 worker')
  for (const each of saying) await each.stop()
})

test('health says what works and what to look at', async ({ call }) => {
  const { health } = (await call('/api/admin')).json<Overview>()
  expect(health.map(({ name, state }) => [name, state])).toEqual([
    ['Database', 'works'],
    ['Queue', 'works'],
    ['Storage', expect.any(String)],
    ['Speech engine', expect.any(String)],
    ['Summaries', 'works'],
    ['Mail', 'look'],
  ])
})
