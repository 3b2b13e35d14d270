/** The calls of an account's owner, on a real database with the real queue. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { eq, sql } from 'drizzle-orm'
import { describe, expect } from 'vitest'

import { payments, unmatched } from '#features/billing/tables.ts'
import * as credits from '#features/credits/credits.ts'
import * as keys from '#features/developers/keys.ts'
import * as webhooks from '#features/developers/webhooks.ts'
import { questions } from '#features/asking/tables.ts'
import { cutLists } from '#features/cuts/tables.ts'
import { documents, documentTemplates } from '#features/documents/tables.ts'
import { operatorActs, operatorReasons } from '#features/operators/tables.ts'
import { hidings, tags, transcriptions, veils } from '#features/row/tables.ts'
import * as transcribing from '#features/transcriptions/transcriptions.ts'
import type { Tx } from '#server/db.ts'
import type { Exporter } from '#server/personal-data.ts'
import { aDeveloper } from '#test/api.ts'
import { type TestApp, anApp, tokenIn } from '#test/app.ts'
import { untilItWaits } from '#test/database.ts'
import { aSession, aTranscription, aUser, anUpload, anyProof } from '#test/factories.ts'
import { testWithMails as test } from '#test/served.ts'
import { filesIn } from '#test/zip.ts'

import { Account, ActivityEntry, type DataSize, DeletionReceipt, SessionRow } from './contract.ts'
import {
  deletionReceipts,
  emailChanges,
  identities,
  invitations,
  knownBrowsers,
  sessions as sessionRows,
  signupGrants,
  users,
} from './tables.ts'
import * as readyMail from './ready-mail.ts'
import * as yourData from './your-data.ts'

const password = 'quoth the raven'
let next = 0
const anAddress = () => `owner-${next++}@example.com`
const post = (url: string, payload: object = {}) => ({ method: 'POST', url, payload }) as const
const del = (url: string, payload: object = {}) => ({ method: 'DELETE', url, payload }) as const

async function signedIn(server: TestApp, { withPassword = true } = {}) {
  const email = anAddress()
  const { db } = server.parts.database
  const user = await aUser(db, { email, ...(withPassword ? { password } : {}) })
  return { user, email, call: await server.as(user) }
}

describe('the profile', () => {
  test('shows the name that was saved', async ({ server }) => {
    const { call } = await signedIn(server)
    const payload = { firstName: ' Grace ', lastName: 'Hopper' }
    const saved = await call({ method: 'PATCH', url: '/api/account', payload })
    expect(saved.json()).toMatchObject({ firstName: 'Grace', lastName: 'Hopper' })
    expect((await call('/api/user')).json()).toMatchObject({ firstName: 'Grace' })
  })

  test('takes nothing that is not its owner to change', async ({ server, db }) => {
    const { call, user } = await signedIn(server)
    const payload = {
      firstName: 'Ada',
      lastName: 'Lovett',
      credits: 1_000,
      planType: 'enterprise',
      provider: 'google',
      email: 'other@example.com',
      passwordHash: 'x',
      id: '00000000-0000-4000-8000-000000000000',
    }
    await call({ method: 'PATCH', url: '/api/account', payload })
    const [after] = await db.select().from(users).where(eq(users.id, user.id))
    expect(after).toEqual({ ...user, firstName: 'Ada', lastName: 'Lovett' })
    expect(await credits.balance(db, user.id)).toEqual({ available: 0, held: 0 })
  })
})

test('mails about work that is done are switched off by their link alone', async ({
  server,
  db,
}) => {
  const { call, user } = await signedIn(server)
  expect((await call('/api/account')).json()).toMatchObject({ readyMail: true })
  // As a mail program does it (RFC 8058): from elsewhere, without a cookie, with a form.
  const oneClick = (key: string) =>
    server.app.inject({
      method: 'POST',
      url: `/mails-off?key=${key}`,
      headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
  expect((await oneClick('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404)
  expect((await oneClick(user.readyMailKey)).statusCode).toBe(200)
  expect((await call('/api/account')).json()).toMatchObject({ readyMail: false })
  expect(await readyMail.recipient(db, user.id)).toBeNull()

  await call({ method: 'PUT', url: '/api/account/ready-mail', payload: { isOn: true } })
  expect(await readyMail.recipient(db, user.id)).toMatchObject({ email: user.email })
})

describe('another password', () => {
  test('needs the old one, ends every other session, and goes on under a new token', async ({
    server,
    db,
  }) => {
    const { user, email, call } = await signedIn(server)
    const elsewhere = await server.as(user)
    const wrong = await call(
      post('/api/account/password', { password: 'not it at all', newPassword: 'another one here' }),
    )
    expect([wrong.statusCode, wrong.json().code]).toEqual([403, 'wrong_current_password'])
    const common = await call(
      post('/api/account/password', { password, newPassword: 'password123' }),
    )
    expect(common.json().code).toBe('common_password')
    expect((await elsewhere('/api/user')).statusCode).toBe(200)

    const changed = await call(
      post('/api/account/password', { password, newPassword: 'another one here' }),
    )
    expect(changed.statusCode).toBe(200)
    const cookie = `quoth_session=${changed.cookies[0]!.value}`
    expect((await server.inject({ url: '/api/user', headers: { cookie } })).statusCode).toBe(200)
    expect((await call('/api/user')).statusCode).toBe(401)
    expect((await elsewhere('/api/user')).statusCode).toBe(401)
    expect(await db.select().from(sessionRows).where(eq(sessionRows.userId, user.id))).toHaveLength(
      1,
    )
    const login = await server.inject(post('/api/login', { email, password: 'another one here' }))
    expect(login.statusCode).toBe(200)
  })

  test('makes no browser known where a program asked', async ({ server, db }) => {
    const { user } = await signedIn(server)
    const { token } = await aSession(db, { userId: user.id, kind: 'token' })
    const changed = await server.inject({
      ...post('/api/account/password', { password, newPassword: 'another one here' }),
      headers: { authorization: `Bearer ${token}` },
    })
    expect([changed.statusCode, changed.cookies]).toEqual([200, []])
    expect(changed.headers['x-auth-token']).toEqual(expect.any(String))
    expect(await db.$count(knownBrowsers, eq(knownBrowsers.userId, user.id))).toBe(0)
  })

  test('is not a place to guess at', async ({ server }) => {
    const { call } = await signedIn(server)
    const guess = () =>
      call(post('/api/account/password', { password: 'a guess', newPassword: 'another one here' }))
    const statuses = []
    for (let n = 0; n < 12; n++) statuses.push((await guess()).statusCode)
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429])
  })

  test('cannot be given to an account that has none, except by its mailbox', async ({ server }) => {
    const { call } = await signedIn(server, { withPassword: false })
    for (const old of ['', 'anything'])
      expect(
        (
          await call(
            post('/api/account/password', { password: old, newPassword: 'another one here' }),
          )
        ).statusCode,
      ).toBeGreaterThanOrEqual(400)
  })
})

test('a forgotten password that is chosen anew ends the API keys', async ({ server }) => {
  const { user, key } = await aDeveloper(server)
  const stranger = await aDeveloper(server)
  const ask = (token: string) =>
    server.inject({ url: '/api/user', headers: { authorization: `Bearer ${token}` } })
  expect((await ask(key)).statusCode).toBe(200)
  await server.inject(post('/api/forgot-password', { email: user.email }))
  const [mail] = await server.mailsTo(user.email, { atLeast: 1 })
  const token = tokenIn(mail!)
  const reset = await server.inject(post('/api/reset-password', { token, password }))
  expect(reset.statusCode).toBe(200)
  expect((await ask(key)).statusCode).toBe(401)
  expect((await ask(stranger.key)).statusCode).toBe(200)
  const happened = ActivityEntry.array().parse(
    (await (await server.as(user))('/api/account/activity')).json(),
  )
  expect(happened.map(({ kind }) => kind)).toContain('key_revoked')
})

describe('another address', () => {
  const ask = async (server: TestApp) => {
    const { user, email: oldEmail, call } = await signedIn(server)
    const newEmail = anAddress()
    const asked = await call(post('/api/account/email', { email: newEmail, password }))
    expect(asked.statusCode).toBe(200)
    const [toOld] = await server.mailsTo(oldEmail, { atLeast: 1 })
    const [toNew] = await server.mailsTo(newEmail, { atLeast: 1 })
    const links = { old: changeTokenIn(toOld!.text), new: changeTokenIn(toNew!.text) }
    return { user, oldEmail, newEmail, call, links }
  }
  const confirm = (server: TestApp, token: string) =>
    server.inject(post('/api/confirm-email-change', { token }))

  test('is taken when both mailboxes have said yes, in either order', async ({ server }) => {
    for (const order of ['old first', 'new first']) {
      const { oldEmail, newEmail, call, links } = await ask(server)
      const [first, second] =
        order === 'old first' ? [links.old, links.new] : [links.new, links.old]
      expect((await confirm(server, first)).json()).toMatchObject({ isDone: false })
      expect((await call('/api/user')).json()).toMatchObject({ email: oldEmail })
      expect((await confirm(server, second)).json()).toMatchObject({ isDone: true })
      expect((await call('/api/user')).json()).toMatchObject({ email: newEmail })
      const login = (email: string) => server.inject(post('/api/login', { email, password }))
      expect((await login(newEmail)).statusCode).toBe(200)
      expect((await login(oldEmail)).statusCode).toBe(401)
      expect((await confirm(server, first)).statusCode).toBe(410)
    }
  })

  test('is refused when another account takes it at the same moment', async ({ server, db }) => {
    const { oldEmail, newEmail, call, links } = await ask(server)
    await confirm(server, links.old)
    const other = await aUser(db)
    let last: ReturnType<typeof confirm> | undefined
    await db.transaction(async (tx) => {
      await tx.update(users).set({ emailKey: newEmail }).where(eq(users.id, other.id))
      last = confirm(server, links.new)
      await untilItWaits(db, last)
    })
    expect((await last!).json()).toMatchObject({ code: 'address_taken' })
    expect((await call('/api/user')).json()).toMatchObject({ email: oldEmail })
  })

  test('is not taken by a stolen session alone, nor without the password', async ({ server }) => {
    const { call } = await signedIn(server)
    const asked = await call(post('/api/account/email', { email: anAddress() }))
    expect(asked.json()).toMatchObject({ code: 'wrong_current_password' })
    expect(Account.parse((await call('/api/account')).json()).emailChange).toBeNull()
  })

  test('of 50 clicks at once on each mail exactly two count', async ({ server }) => {
    const { newEmail, call, links } = await ask(server)
    const clicks = await Promise.all(
      Array.from({ length: 50 }, () => [links.old, links.new])
        .flat()
        .map((token) => confirm(server, token)),
    )
    expect(clicks.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2)
    expect(clicks.filter(({ statusCode }) => statusCode === 410)).toHaveLength(98)
    expect((await call('/api/user')).json()).toMatchObject({ email: newEmail })
  }, 30_000)

  test('that somebody else has is answered alike, and that mailbox is told', async ({ server }) => {
    const { email: taken } = await signedIn(server)
    const { call } = await signedIn(server)
    const asked = await call(post('/api/account/email', { email: taken, password }))
    expect(asked.statusCode).toBe(200)
    const [mail] = await server.mailsTo(taken, { atLeast: 1 })
    expect(mail!.subject).toBe('You already have a Quoth account')
    expect(mail!.text).not.toContain('change=')
  })

  test('is not taken by the mails of one that was asked for before', async ({ server }) => {
    const { call, links, oldEmail } = await ask(server)
    const newEmail = anAddress()
    await call(post('/api/account/email', { email: newEmail, password }))
    for (const token of [links.old, links.new])
      expect((await confirm(server, token)).statusCode).toBe(410)
    expect((await call('/api/user')).json()).toMatchObject({ email: oldEmail })
  })

  test('that was called off is not taken by its mails', async ({ server }) => {
    const { call, links, oldEmail } = await ask(server)
    await call(del('/api/account/email'))
    for (const token of [links.old, links.new])
      expect((await confirm(server, token)).statusCode).toBe(410)
    expect((await call('/api/user')).json()).toMatchObject({ email: oldEmail })
  })

  test('is not taken after a day, though its mails were sent late', async ({ server, db }) => {
    const { user, oldEmail, call, links } = await ask(server)
    await confirm(server, links.old)
    const theirs = eq(emailChanges.userId, user.id)
    await db.update(emailChanges).set({ expiresAt: new Date() }).where(theirs)
    expect((await confirm(server, links.new)).statusCode).toBe(410)
    expect((await call('/api/user')).json()).toMatchObject({ email: oldEmail })
  })

  test('that waits while a new password is set is not taken any more', async ({ server }) => {
    const { user, oldEmail, links } = await ask(server)
    await server.inject(post('/api/forgot-password', { email: oldEmail }))
    const mails = await server.mailsTo(oldEmail, { atLeast: 2 })
    const token = tokenIn(mails.find(({ text }) => text.includes('reset='))!)
    const reset = { token, password: 'the owner is back' }
    expect((await server.inject(post('/api/reset-password', reset))).statusCode).toBe(200)
    for (const link of [links.old, links.new])
      expect((await confirm(server, link)).statusCode).toBe(410)
    // Nor can its mails be asked for again.
    const account = await (await server.as(user))('/api/account')
    expect(Account.parse(account.json()).emailChange).toBeNull()
  })

  test('ends the links that were mailed to the old one', async ({ server }) => {
    const { oldEmail, links } = await ask(server)
    await server.inject(post('/api/forgot-password', { email: oldEmail }))
    const mails = await server.mailsTo(oldEmail, { atLeast: 2 })
    const reset = tokenIn(mails.find(({ text }) => text.includes('reset='))!)
    await confirm(server, links.old)
    await confirm(server, links.new)
    const used = await server.inject(
      post('/api/reset-password', { token: reset, password: 'somebody at the old desk' }),
    )
    expect(used.statusCode).toBe(410)
  })
})

describe('sessions', () => {
  test('are listed with device, way and last use, and never with their token', async ({
    server,
  }) => {
    const { user, email } = await signedIn(server)
    // One that is over is not among them.
    const monthsAgo = new Date(Date.now() - 60 * 24 * 3_600_000)
    await aSession(server.parts.database.db, { userId: user.id, now: monthsAgo })
    const login = await server.inject({
      ...post('/api/login', { email, password }),
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
    })
    const token = login.cookies[0]!.value
    const script = await server.inject(post('/api/login', { email, password, token: true }))
    const answer = await server.inject({
      url: '/api/account/sessions',
      headers: { cookie: `quoth_session=${token}` },
    })
    const rows = answer.json<unknown[]>().map((row) => SessionRow.parse(row))
    expect(rows).toHaveLength(3)
    expect(rows.find(({ isCurrent }) => isCurrent)).toMatchObject({
      device: 'Firefox on Linux',
      method: 'password',
      kind: 'web',
    })
    const secret = script.json<{ token: string }>().token
    expect(rows.find(({ kind }) => kind === 'token')!.tokenEnd).toBe(secret.slice(-4))
    for (const known of [token, secret]) expect(answer.body).not.toContain(known)
  })

  test('end one by one, or all others at once, in another process too', async ({
    server,
    database,
  }) => {
    const { user, call } = await signedIn(server)
    const second = await anApp(database, { works: false })
    try {
      const others = await Promise.all([1, 2, 3].map(() => second.as(user)))
      const list = await call('/api/account/sessions')
      const rows = list.json<SessionRow[]>().filter(({ isCurrent }) => !isCurrent)
      expect((await call(del(`/api/account/sessions/${rows[0]!.id}`))).statusCode).toBe(200)
      const alive = async () =>
        (await Promise.all(others.map((other) => other('/api/user')))).filter(
          ({ statusCode }) => statusCode === 200,
        ).length
      expect(await alive()).toBe(2)
      await call(del('/api/account/sessions'))
      expect(await alive()).toBe(0)
      expect((await call('/api/user')).statusCode).toBe(200)
    } finally {
      await second.close()
    }
  })

  test('and what else happened is in the activity log, without a word of it', async ({
    server,
  }) => {
    const { email, call } = await signedIn(server)
    await server.inject(post('/api/login', { email, password }))
    await call({
      method: 'PATCH',
      url: '/api/account',
      payload: { firstName: 'Canary', lastName: 'Name' },
    })
    await call(del('/api/account/sessions'))
    const answer = await call('/api/account/activity')
    const entries = answer.json<unknown[]>().map((entry) => ActivityEntry.parse(entry))
    expect(entries.map(({ kind }) => kind)).toEqual([
      'sessions_ended',
      'names_changed',
      'signed_in',
    ])
    expect(answer.body).not.toContain('Canary')
  })
})

test('every deletion is in the activity log', async ({ server }) => {
  const { call, done } = await aFullAccount(server)
  await call(del(`/api/transcriptions/${done.id}/recording`))
  await call(del(`/api/transcriptions/${done.id}`))
  const entries = (await call('/api/account/activity')).json<ActivityEntry[]>()
  expect(entries.map(({ kind }) => kind)).toEqual([
    'transcription_deleted',
    'recording_deleted',
    'signed_in',
  ])
})

describe('Google', () => {
  test('cannot be removed where it is the only way in', async ({ server }) => {
    const { call } = await signedIn(server, { withPassword: false })
    expect((await call(del('/api/account/google'))).json()).toMatchObject({ code: 'last_way_in' })
  })

  test('cannot be removed while the password goes', async ({ server, db }) => {
    const { user, call } = await signedIn(server)
    const { id: userId, email } = user
    const identity = { issuer: 'https://google.example', subject: email, email }
    await db.insert(identities).values({ userId, ...identity, createdAt: new Date() })
    let removing: ReturnType<typeof call> | undefined
    await db.transaction(async (tx) => {
      await tx.update(users).set({ passwordHash: null }).where(eq(users.id, userId))
      removing = call(del('/api/account/google'))
      await untilItWaits(db, removing)
    })
    expect((await removing!).json()).toMatchObject({ code: 'last_way_in' })
    expect(await db.$count(identities, eq(identities.userId, userId))).toBe(1)
  })

  test('that is not set up cannot be linked', async ({ server }) => {
    const { call } = await signedIn(server)
    const asked = await call(post('/api/account/google', { password }))
    expect(asked.json()).toMatchObject({ code: 'sign_in_off' })
  })
})

/** Words that are nowhere else, so that traces of an account can be found. */
const canary = (what: string) => `canary${what}${Math.random().toString(36).slice(2)}`

async function aFullAccount(server: TestApp) {
  const words = {
    first: canary('first'),
    last: canary('last'),
    file: canary('file'),
    text: canary('text'),
    summary: canary('summary'),
    sound: canary('sound'),
    hidden: canary('hidden'),
    message: canary('message'),
    mailbox: canary('mailbox').toLowerCase(),
  }
  const { parts } = server
  const inject = server.aBrowser()
  const { db } = parts.database
  const email = `${words.mailbox}@example.com`
  await inject(
    post('/api/register', { email, password, firstName: words.first, lastName: words.last }),
  )
  const [mail] = await server.mailsTo(email, { atLeast: 1 })
  await inject(post('/api/verify-email', { token: tokenIn(mail!) }))
  const [user] = await db.select().from(users).where(eq(users.email, email))
  const userId = user!.id
  const call = await server.as(user!)

  const storageKey = crypto.randomUUID()
  const signal = new AbortController().signal
  await parts.storage.write(storageKey, Readable.from([words.sound]), { signal })
  const done = await aTranscription(db, {
    userId,
    storageKey,
    originalName: `${words.file}.mp3`,
    summary: words.summary,
    turns: [{ speaker: 0, text: words.text }],
  })
  const of = { userId, transcriptionId: done.id }
  const mute = { muteWith: 'tone', status: 'made', times: [] as number[] } as const
  const veiledKey = crypto.randomUUID()
  await parts.storage.write(veiledKey, Readable.from([words.hidden]), { signal })
  await db.insert(veils).values({ ...of, ...mute, storageKey: veiledKey, textRevision: 0 })
  const hidden = { scope: 'others', mark: 'bar', places: 0, finishedAt: new Date() } as const
  await db.insert(hidings).values({ ...of, ...mute, ...hidden, words: [words.hidden] })
  const contact = { name: words.first, email, type: 'general', message: words.message }
  await call(post('/api/contact', contact))
  return { words, email, userId, call, done }
}

/** Everything that is kept: every row of every table, the queue's too, and every file. */
async function everything({ parts, dataDir }: TestApp): Promise<string> {
  const { pool } = parts.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`)
    found.push(...rows.map(({ row }) => row))
  }
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      found.push(entry.name)
      const text = await readFile(join(entry.parentPath, entry.name), 'latin1')
      // Mails are written as quoted-printable.
      found.push(text.replaceAll('=\r\n', ''))
    }
  return found.join('\n')
}

describe('a copy of everything', () => {
  test('holds account, ledger, texts, recordings and messages', async ({ server }) => {
    const { words, email, call } = await aFullAccount(server)
    const size = await call('/api/account/data')
    expect(size.json()).toMatchObject({
      parts: expect.arrayContaining([
        { name: 'recordings', files: 1, sizeBytes: 1_000 },
        expect.objectContaining({ name: 'transcriptions', files: 3 }),
      ]),
    })
    const answer = await call('/api/account/export')
    expect(answer.headers['content-type']).toBe('application/zip')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="quoth-\d{4}-/)
    const files = filesIn(answer.rawPayload)
    expect([...files.keys()].sort()).toEqual([
      'account.json',
      'credits.csv',
      'hidden.json',
      'messages.json',
      `recordings/${words.file}.mp3`,
      `transcriptions/${words.file}.json`,
      `transcriptions/${words.file}.srt`,
      `transcriptions/${words.file}.txt`,
    ])
    expect(files.get('account.json')).toContain(email)
    expect(files.get('account.json')).not.toContain('argon2')
    for (const column of ['passwordHash', 'browserHash', 'tokenHash', 'readyMailKey'])
      expect(files.get('account.json')).not.toContain(column)
    expect(files.get('credits.csv')).toContain(',grant,10,')
    expect(files.get('messages.json')).toContain(words.message)
    expect(files.get(`recordings/${words.file}.mp3`)).toBe(words.sound)
    expect(files.get('hidden.json')).toContain(words.hidden)
    for (const format of ['json', 'srt', 'txt'])
      expect(files.get(`transcriptions/${words.file}.${format}`)).toContain(words.text)
    for (const format of ['json', 'txt'])
      expect(files.get(`transcriptions/${words.file}.${format}`)).toContain(words.summary)
  })

  test('holds nothing of anybody else, and nothing that was deleted', async ({ server, db }) => {
    const { words, userId, call, done } = await aFullAccount(server)
    const alone = (await call('/api/account/data')).json()
    const other = await aFullAccount(server)
    const of = { userId: other.userId, transcriptionId: other.done.id }
    const things =
      'title content payment device key hook unmatched tag term reason template question'
    const marks = things.split(' ').map(canary)
    const [title = '', content = '', id = '', device = '', name = '', hook = ''] = marks
    const [lost = '', tag = '', term = '', reason = '', template = '', question = ''] =
      marks.slice(6)
    await db.insert(documents).values({
      ...of,
      title,
      content,
      documentType: 'article',
      includeImages: false,
      status: 'generated',
      finishedAt: new Date(),
    })
    const { transcriptionId } = of
    await db.insert(cutLists).values({ transcriptionId, act: 1, times: [4711, 4812] })
    const hidden = {
      mark: 'bar',
      muteWith: 'tone',
      status: 'made',
      finishedAt: new Date(),
    } as const
    await db.insert(hidings).values({ ...of, ...hidden, times: [4913, 5014], places: 1 })
    const money = { amountCents: 999, credits: 50, paidAt: new Date() }
    const plan = { provider: 'test', planId: 'starter', subscriptionId: id } as const
    await db.insert(payments).values({ ...money, ...plan, id, userId: other.userId })
    const { amountCents, paidAt } = money
    const paid = { amountCents, paidAt, currency: 'usd', reason: 'trial' } as const
    await db.insert(unmatched).values({ ...paid, id: lost, userId: other.userId })
    await db
      .insert(tags)
      .values({ userId: other.userId, name: tag, nameKey: tag.toLowerCase(), colour: 1 })
    const answer = { kind: 'passages', text: null, notSaid: null, quotes: [], note: null } as const
    await db
      .insert(questions)
      .values({ ...of, question, answer: { ...answer, quotes: [] }, createdAt: new Date() })
    await db.insert(documentTemplates).values({
      userId: other.userId,
      name: template,
      nameKey: template,
      instructions: 'Be short.',
      length: 'short',
      parts: [],
    })
    await other.call({ method: 'PUT', url: '/api/vocabulary', payload: { terms: [term] } })
    const link = await other.call(post(`/api/transcriptions/${other.done.id}/shares`))
    marks.push(link.json<{ id: string }>().id)
    const actId = crypto.randomUUID()
    const by = { at: paidAt, operator: 'olga@example.com', operatorName: 'Olga' }
    const act = { id: actId, ...by, kind: 'adjust', userId: other.userId, credits: 1 } as const
    await db.insert(operatorActs).values(act)
    await db.insert(operatorReasons).values({ actId, userId: other.userId, reason })
    const session = await aSession(db, { userId: other.userId, device })
    await db.update(users).set({ planType: 'enterprise' }).where(eq(users.id, other.userId))
    const { queue, clock } = server.parts
    const wish = { userId: other.userId, sessionId: session.id, name, scopes: ['read' as const] }
    await keys.make({ db, clock }, wish)
    const url = `http://127.0.0.1:65009/${hook}`
    const deps = { db, queue, clock, webhookAllow: ['127.0.0.1'] }
    await webhooks.make(deps, { userId: other.userId, proof: anyProof, url })

    const theirs = [...Object.values(other.words), ...marks, other.userId]
    const exported = async (ask: typeof call) =>
      [...filesIn((await ask('/api/account/export')).rawPayload)].flat().join('\n')
    const all = await exported(other.call)
    for (const mark of theirs.filter((one) => one !== other.words.summary))
      expect(all).toContain(mark)
    // Every room that keeps something has something of theirs.
    const { parts } = (await other.call('/api/account/data')).json<DataSize>()
    expect(parts.filter(({ files }) => files === 0)).toEqual([])
    const own = await exported(call)
    expect(own).toContain(words.text)
    for (const mark of theirs) expect(own).not.toContain(mark)
    expect((await call('/api/account/data')).json()).toEqual(alone)

    await call(del(`/api/transcriptions/${done.id}`))
    const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, done.id))
    expect(row).toMatchObject({ userId, deletedAt: expect.any(Date) })
    const left = await exported(call)
    for (const mark of [words.file, words.text, words.sound]) expect(left).not.toContain(mark)
  })

  test('names a recording that is missing on the server, and holds all the rest', async ({
    server,
    db,
  }) => {
    const { words, userId, call, done } = await aFullAccount(server)
    const missing = await anUpload(db, {
      userId,
      storageKey: crypto.randomUUID(),
      originalName: 'lost.mp3',
    })
    expect(missing.createdAt.getTime()).toBeGreaterThanOrEqual(done.createdAt.getTime())
    await server.parts.storage.remove(done.storageKey!)
    const signal = new AbortController().signal
    await server.parts.storage.write(missing.storageKey!, Readable.from(['found']), { signal })
    const files = filesIn((await call('/api/account/export')).rawPayload)
    expect(files.get('README.txt')).toContain(`recordings/${words.file}.mp3`)
    expect(files.get('README.txt')).not.toContain('lost.mp3')
    expect(files.get('recordings/lost.mp3')).toBe('found')
    expect(files.has(`recordings/${words.file}.mp3`)).toBe(false)
    expect(files.get('messages.json')).toContain(words.message)
  })

  test('names what could not be read, and holds all the rest', async ({ server, db }) => {
    const modifiedAt = new Date()
    const sizeFor = async () => ({ files: 2, sizeBytes: 2 })
    const away = () => Promise.reject(new Error('the disk is away'))
    const exporters: Exporter[] = [
      {
        name: 'words',
        sizeFor,
        async *exportFor() {
          yield { path: 'first.pdf', content: away, modifiedAt }
          yield { path: 'second.pdf', content: 'second', modifiedAt }
          throw new Error('the third is broken')
        },
      },
      {
        name: 'tags',
        sizeFor,
        async *exportFor() {
          yield { path: 'tags.json', content: '[]', modifiedAt }
        },
      },
    ]
    const rest = { erasers: [], forgetMailsTo: async () => undefined }
    const deps = { ...server.parts, db, exporters, ...rest }
    const files = filesIn(await buffer(await yourData.archive(deps, ownerOf(await aUser(db)))))
    expect([...files.keys()]).toEqual(['second.pdf', 'tags.json', 'README.txt'])
    expect(files.get('README.txt')!.split('\r\n')).toEqual([
      'These could not be read, because something broke on our side, so they are not in this archive:',
      'first.pdf',
      'words',
      '',
    ])
  })

  test('that nobody waits for any more is not written on', async ({ server, db }) => {
    const ended = Promise.withResolvers<void>()
    let written = 0
    const exporter: Exporter = {
      name: 'texts',
      sizeFor: async () => ({ files: 3, sizeBytes: 3 }),
      async *exportFor() {
        try {
          for (const path of ['a.txt', 'b.txt', 'c.txt']) {
            written += 1
            yield { path, content: '.', modifiedAt: new Date() }
          }
        } finally {
          ended.resolve()
        }
      },
    }
    const rest = { erasers: [], forgetMailsTo: async () => undefined }
    const deps = { ...server.parts, db, exporters: [exporter], ...rest }
    const archive = await yourData.archive(deps, ownerOf(await aUser(db)))
    archive.destroy()
    await ended.promise
    expect(written).toBe(1)
  })
})

const ownerOf = ({ id: userId }: { id: string }) => ({
  userId,
  sessionId: crypto.randomUUID(),
  kind: 'web' as const,
  ip: '127.0.0.1',
  device: '',
})

describe('deleting the account', () => {
  test('needs its address typed and its password', async ({ server, db }) => {
    const { call, email, user } = await signedIn(server)
    const wrongWords = await call(del('/api/account', { confirmation: 'delete', password }))
    expect(wrongWords.json()).toMatchObject({ code: 'wrong_confirmation' })
    const wrongPassword = await call(
      del('/api/account', { confirmation: email, password: 'not it at all' }),
    )
    expect(wrongPassword.json()).toMatchObject({ code: 'wrong_current_password' })
    expect(await db.select().from(users).where(eq(users.id, user.id))).toHaveLength(1)
  })

  test('leaves no word of its owner anywhere, and the ledger in balance', async ({
    server,
    db,
    database,
  }) => {
    const { words, email, userId, call } = await aFullAccount(server)
    const at = new Date()
    const invited = { id: crypto.randomUUID(), createdAt: at, expiresAt: at, usedAt: at }
    await db.insert(invitations).values({ ...invited, email, emailKey: email })
    const before = await everything(server)
    for (const word of Object.values(words)) expect(before).toContain(word)

    const answer = await call(del('/api/account', { confirmation: email.toUpperCase(), password }))
    const receipt = DeletionReceipt.parse(answer.json())
    expect(receipt.erased).toMatchObject({
      accounts: 1,
      transcriptions: 1,
      recordings: 1,
      messages: 1,
    })
    const after = await everything(server)
    for (const word of Object.values(words)) expect(after).not.toContain(word)

    expect((await call('/api/user')).statusCode).toBe(401)
    const login = await server.inject(post('/api/login', { email, password }))
    expect(login.statusCode).toBe(401)
    expect(await credits.verify(db)).toEqual([])
    expect(await credits.entries(db, { userId })).toHaveLength(1)
    const [kept] = await db
      .select()
      .from(deletionReceipts)
      .where(eq(deletionReceipts.id, receipt.id))
    expect(kept!.erased).toEqual(receipt.erased)
    expect(JSON.stringify(kept)).not.toContain(userId)
    expect((await database.pool.query('select 1 from signup_grants')).rowCount).toBeGreaterThan(0)
  })

  test('stops running work and gives its hold back', async ({ server, db }) => {
    const email = anAddress()
    const user = await aUser(db, { email, credits: 10 })
    const call = await server.as(user)
    const { id } = await anUpload(db, { userId: user.id, seconds: 600 })
    await transcribing.confirm({ ...server.parts, db }, { userId: user.id, id })
    expect(await credits.balance(db, user.id)).toEqual({ available: 7, held: 3 })
    const deleted = await call(del('/api/account', { confirmation: email }))
    expect(deleted.statusCode).toBe(200)
    expect(await credits.balance(db, user.id)).toEqual({ available: 10, held: 0 })
    expect(await credits.verify(db)).toEqual([])
    expect(await db.select().from(transcriptions).where(eq(transcriptions.id, id))).toEqual([])
  })

  test('is answered with a receipt though a step after it fails, and the others are taken', async ({
    server,
    db,
  }) => {
    const { email, user } = await signedIn(server)
    const taken: string[] = []
    const fails = async () => {
      throw new Error('the disk is away')
    }
    const receipt = await yourData.deleteAccount(
      {
        ...server.parts,
        db,
        exporters: [],
        erasers: [
          async () => ({ counts: {}, afterwards: fails }),
          async () => ({ counts: {}, afterwards: async () => void taken.push('files') }),
        ],
        forgetMailsTo: async (address) => void taken.push(address),
      },
      { ...ownerOf(user), confirmation: email, password },
    )
    expect(receipt.erased).toEqual({ accounts: 1 })
    expect(taken).toEqual(['files', email])
    expect(await db.select().from(users).where(eq(users.id, user.id))).toEqual([])
  })

  test('is done again once where the database ended it for a deadlock', async ({ server, db }) => {
    const { email, user } = await signedIn(server)
    let deadlocks = 1
    const deps = {
      ...server.parts,
      db,
      exporters: [],
      erasers: [
        async (tx: Tx) => {
          if (deadlocks-- > 0)
            await tx.execute(sql`do $$ begin raise exception using errcode = '40P01'; end $$`)
          return { counts: {} }
        },
      ],
      forgetMailsTo: async () => undefined,
    }
    const asked = { ...ownerOf(user), confirmation: email, password }
    expect((await yourData.deleteAccount(deps, asked)).erased).toEqual({ accounts: 1 })

    const other = await signedIn(server)
    deadlocks = 2
    const again = { ...ownerOf(other.user), confirmation: other.email, password }
    await expect(yourData.deleteAccount(deps, again)).rejects.toThrow('Failed query')
    expect(await db.select().from(users).where(eq(users.id, other.user.id))).toHaveLength(1)
  })

  test('twice at once ends it once', async ({ server, db }) => {
    const { call, email, user } = await signedIn(server)
    const both = await Promise.all(
      [1, 2].map(() => call(del('/api/account', { confirmation: email, password }))),
    )
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
    expect(await db.select().from(users).where(eq(users.id, user.id))).toEqual([])
  })

  test('and signing up again does not earn the credits twice', async ({ server, db }) => {
    const { email, call } = await aFullAccount(server)
    await call(del('/api/account', { confirmation: email, password }))
    const grants = await db.select().from(signupGrants)
    const inject = server.aBrowser()
    await inject(post('/api/register', { email, password, firstName: 'Ada', lastName: 'Again' }))
    const [mail] = await server.mailsTo(email, { atLeast: 1 })
    await inject(post('/api/verify-email', { token: tokenIn(mail!) }))
    const [again] = await db.select().from(users).where(eq(users.email, email))
    expect(await credits.balance(db, again!.id)).toEqual({ available: 0, held: 0 })
    expect(await db.select().from(signupGrants)).toHaveLength(grants.length)
  })
})

function changeTokenIn(text: string): string {
  const token = /[?&]change=([\w-]+)/.exec(text)?.[1]
  if (!token) throw new Error('the mail holds no link to change an address')
  return token
}
