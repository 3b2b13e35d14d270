import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'

import { SIGNUP_CREDITS } from '#shared/business.ts'
import { type TestApp, anApp, tokenIn } from '#test/app.ts'
import { aSession, aUser, granted } from '#test/factories.ts'
import { testWithMails as test } from '#test/served.ts'

import { LoginAnswer, User } from './contract.ts'
import * as links from './email-links.ts'
import * as sessions from './sessions.ts'
import { isWhyShut } from './status.ts'
import { googleTrips, sessions as sessionRows } from './tables.ts'
import * as throttle from './throttle.ts'

const password = 'quoth the raven'
let nextAddress = 0
const anAddress = () => `door-${nextAddress++}@example.com`

const post = (url: string, payload: object = {}) => ({ method: 'POST', url, payload }) as const
const aPerson = (email: string) => ({ email, password, firstName: 'Ada', lastName: 'Lovett' })

function sessionCookie(answer: { cookies: { name: string; value: string }[] }) {
  return answer.cookies.find(({ name }) => name === 'quoth_session')
}

describe('from sign-up to sign-out', () => {
  test('a person signs up, confirms the address, signs in and out', async ({ server }) => {
    const inject = server.aBrowser()
    const email = anAddress()
    const registered = await inject(post('/api/register', aPerson(email)))
    expect(registered.statusCode).toBe(201)
    expect(registered.json()).toEqual({
      message: 'Account Created! Please check your email to verify your account.',
    })

    const early = await inject(post('/api/login', { email, password }))
    expect(early.statusCode).toBe(403)
    expect(early.json()).toEqual({
      message: 'Please verify your email address before signing in.',
      code: 'email_not_verified',
    })

    const [mail] = await server.mailsTo(email, { atLeast: 1 })
    expect(mail!.subject).toBe('Confirm your email for Quoth')
    expect(mail!.text).toContain('http://localhost/auth?verify=')
    const verified = await inject(post('/api/verify-email', { token: tokenIn(mail!) }))
    expect(verified.json()).toMatchObject({
      message: 'Your email is confirmed.',
      user: { email },
      next: null,
    })
    expect((await inject('/api/user')).json()).toMatchObject({ email })

    const again = await inject(post('/api/verify-email', { token: tokenIn(mail!) }))
    expect(again.statusCode).toBe(410)
    expect(again.json()).toEqual({
      message: 'This link has been used or has expired.',
      code: 'link_used',
    })

    const login = await inject(post('/api/login', { email, password }))
    expect(login.statusCode).toBe(200)
    expect(LoginAnswer.parse(login.json())).toMatchObject({
      user: { email, credits: SIGNUP_CREDITS, planType: 'starter', subscriptionStatus: 'none' },
    })
    expect(login.json()).not.toHaveProperty('token')
    const cookie = `quoth_session=${sessionCookie(login)!.value}`

    const me = await inject({ url: '/api/user', headers: { cookie } })
    expect(User.parse(me.json())).toMatchObject({ email, firstName: 'Ada', provider: 'email' })
    expect(me.headers['cache-control']).toBe('no-store')

    const logout = await inject({ ...post('/api/logout'), headers: { cookie } })
    expect(logout.json()).toEqual({ message: "You've been successfully logged out." })
    expect(sessionCookie(logout)!.value).toBe('')
    expect((await inject({ url: '/api/user', headers: { cookie } })).statusCode).toBe(401)
  })

  test('a forgotten password is replaced by a mailed link', async ({ server, db }) => {
    const { inject } = server
    const user = await aUser(db, { email: anAddress(), password: 'the forgotten one' })
    const signedIn = await server.as(user)
    const forgot = await inject(post('/api/forgot-password', { email: user.email.toUpperCase() }))
    expect(forgot.json()).toEqual({
      message: 'If an account exists, a password reset link has been sent.',
    })
    const [mail] = await server.mailsTo(user.email, { atLeast: 1 })
    expect(mail!.subject).toBe('Reset your Quoth password')
    const reset = await inject(post('/api/reset-password', { token: tokenIn(mail!), password }))
    expect(reset.json()).toEqual({ message: 'Your password is changed. Sign in with it.' })
    expect((await signedIn('/api/user')).statusCode).toBe(401)
    const login = await inject(post('/api/login', { email: user.email, password }))
    expect(login.statusCode).toBe(200)
  })

  test('signing up with a known address mails that it is known', async ({ server, db }) => {
    const user = await aUser(db, { email: anAddress(), password })
    const answer = await server.inject(post('/api/register', aPerson(user.email)))
    expect(answer.statusCode).toBe(201)
    const [mail] = await server.mailsTo(user.email, { atLeast: 1 })
    expect(mail!.subject).toBe('You already have a Quoth account')
    expect(mail!.text).not.toContain('verify=')
  })

  test('signing up again before confirming mails a link to choose the password', async ({
    server,
  }) => {
    const email = anAddress()
    await server.inject(post('/api/register', aPerson(email)))
    await server.mailsTo(email, { atLeast: 1 })
    await server.inject(post('/api/register', aPerson(email)))
    const [second] = await server.mailsTo(email, { atLeast: 2 })
    expect(second!.text).toContain('/auth?reset=')
  })

  test('nothing that a visitor typed is in a mail but their address', async ({ server }) => {
    const email = anAddress()
    const spam = 'Win http://evil.example <b>now</b>'
    const person = { ...aPerson(email), firstName: spam, lastName: spam }
    await server.inject(post('/api/register', person))
    const [mail] = await server.mailsTo(email, { atLeast: 1 })
    expect(mail!.text).not.toContain('evil')
  })
})

describe('cookies and tokens', () => {
  test('the cookie is for this site only, and out of reach of scripts', async ({ server, db }) => {
    const user = await aUser(db, { email: anAddress(), password })
    const login = await server.inject(post('/api/login', { email: user.email, password }))
    expect(login.headers['set-cookie']![0]).toMatch(
      /^quoth_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('the cookie lives on with the session, once an hour of use', async ({ server, db }) => {
    const user = await aUser(db, { email: anAddress() })
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000)
    const { token } = await aSession(db, { userId: user.id, now: twoHoursAgo })
    const headers = { cookie: `quoth_session=${token}` }
    const [first, second] = [
      await server.inject({ url: '/api/user', headers }),
      await server.inject({ url: '/api/user', headers }),
    ]
    const prolonged = { name: 'quoth_session', value: token, maxAge: 2_592_000, httpOnly: true }
    expect(first.cookies).toEqual([expect.objectContaining(prolonged)])
    expect([second.statusCode, second.cookies]).toEqual([200, []])
  })

  test('over https the cookie is bound to the host', async ({ database, db }) => {
    const server = await anApp(database, {
      settings: { PUBLIC_URL: 'https://quoth.example' },
      works: false,
    })
    const user = await aUser(db, { email: anAddress(), password })
    const login = await server.inject(post('/api/login', { email: user.email, password }))
    expect(login.headers['set-cookie']).toEqual(
      ['session', 'browser'].map((name) =>
        expect.stringMatching(
          new RegExp(`^__Host-quoth_${name}=[\\w-]{43}; .*Path=/; HttpOnly; Secure; SameSite=Lax$`),
        ),
      ),
    )
    await server.close()
  })

  test('a script asks for a token, and gets no cookie', async ({ server, db }) => {
    const user = await aUser(db, { email: anAddress(), password })
    const body = { email: user.email, password, token: true }
    const login = await server.inject(post('/api/login', body))
    expect(login.headers['set-cookie']).toBeUndefined()
    const { token } = LoginAnswer.parse(login.json())
    const bearer = { authorization: `Bearer ${token}` }
    const me = await server.app.inject({ url: '/api/user', headers: bearer })
    expect(me.json()).toMatchObject({ id: user.id })

    const asCookie = { cookie: `quoth_session=${token}` }
    expect((await server.inject({ url: '/api/user', headers: asCookie })).statusCode).toBe(401)
    // Neither while a session is looked up.
    const shown = [bearer, asCookie, bearer, asCookie, bearer, asCookie]
    const all = await Promise.all(
      shown.map((headers) => server.inject({ url: '/api/user', headers })),
    )
    expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 401, 200, 401, 200, 401])

    await server.app.inject({ method: 'POST', url: '/api/logout', headers: bearer })
    expect((await server.app.inject({ url: '/api/user', headers: bearer })).statusCode).toBe(401)
  })

  test('an Authorization header switches the cookie off', async ({ server, db }) => {
    const signedIn = await server.as(await aUser(db))
    for (const authorization of ['Bearer wrong', 'Basic YTpi', '', 'Bearer '])
      expect((await signedIn({ url: '/api/user', headers: { authorization } })).statusCode).toBe(
        401,
      )
    expect((await signedIn('/api/user')).statusCode).toBe(200)
  })

  test('a new sign-in gets a new session and ends the one it replaces', async ({ server, db }) => {
    const user = await aUser(db, { email: anAddress(), password })
    const before = await server.as(user)
    const login = await before(post('/api/login', { email: user.email, password }))
    expect(sessionCookie(login)!.value).toHaveLength(43)
    expect((await before('/api/user')).statusCode).toBe(401)
  })

  test('an ended session is over in every process at once', async ({ database, server, db }) => {
    const second = await anApp(database, { works: false })
    const user = await aUser(db, { email: anAddress(), password })
    const login = await server.inject(post('/api/login', { email: user.email, password }))
    const cookie = `quoth_session=${sessionCookie(login)!.value}`
    const seen = () => second.inject({ url: '/api/user', headers: { cookie } })
    expect((await seen()).statusCode).toBe(200)
    await server.inject({ ...post('/api/logout'), headers: { cookie } })
    expect((await seen()).statusCode).toBe(401)
    await second.close()
  })
})

describe('GET /api/logout', () => {
  test('signs out and leads to the start page', async ({ server, db }) => {
    const signedIn = await server.as(await aUser(db))
    const answer = await signedIn('/api/logout')
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/')
    expect((await signedIn('/api/user')).statusCode).toBe(401)
  })

  test.for([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])(
    'changes nothing when another site sends the browser there: %j',
    async (headers, { server, db }) => {
      const signedIn = await server.as(await aUser(db))
      const answer = await signedIn({ url: '/api/logout', headers })
      expect(answer.headers.location).toBe('/')
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect((await signedIn('/api/user')).statusCode).toBe(200)
    },
  )
})

describe('who has an account stays a secret', () => {
  /** Everything of an answer that a stranger can see, but for what differs every time. */
  const visible = ({
    statusCode,
    body,
    headers,
    cookies,
  }: Awaited<ReturnType<TestApp['inject']>>) => {
    const { 'x-request-id': _id, date: _date, 'set-cookie': _value, ...rest } = headers
    const set = cookies.map(({ value: { length }, ...attributes }) => ({ ...attributes, length }))
    return { statusCode, body, headers: rest, set }
  }

  test.for([
    ['/api/register', aPerson('')],
    ['/api/login', { password: 'a wrong password' }],
    ['/api/forgot-password', {}],
    ['/api/resend-verification', {}],
  ] as const)('%s answers the same for every address', async ([url, body], { server, db }) => {
    const known = await aUser(db, { email: anAddress(), password })
    const unverified = await aUser(db, { email: anAddress(), password, verified: false })
    const withoutPassword = await aUser(db, { email: anAddress() })
    const answers = []
    for (const email of [known.email, unverified.email, withoutPassword.email, anAddress()])
      answers.push(visible(await server.inject(post(url, { ...body, email }))))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('a mail too many is answered like the first', async ({ server, db }) => {
    const { email } = await aUser(db, { email: anAddress() })
    const answers = []
    for (let i = 0; i < 5; i++)
      answers.push(visible(await server.inject(post('/api/forgot-password', { email }))))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await server.mailsTo(email, { atLeast: 3 })).toHaveLength(3)
  })

  test('too many wrong passwords are refused alike, and say when to come back', async ({
    server,
    db,
  }) => {
    const known = await aUser(db, { email: anAddress(), password })
    for (const email of [known.email, anAddress()]) {
      const guess = () => server.inject(post('/api/login', { email, password: 'a wrong password' }))
      for (let i = 0; i < 10; i++) expect((await guess()).statusCode).toBe(401)
      const refused = await guess()
      expect(refused.statusCode).toBe(429)
      expect(refused.json()).toMatchObject({ code: 'too_many_attempts' })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    }
  })
})

describe('where strangers guess', () => {
  let offices = 0
  /** One network, with its owner and everybody else in it. */
  const anOffice = () => `198.51.102.${offices++}`
  const at = (ip: string, email: string, { typed = password, browser = '' } = {}) => ({
    ...post('/api/login', { email, password: typed }),
    remoteAddress: ip,
    headers: { cookie: `quoth_browser=${browser}` },
  })
  const browserOf = (answer: { cookies: { name: string; value: string }[] }) =>
    answer.cookies.find(({ name }) => name === 'quoth_browser')!.value
  /** Everything that the network and the account may guess in an hour is used up. */
  async function guesses({ parts }: TestApp, ip: string, email: string) {
    const { db } = parts.database
    const now = parts.clock()
    for (let n = 0; n < 60; n++)
      await throttle.guess(db, { email, ip: `203.0.113.${n}`, now }).catch(() => undefined)
    for (let n = 0; n < 101; n++)
      await throttle.guess(db, { email: `${n}@x.example`, ip, now }).catch(() => undefined)
  }

  test('an owner signs in with a browser that has done so before, a newcomer waits', async ({
    server,
    db,
  }) => {
    const office = anOffice()
    const { email } = await aUser(db, { email: anAddress(), password })
    const other = await aUser(db, { email: anAddress(), password })
    const first = await server.inject(at(office, email))
    const browser = browserOf(first)
    await guesses(server, office, email)

    const again = await server.inject(at(office, email, { browser }))
    expect(again.statusCode).toBe(200)
    // No cookie, a made-up one, one that was replaced at the next sign-in, and one of another
    // account.
    const newcomers = [
      at(office, email),
      at(office, email, { browser: 'made-up' }),
      at(office, email, { browser }),
    ]
    newcomers.push(at(office, other.email, { browser: browserOf(again) }))
    for (const newcomer of newcomers) {
      const answer = await server.inject(newcomer)
      expect([answer.statusCode, answer.json().code]).toEqual([429, 'too_many_attempts'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000)
    }
  })

  test('a known browser may guess ten times an hour, until the password changes', async ({
    server,
    db,
  }) => {
    const user = await aUser(db, { email: anAddress(), password })
    const { email } = user
    const office = anOffice()
    const browser = browserOf(await server.inject(at(office, email)))
    const now = server.parts.clock()
    const knownBy = sessions.hashOf(browser)
    for (let n = 0; n < 9; n++) await throttle.guess(db, { email, knownBy, now })
    const wrong = await server.inject(at(office, email, { browser, typed: 'a wrong password' }))
    expect(wrong.statusCode).toBe(401)
    expect((await server.inject(at(office, email, { browser }))).statusCode).toBe(429)

    const call = await server.as(user)
    const change = { password, newPassword: 'nothing more than this' }
    const changed = await call(post('/api/account/password', change))
    await guesses(server, office, email)
    const typed = change.newPassword
    expect((await server.inject(at(office, email, { browser, typed }))).statusCode).toBe(429)
    const renewed = browserOf(changed)
    expect((await server.inject(at(office, email, { browser: renewed, typed }))).statusCode).toBe(
      200,
    )
  })

  test('what others guess keeps nobody from proving a password in their session', async ({
    server,
    db,
  }) => {
    const office = anOffice()
    const user = await aUser(db, { email: anAddress(), password })
    await guesses(server, office, user.email)
    const call = await server.as(user)
    const payload = { email: anAddress(), password }
    const asked = await call({ ...post('/api/account/email', payload), remoteAddress: office })
    expect([asked.statusCode, asked.body]).toEqual([200, expect.any(String)])
  })
})

describe('who knows the password', () => {
  type From = { ip: string } | { knownBy: string }
  async function wasRightOften({ parts }: TestApp, email: string, times: number, from: From) {
    const { db } = parts.database
    const now = parts.clock()
    for (let n = 0; n < times; n++)
      await throttle.wasRight(db, await throttle.guess(db, { email, now, ...from }), now)
  }

  test('signs in thirty times an hour, and again after a new password', async ({ server, db }) => {
    const { id: userId, email } = await aUser(db, { email: anAddress(), password })
    const now = server.parts.clock()
    await wasRightOften(server, email, 29, { ip: '127.0.0.1' })
    const first = await server.inject(post('/api/login', { email, password }))
    expect(first.statusCode).toBe(200)
    // No password is looked at any more, so the answer does not tell whether it was right.
    for (const typed of [password, 'a wrong password']) {
      const refused = await server.inject(post('/api/login', { email, password: typed }))
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_sign_ins'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    }
    const { value } = first.cookies.find(({ name }) => name === 'quoth_browser')!
    const elsewhere = { remoteAddress: '198.51.103.1' }
    const known = { headers: { cookie: `quoth_browser=${value}` } }
    for (const [typed, from, status] of [
      [password, known, 200],
      ['a wrong password', elsewhere, 401],
    ] as const) {
      const login = { ...post('/api/login', { email, password: typed }), ...from }
      expect((await server.inject(login)).statusCode).toBe(status)
    }
    const token = await granted(db, userId, (tx, grant) =>
      links.create(tx, grant, { kind: 'reset', now }),
    )
    const typed = 'nothing more than this'
    await server.inject(post('/api/reset-password', { token, password: typed }))
    expect((await server.inject(post('/api/login', { email, password: typed }))).statusCode).toBe(
      200,
    )
  })

  test('proves it in their sessions thirty times an hour', async ({ server, db }) => {
    const user = await aUser(db, { email: anAddress(), password })
    const call = await server.as(user)
    await wasRightOften(server, user.email, 29, { knownBy: 'another session' })
    const address = post('/api/account/email', { email: anAddress(), password })
    expect((await call(address)).statusCode).toBe(200)
    const newPassword = 'nothing more than this'
    for (const ask of [address, post('/api/account/password', { password, newPassword })]) {
      const refused = await call(ask)
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_sign_ins'])
    }
  })

  test('has a hundred sessions at most: the one used longest ago ends', async ({ server, db }) => {
    const user = await aUser(db, { email: anAddress(), password })
    const begun = (n: number) => aSession(db, { userId: user.id, now: new Date(Date.now() - n) })
    const oldest = await begun(1_000)
    const second = await begun(999)
    for (let n = 98; n > 0; n--) await begun(n)
    const own = eq(sessionRows.userId, user.id)
    expect(await db.$count(sessionRows, own)).toBe(100)
    await server.inject(post('/api/login', { email: user.email, password }))
    const left = await db.select({ id: sessionRows.id }).from(sessionRows).where(own)
    expect(left).toHaveLength(100)
    expect(left).not.toContainEqual({ id: oldest.id })
    expect(left).toContainEqual({ id: second.id })
  })
})

describe('what was typed', () => {
  const person = aPerson('ada@example.com')
  test('an address that was copied with invisible letters is the one that is seen', async ({
    server,
    db,
  }) => {
    const user = await aUser(db, { email: anAddress(), password })
    const [name = '', domain = ''] = user.email.split('@')
    const copied = `\ufeff${name}\u200b@${domain.slice(0, 3)}\u00ad${domain.slice(3)}\u200e `
    const signIn = (email: string) => server.inject(post('/api/login', { email, password }))
    expect((await signIn(copied)).statusCode).toBe(200)
    // With a joiner it is another domain, and a stranger's.
    expect((await signIn(`${name}@exa\u200cmple.com`)).statusCode).not.toBe(200)
  })
  test.for([
    [{ ...person, email: 'ada' }, 'Please enter a valid email address'],
    [{ ...person, email: 'Ada <ada@example.com>' }, 'Please enter a valid email address'],
    [{ ...person, password: 'short' }, 'Password must be at least 8 characters long'],
    [{ ...person, firstName: ' ' }, 'First name is required'],
    [{ ...person, lastName: '' }, 'Last name is required'],
    [
      { ...person, password: 'Password1' },
      'This password is too common. Please choose another one.',
    ],
  ] as const)('%j is refused with the words of the form', async ([body, message], { server }) => {
    const answer = await server.inject(post('/api/register', body))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ message })
  })

  const nothing = ' Nothing was changed or charged.'
  test.for([
    ['/api/login', { email: 'ada@example.com', password: '' }, 'Password is required'],
    ['/api/login', { email: 'ada@example.com' }, 'Password is required'],
    ['/api/login', { password }, 'Please enter a valid email address'],
    ['/api/login', { email: null, password: 7 }, 'Please enter a valid email address'],
    ['/api/register', {}, 'Please enter a valid email address'],
    ['/api/register', { ...person, firstName: undefined }, 'First name is required'],
    ['/api/register', { ...person, lastName: 1 }, 'Last name is required'],
    [
      '/api/register',
      { ...person, password: undefined },
      'Password must be at least 8 characters long',
    ],
    ['/api/forgot-password', {}, 'Please enter a valid email address'],
    ['/api/resend-verification', { email: 'a'.repeat(400) }, 'Please enter a valid email address'],
    ['/api/reset-password', { token: 'x' }, 'Password must be at least 8 characters long'],
    // No words of a form stand for these.
    ['/api/reset-password', { password }, `The field token is missing: it takes a text.${nothing}`],
    ['/api/verify-email', {}, `The field token is missing: it takes a text.${nothing}`],
    ['/api/login', [], `The body takes an object of JSON.${nothing}`],
    ['/api/login', undefined, `The body takes an object of JSON.${nothing}`],
    [
      '/api/login',
      { email: 'ada@example.com', password, token: 'yes' },
      `The field token takes true or false.${nothing}`,
    ],
  ] as const)(
    '%s with %j is refused in a sentence',
    async ([url, payload, message], { server }) => {
      const answer = await server.inject({ method: 'POST', url, ...(payload ? { payload } : {}) })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ message, code: 'invalid_request' })
    },
  )

  test('64 characters and more, in any script, are a password', async ({ server, db }) => {
    const long = '長い合言葉 '.repeat(20)
    const user = await aUser(db, { email: anAddress(), password: long })
    const login = await server.inject(post('/api/login', { email: user.email, password: long }))
    expect(login.statusCode).toBe(200)
  })
})

describe('the options of the sign-in page', () => {
  test('mail that stays on the machine can be read there', async ({ server }) => {
    expect((await server.inject('/api/auth/options')).json()).toEqual({
      oidc: null,
      devMail: '/dev/mail',
      signUp: 'open',
    })
  })

  test.for([
    { remoteAddress: '192.0.2.1' },
    { headers: { forwarded: 'for=192.0.2.1' } },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
    { headers: { 'x-forwarded-proto': 'https' } },
    { headers: { 'x-real-ip': '192.0.2.1' } },
    { headers: { via: '1.1 proxy' } },
    { headers: { 'cf-connecting-ip': '192.0.2.1' } },
    { headers: { 'true-client-ip': '192.0.2.1' } },
  ])('a visitor from elsewhere is not told of it: %j', async (from, { server }) => {
    const options = await server.inject({ url: '/api/auth/options', ...from })
    expect(options.json()).toMatchObject({ devMail: null })
    for (const url of ['/dev/mail', '/dev/mail/any.eml'])
      expect((await server.inject({ url, ...from })).statusCode).toBe(404)
  })

  test('Google sign-in that is not set up leads back and says so', async ({ server }) => {
    const answer = await server.inject('/api/auth/google')
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/auth?error=google')
  })
})

test('the tries of one network in an hour are limited as the settings say', async ({
  database,
}) => {
  const names = ['SIGN_UPS', 'MAILS', 'MESSAGES', 'BAD_TOKENS', 'TRIPS']
  const limits = names.map((name) => [`${name}_PER_HOUR`, '1'])
  const settings = {
    PUBLIC_URL: 'https://quoth.example',
    GOOGLE_CLIENT_ID: 'quoth',
    GOOGLE_CLIENT_SECRET: 'secret',
    ...Object.fromEntries(limits),
  }
  const server = await anApp(database, { works: false, settings })
  const remoteAddress = '203.0.113.77'
  const post = (url: string, payload: object) => ({ method: 'POST', url, payload }) as const
  const email = 'somebody@example.com'
  const person = { email, password: 'quoth the raven', firstName: 'Some', lastName: 'Body' }
  const message = { name: 'x', email, type: 'general', subject: 'x', message: 'A long question.' }
  const headers = { authorization: 'Bearer nothing' }
  for (const call of [
    post('/api/register', person),
    post('/api/forgot-password', { email }),
    post('/api/contact', message),
    { url: '/api/user', headers },
  ]) {
    const statuses: number[] = []
    for (let n = 0; n < 2; n++)
      statuses.push((await server.inject({ ...call, remoteAddress })).statusCode)
    expect([call.url, statuses[0] === 429, statuses[1]]).toEqual([call.url, false, 429])
  }
  // A way of the browser is led back to the page of signing in, and leaves no trip behind.
  const leave = () => server.inject({ url: '/api/auth/google', remoteAddress })
  expect((await leave()).headers.location).toMatch(/^https:\/\/accounts.google.com\//)
  expect((await leave()).headers.location).toBe('/auth?error=too_many_attempts')
  expect(await server.parts.database.db.$count(googleTrips)).toBe(1)
  // Also of too many at once, and the page has words for it.
  const many = await Promise.all(Array.from({ length: 600 }, leave))
  const why = new Set(many.map(({ headers }) => headers.location!.replace('/auth?error=', '')))
  expect([...why].toSorted()).toEqual(['too_many_attempts', 'too_much_at_once'])
  for (const code of why) expect(isWhyShut(code)).toBe(true)
  await server.close()
})
