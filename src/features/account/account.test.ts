import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import type { Db, Tx } from '#server/db.ts'
import type { JobKind, Queue } from '#server/queue.ts'
import { attempts } from '#server/tables.ts'
import { SIGNUP_CREDITS } from '#shared/business.ts'
import type { RefusalCode } from '#shared/refusals.ts'
import { test } from '#test/database.ts'
import { aSession, aUser, granted } from '#test/factories.ts'

import * as account from './account.ts'
import * as links from './email-links.ts'
import * as knownBrowsers from './known-browsers.ts'
import * as sessions from './sessions.ts'
import { emailLinks, sessions as sessionRows, users } from './tables.ts'
import * as throttle from './throttle.ts'

const password = 'quoth the raven'
const ip = '203.0.113.7'
/** The machine that the server runs on. */
const here = '127.0.0.1'
const device = 'Firefox on Linux'

/** The queue as account sees it, with the jobs it was given. */
function deps(db: Db, { now = { value: new Date() }, isLocal = true } = {}) {
  const jobs: object[] = []
  const queue: Pick<Queue, 'add'> = {
    async add(_tx: Tx, _kind: JobKind, data: object) {
      jobs.push(data)
      return String(jobs.length)
    },
  }
  const revoke = async () => undefined
  const signUp = 'open' as const
  return { db, queue: queue as Queue, clock: () => now.value, isLocal, signUp, revoke, jobs, now }
}

const aPerson = (email: string) => ({
  email,
  password,
  firstName: 'Ada',
  lastName: 'Lovett',
  ip: here,
})

let nextAddress = 0
const anAddress = () => `person-${nextAddress++}@example.com`

async function aLink(db: Db, userId: string, kind: links.LinkKind, now = new Date()) {
  return granted(db, userId, (tx, grant) => links.create(tx, grant, { kind, now }))
}

/** A click on a mailed link, in the browser that registered unless it says otherwise. */
const click = (
  room: Pick<account.Deps, 'db' | 'clock'>,
  token: string,
  { browser = 'own', password }: { browser?: string; password?: string } = {},
) => account.verifyEmail(room, { token, registration: browser, password, ip, device })

const refused = (code: RefusalCode) => expect.objectContaining({ code })

describe('signing up', () => {
  test('makes an account that waits for its address to be confirmed', async ({ db }) => {
    const room = deps(db)
    const email = 'Ada.Lovett@Example.com'
    await account.register(room, aPerson(email))
    const [user] = await db.select().from(users).where(eq(users.emailKey, email.toLowerCase()))
    expect(user).toMatchObject({ email, emailVerifiedAt: null, planType: 'starter' })
    expect(user!.passwordHash).toMatch(/^\$argon2id\$/)
    expect(room.jobs).toEqual([{ userId: user!.id, kind: 'verify' }])
  })

  test('with the address of an account changes nothing and mails that it exists', async ({
    db,
  }) => {
    const room = deps(db)
    const user = await aUser(db, { email: anAddress(), password })
    await account.register(room, {
      ...aPerson(user.email.toUpperCase()),
      password: 'an attacker chose this',
      firstName: 'Mallory',
    })
    expect(await db.select().from(users).where(eq(users.id, user.id))).toEqual([user])
    expect(room.jobs).toEqual([{ userId: user.id, kind: 'already-registered' }])
  })

  test('twice before the address is confirmed leaves no password of either', async ({ db }) => {
    const room = deps(db)
    const email = anAddress()
    const first = { email, password: 'the attacker was first', ip: here, device }
    const second = { email, password: 'the owner came later', ip: here, device }
    const browsers: string[] = []
    for (const { password } of [first, second])
      browsers.push((await account.register(room, { ...aPerson(email), password })).browser)
    const [user] = await db.select().from(users).where(eq(users.emailKey, email))
    expect(room.jobs.at(-1)).toEqual({ userId: user!.id, kind: 'already-registered' })

    // Nor is the browser of either good enough for a link that was mailed.
    const token = await aLink(db, user!.id, 'verify')
    for (const browser of browsers)
      await expect(click(room, token, { browser })).rejects.toEqual(refused('password_needed'))
    await expect(click(room, token, first)).rejects.toEqual(refused('wrong_chosen_password'))
    await expect(account.login(room, first)).rejects.toEqual(refused('wrong_password'))
    await expect(account.login(room, second)).rejects.toEqual(refused('wrong_password'))
    await account.resetPassword(room, { token: await aLink(db, user!.id, 'reset'), password })
    await account.login(room, { ...second, password })
  })

  test('a sixth time within an hour from one network address is refused', async ({ db }) => {
    const room = deps(db)
    const from = (ip: string) => account.register(room, { ...aPerson(anAddress()), ip })
    for (let i = 0; i < 5; i++) await from('2001:db8:0:1::5')
    await expect(from('2001:db8:0:1:ffff::9')).rejects.toEqual(refused('too_many_attempts'))
    await from('2001:db8:0:2::5')
    room.now.value = new Date(room.now.value.getTime() + 61 * 60_000)
    await from('2001:db8:0:1::5')
  })

  test('the machine itself may sign up as many people as it likes', async ({ db }) => {
    const room = deps(db)
    for (let i = 0; i < 7; i++)
      await account.register(room, { ...aPerson(anAddress()), ip: '::ffff:127.0.0.1' })
  })

  test('behind a proxy on the machine, its address counts like any other', async ({ db }) => {
    const room = deps(db, { isLocal: false })
    const signUp = () => account.register(room, aPerson(anAddress()))
    for (let i = 0; i < 5; i++) await signUp()
    await expect(signUp()).rejects.toEqual(refused('too_many_attempts'))
  })
})

describe('confirming an address', () => {
  const unconfirmed = (email = anAddress()) => ({ verified: false, email, browser: 'own' })

  test('grants the credits of a sign-up', async ({ db }) => {
    const user = await aUser(db, unconfirmed())
    const token = await aLink(db, user.id, 'verify')
    const { email } = user
    expect(await click(deps(db), token)).toMatchObject({ user: { email }, next: null })
    expect(await credits.balance(db, user.id)).toEqual({ available: SIGNUP_CREDITS, held: 0 })
  })

  test('of 100 clicks at once one counts, and the credits are granted once', async ({ db }) => {
    const user = await aUser(db, unconfirmed())
    const token = await aLink(db, user.id, 'verify')
    const clicks = await Promise.allSettled(
      Array.from({ length: 100 }, () => click(deps(db), token)),
    )
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const click of clicks)
      if (click.status === 'rejected') expect(click.reason).toEqual(refused('link_used'))
    expect(await credits.entries(db, { userId: user.id })).toHaveLength(1)
  })

  test('two spellings of one mailbox share one grant', async ({ db }) => {
    const spellings = ['farm.er@gmail.com', 'farmer+1@gmail.com', 'far.mer+2@googlemail.com']
    const people = await Promise.all(spellings.map((email) => aUser(db, unconfirmed(email))))
    await Promise.all(people.map(async ({ id }) => click(deps(db), await aLink(db, id, 'verify'))))
    const balances = await Promise.all(people.map(({ id }) => credits.balance(db, id)))
    expect(balances.map(({ available }) => available).sort()).toEqual([0, 0, SIGNUP_CREDITS])
  })

  test('a link ends after 24 hours', async ({ db }) => {
    const room = deps(db)
    const user = await aUser(db, unconfirmed())
    const token = await aLink(db, user.id, 'verify')
    room.now.value = new Date(Date.now() + 24 * 3_600_000 + 1000)
    await expect(click(room, token)).rejects.toEqual(refused('link_used'))
  })

  test('a newer link ends the older ones', async ({ db }) => {
    const user = await aUser(db, unconfirmed())
    const older = await aLink(db, user.id, 'verify', new Date(Date.now() - 1000))
    const now = new Date()
    const newer = await aLink(db, user.id, 'verify', now)
    const reset = await aLink(db, user.id, 'reset', new Date(Date.now() - 1000))
    await links.endOlder(db, { userId: user.id, kind: 'verify', token: newer, now })
    await expect(click(deps(db), older)).rejects.toEqual(refused('link_used'))
    await click(deps(db), newer)
    expect(await links.find(db, { token: reset, kinds: ['reset'], now })).not.toBeNull()
  })

  test('two mails sent at once leave exactly one good link', async ({ db }) => {
    const { id: userId } = await aUser(db, unconfirmed())
    const now = new Date()
    const tokens = [await aLink(db, userId, 'reset', now), await aLink(db, userId, 'reset', now)]
    for (const token of tokens) await links.endOlder(db, { userId, kind: 'reset', token, now })
    const found = await Promise.all(
      tokens.map((token) => links.find(db, { token, kinds: ['reset'], now })),
    )
    expect(found.filter(Boolean)).toMatchObject([{ userId, kind: 'reset' }])
  })

  test('a link to choose a password confirms nothing, and the reverse', async ({ db }) => {
    const { id } = await aUser(db, unconfirmed())
    const reset = await aLink(db, id, 'reset')
    const verify = await aLink(db, id, 'verify')
    await expect(click(deps(db), reset)).rejects.toEqual(refused('link_used'))
    await expect(account.resetPassword(deps(db), { token: verify, password })).rejects.toEqual(
      refused('link_used'),
    )
  })

  test('in the browser that registered signs in, and leads where they were bound', async ({
    db,
  }) => {
    const room = deps(db)
    const email = anAddress()
    const next = '/subscribe?plan=professional'
    const { browser } = await account.register(room, { ...aPerson(email), next })
    const [{ id: userId } = { id: '' }] = await db
      .select()
      .from(users)
      .where(eq(users.email, email))
    const link = await aLink(db, userId, 'verify')
    const { token, ...answer } = await click(room, link, { browser })
    expect(answer).toMatchObject({ user: { id: userId }, next })
    const now = new Date()
    expect(await sessions.find(db, { token, kinds: ['web'], now })).toMatchObject({ userId })

    // From then on the browser is one like any other.
    const [confirmed] = await db.select().from(users).where(eq(users.id, userId))
    expect(confirmed).toMatchObject({ browserHash: null, next: null })
    const newer = await aLink(db, userId, 'verify')
    await expect(click(room, newer, { browser })).rejects.toEqual(refused('password_needed'))
  })

  test('elsewhere takes the password, and the link stays good until then', async ({ db }) => {
    const user = await aUser(db, { ...unconfirmed(), password })
    const token = await aLink(db, user.id, 'verify')
    const elsewhere = (fields: { password?: string } = {}) =>
      click(deps(db), token, { browser: 'another', ...fields })
    await expect(elsewhere()).rejects.toEqual(refused('password_needed'))
    const wrong = elsewhere({ password: 'the wrong one' })
    await expect(wrong).rejects.toEqual(refused('wrong_chosen_password'))
    const [unchanged] = await db.select().from(users).where(eq(users.id, user.id))
    expect(unchanged).toEqual(user)
    expect(await elsewhere({ password })).toMatchObject({ user: { id: user.id } })
  })

  test('passwords are guessed there no more often than when signing in', async ({ db }) => {
    const user = await aUser(db, unconfirmed())
    const token = await aLink(db, user.id, 'verify')
    const guess = () => click(deps(db), token, { browser: 'another', password: 'a guess' })
    for (let n = 0; n < 10; n++)
      await expect(guess()).rejects.toEqual(refused('wrong_chosen_password'))
    await expect(guess()).rejects.toEqual(refused('too_many_attempts'))
  })

  test('does not make good a password that a stranger chose for an address of somebody else', async ({
    db,
  }) => {
    const room = deps(db)
    const email = anAddress()
    const theirs = { email, password: 'the attacker was first', ip, device }
    await account.register(room, { ...aPerson(email), password: theirs.password })
    // The owner asks for the mail again, and opens it.
    await account.resendVerification(room, { email, ip: here })
    const [{ id } = { id: '' }] = await db.select().from(users).where(eq(users.email, email))
    const opened = click(room, await aLink(db, id, 'verify'), { browser: "the owner's" })
    await expect(opened).rejects.toEqual(refused('password_needed'))
    await expect(account.login(room, theirs)).rejects.toEqual(refused('email_not_verified'))

    await account.resetPassword(room, { token: await aLink(db, id, 'reset'), password })
    await expect(account.login(room, theirs)).rejects.toEqual(refused('wrong_password'))
    await account.login(room, { ...theirs, password })
  })

  test('loses to a second registration of the same moment', async ({ db }) => {
    const room = deps(db)
    for (let round = 0; round < 4; round++) {
      const email = anAddress()
      const { browser } = await account.register(room, aPerson(email))
      const [{ id } = { id: '' }] = await db.select().from(users).where(eq(users.email, email))
      const link = await aLink(db, id, 'verify')
      const [clicked] = await Promise.allSettled([
        click(room, link, { browser }),
        account.register(room, { ...aPerson(email), password: 'the attacker came later' }),
      ])
      const [user] = await db.select().from(users).where(eq(users.id, id))
      // Confirmed first, and then nothing of it is forgotten; or forgotten first, and not confirmed.
      const isConfirmed = user!.emailVerifiedAt !== null
      expect([clicked.status === 'fulfilled', user!.passwordHash !== null]).toEqual([
        isConfirmed,
        isConfirmed,
      ])
    }
  })
})

describe('choosing a new password', () => {
  test('ends every session and leaves the new password as the only one', async ({ db }) => {
    const user = await aUser(db, { password: 'the old password of ada', email: anAddress() })
    for (const kind of ['web', 'web', 'token'] as const)
      await aSession(db, { userId: user.id, kind })
    await account.resetPassword(deps(db), { token: await aLink(db, user.id, 'reset'), password })

    expect(await db.select().from(sessionRows).where(eq(sessionRows.userId, user.id))).toEqual([])
    const { email } = user
    await expect(
      account.login(deps(db), { email, password: 'the old password of ada', ip, device }),
    ).rejects.toEqual(refused('wrong_password'))
    expect(await account.login(deps(db), { email, password, ip, device })).toMatchObject({
      kind: 'web',
    })
  })

  test('leaves no browser known in which the old one was typed', async ({ db }) => {
    const user = await aUser(db, { password: 'the old password of ada', email: anAddress() })
    const now = new Date()
    const browser = await granted(db, user.id, (tx, grant) =>
      knownBrowsers.remember(tx, grant, { known: null, now }),
    )
    const shown = { email: user.email, token: browser, now }
    expect(await knownBrowsers.find(db, shown)).not.toBeNull()
    await account.resetPassword(deps(db), { token: await aLink(db, user.id, 'reset'), password })
    expect(await knownBrowsers.find(db, shown)).toBeNull()
  })

  test('of 50 clicks at once one counts', async ({ db }) => {
    const user = await aUser(db, { email: anAddress() })
    const token = await aLink(db, user.id, 'reset')
    const clicks = await Promise.allSettled(
      Array.from({ length: 50 }, () => account.resetPassword(deps(db), { token, password })),
    )
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('confirms the address that the link was mailed to', async ({ db }) => {
    const user = await aUser(db, { verified: false, email: anAddress() })
    await account.resetPassword(deps(db), { token: await aLink(db, user.id, 'reset'), password })
    expect(await account.get(db, user.id)).toMatchObject({ credits: SIGNUP_CREDITS })
  })

  test('a link ends after 15 minutes', async ({ db }) => {
    const room = deps(db)
    const user = await aUser(db, { email: anAddress() })
    const token = await aLink(db, user.id, 'reset')
    room.now.value = new Date(Date.now() + 15 * 60_000 + 1000)
    await expect(account.resetPassword(room, { token, password })).rejects.toEqual(
      refused('link_used'),
    )
  })

  test('a common password is refused and the link stays good', async ({ db }) => {
    const user = await aUser(db, { email: anAddress() })
    const token = await aLink(db, user.id, 'reset')
    await expect(account.resetPassword(deps(db), { token, password: 'password1' })).rejects.toEqual(
      refused('common_password'),
    )
    await account.resetPassword(deps(db), { token, password })
  })

  test('links and sessions are kept as hashes only', async ({ db }) => {
    const user = await aUser(db, { email: anAddress() })
    const link = await aLink(db, user.id, 'reset')
    const { token: session } = await aSession(db, { userId: user.id })
    const kept = JSON.stringify([
      await db.select().from(emailLinks),
      await db.select().from(sessionRows),
    ])
    for (const token of [link, session]) {
      expect(Buffer.from(token, 'base64url')).toHaveLength(32)
      expect(kept).not.toContain(token)
    }
  })
})

describe('mails', () => {
  test('of one kind to one address are at most three an hour, known or not', async ({ db }) => {
    const room = deps(db)
    const known = await aUser(db, { verified: false, email: anAddress() })
    for (const email of [known.email, anAddress()]) {
      room.jobs.length = 0
      await Promise.all(
        Array.from({ length: 30 }, () => account.resendVerification(room, { email, ip: here })),
      )
      expect(room.jobs).toHaveLength(3)
    }
    room.now.value = new Date(room.now.value.getTime() + 61 * 60_000)
    room.jobs.length = 0
    await account.resendVerification(room, { email: known.email, ip: here })
    expect(room.jobs).toEqual([{ userId: known.id, kind: 'verify' }])
  })

  test('of one kind do not use up those of another', async ({ db }) => {
    const room = deps(db)
    const email = anAddress()
    for (let i = 0; i < 4; i++) {
      await account.resendVerification(room, { email, ip: here })
      await account.forgotPassword(room, { email, ip: here })
    }
    expect(room.jobs).toHaveLength(6)
    // What a stranger asked for before must not keep the first mail from who signs up now.
    await account.register(room, aPerson(email))
    expect(room.jobs.at(-1)).toMatchObject({ kind: 'verify' })
    for (let i = 0; i < 4; i++) await account.register(room, aPerson(email))
    expect(room.jobs.filter((job) => Reflect.get(job, 'kind') !== 'reset')).toHaveLength(3 + 3)
  })

  test('asked for from one network are at most twenty an hour, for whomever', async ({ db }) => {
    const room = deps(db, { isLocal: false })
    const network = '2001:db8:0:77::'
    const known = await aUser(db, { email: anAddress() })
    for (let i = 0; i < 10; i++) {
      await account.resendVerification(room, { email: anAddress(), ip: `${network}${i}` })
      await account.forgotPassword(room, { email: anAddress(), ip: `${network}${i}` })
    }
    const rows = await db.select().from(attempts)
    for (const email of [known.email, anAddress()])
      for (const ask of [account.resendVerification, account.forgotPassword])
        await expect(ask(room, { email, ip: `${network}99` })).rejects.toMatchObject({
          code: 'too_many_attempts',
          retryAfterSeconds: 3600,
        })
    // What was refused leaves nothing behind.
    expect(await db.select().from(attempts)).toHaveLength(rows.length)
    expect(room.jobs).toHaveLength(20)
    await account.forgotPassword(room, { email: known.email, ip: '2001:db8:0:78::1' })
    expect(room.jobs.at(-1)).toEqual({ userId: known.id, kind: 'reset' })
  })

  test('asked for from the machine itself are not counted by network', async ({ db }) => {
    const room = deps(db)
    for (let i = 0; i < 22; i++)
      await account.forgotPassword(room, { email: anAddress(), ip: here })
    expect(room.jobs).toHaveLength(22)
  })

  test('for an address without an account are jobs for nobody', async ({ db }) => {
    const room = deps(db)
    await account.forgotPassword(room, { email: anAddress(), ip: here })
    await account.resendVerification(room, { email: anAddress(), ip: here })
    const confirmed = await aUser(db, { email: anAddress() })
    await account.resendVerification(room, { email: confirmed.email, ip: here })
    const ids = (await db.select({ id: users.id }).from(users)).map(({ id }) => id)
    expect(room.jobs).toHaveLength(3)
    for (const job of room.jobs) expect(ids).not.toContain(Reflect.get(job, 'userId'))
  })
})

describe('guessing', () => {
  const guessed = async (db: Db, email: string, from: string, now = new Date()) =>
    throttle.guess(db, { email, ip: from, now }).then(
      () => true,
      () => false,
    )

  test('400 tries from 50 addresses at one account: at most 100 are looked at', async ({ db }) => {
    const email = anAddress()
    let evaluated = 0
    for (let i = 0; i < 400; i++) {
      if (await guessed(db, email, `198.51.100.${i < 200 ? i % 50 : i % 7}`)) evaluated++
    }
    expect(evaluated).toBeGreaterThan(20)
    expect(evaluated).toBeLessThanOrEqual(100)
    // The owner, from an address that has not guessed, is heard.
    expect(await guessed(db, email, '192.0.2.1')).toBe(true)
  })

  test('tries made at the same moment are all counted', async ({ db }) => {
    const email = anAddress()
    const tries = await Promise.all(
      Array.from({ length: 40 }, () => guessed(db, email, '198.51.100.201')),
    )
    expect(tries.filter(Boolean)).toHaveLength(10)
  })

  test('says when another try makes sense, and then it does', async ({ db }) => {
    const email = anAddress()
    const start = new Date()
    for (let i = 0; i < 10; i++) await guessed(db, email, '198.51.100.202', start)
    const later = new Date(start.getTime() + 50 * 60_000)
    const refusal: unknown = await throttle
      .guess(db, { email, ip: '198.51.100.202', now: later })
      .catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'too_many_attempts', retryAfterSeconds: 600 })
    const then = new Date(later.getTime() + 601_000)
    expect(await guessed(db, email, '198.51.100.202', then)).toBe(true)
  })

  test('a right password is not a guess', async ({ db }) => {
    const user = await aUser(db, { password, email: anAddress() })
    for (let i = 0; i < 12; i++)
      await account.login(deps(db), { email: user.email, password, ip: '198.51.100.203', device })
  })

  test('a new password lets the owner in again', async ({ db }) => {
    const user = await aUser(db, { email: anAddress() })
    for (let i = 0; i < 10; i++) await guessed(db, user.email, ip)
    expect(await guessed(db, user.email, ip)).toBe(false)
    await account.resetPassword(deps(db), { token: await aLink(db, user.id, 'reset'), password })
    await account.login(deps(db), { email: user.email, password, ip, device })
  })
})

describe('sessions', () => {
  test('live 30 days from their last use', async ({ db }) => {
    const day = 24 * 3_600_000
    const start = Date.now()
    const { id: userId } = await aUser(db, { email: anAddress() })
    const { token } = await aSession(db, { userId, now: new Date(start) })
    const at = (days: number) =>
      sessions.find(db, { token, kinds: ['web'], now: new Date(start + days * day) })
    expect(await at(29)).toMatchObject({ userId, isProlonged: true })
    expect(await at(58)).toMatchObject({ userId })
    expect(await at(89)).toBeNull()
  })

  test('end long before their browser is unknown, which it is after 400 days', async ({ db }) => {
    const { id: userId, email } = await aUser(db, { email: anAddress() })
    const now = new Date()
    const token = await granted(db, userId, (tx, grant) =>
      knownBrowsers.remember(tx, grant, { known: null, now }),
    )
    const findAfter = (days: number) =>
      knownBrowsers.find(db, { email, token, now: new Date(now.getTime() + days * 86_400_000) })
    expect(await findAfter(399)).not.toBeNull()
    expect(await findAfter(400)).toBeNull()
  })

  test('what time has made useless is removed', async ({ db }) => {
    const room = deps(db)
    const { id: userId } = await aUser(db, { email: anAddress() })
    await aSession(db, { userId })
    await aLink(db, userId, 'verify')
    const after = async (days: number) => {
      room.now.value = new Date(Date.now() + days * 24 * 3_600_000)
      await account.tidyUp(room)
    }
    await after(29)
    expect(await db.$count(sessionRows, eq(sessionRows.userId, userId))).toBe(1)
    await after(200)
    for (const table of [attempts, sessionRows, emailLinks])
      expect(await db.select().from(table)).toEqual([])
  })

  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    ['curl/8.5.0', 'Unknown device'],
  ])('%s is remembered as %s', (userAgent, words) => {
    expect(sessions.deviceOf(userAgent)).toBe(words)
  })
})
