import { eq, isNotNull } from 'drizzle-orm'
import { describe, expect, vi } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { SIGNUP_CREDITS } from '#shared/business.ts'
import { TICKET_START } from '#shared/ticket.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aSession, aUser, granted } from '#test/factories.ts'
import { type FakeGoogle, type GooglePerson, startGoogle } from '#test/fakes/google.ts'

import { type IssuerId, issuerIds, User } from './contract.ts'
import * as links from './email-links.ts'
import { issuersOf } from './openid.ts'
import { googleTrips, identities, users } from './tables.ts'

/** Both ways in at once, to the same issuer. */
const settingsOf = ({ settings, oidcSettings }: FakeGoogle) => ({ ...settings, ...oidcSettings })

const test = base.extend<{ $file: { google: FakeGoogle; server: TestApp } }>({
  google: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
    async ({}, use) => {
      const google = await startGoogle()
      await use(google)
      await google.close()
    },
    { scope: 'file' },
  ],
  server: [
    async ({ database, google }, use) => {
      const server = await anApp(database, { settings: settingsOf(google) })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
})

let next = 0
const aPerson = (name = 'person'): GooglePerson => ({ email: `${name}@g${next++}.example` })

/** A browser: keeps cookies, and sends the headers of a page of ours. */
function aBrowser(server: TestApp) {
  const inject = server.aBrowser()
  const request = (
    url: string,
    options: { method?: 'GET' | 'POST'; bearer?: string; payload?: object } = {},
  ) => {
    const { method = 'GET', bearer, payload } = options
    const headers = bearer ? { authorization: `Bearer ${bearer}` } : {}
    return inject({ method, url, headers, ...(payload && { payload }) })
  }
  return {
    jar: inject.jar,
    request,
    /** From our page to the issuer and back; answers where it ends. */
    async signIn(google: FakeGoogle, person: GooglePerson, id: IssuerId): Promise<string> {
      const left = await request(`/api/auth/${id}`)
      const back = await google.approve(String(left.headers.location), person)
      const arrived = await request(back.pathname + back.search)
      return String(arrived.headers.location)
    },
    whoAmI: () => request('/api/user'),
    redeem: (ticket: string) =>
      request('/api/auth/ticket', { method: 'POST', payload: { ticket } }),
  }
}

const password = 'quoth the raven'

const ticketIn = (location: string) =>
  new URL(location, 'http://localhost').searchParams.get('token') ?? ''

/** Google, and an issuer that is known by its name alone: one way in, the same guards. */
describe.each(issuerIds)('sign-in at %s', (via) => {
  describe('the way there and back', () => {
    test('makes an account with the names, the picture and the credits of a sign-up', async ({
      server,
      google,
      db,
    }) => {
      const browser = aBrowser(server)
      const person = { ...aPerson(), firstName: 'Grace', lastName: 'Hopper' }
      expect(await browser.signIn(google, person, via)).toBe('/auth?welcome=1')
      const me = User.parse((await browser.whoAmI()).json())
      expect(me).toMatchObject({
        email: person.email,
        firstName: 'Grace',
        lastName: 'Hopper',
        provider: via,
        credits: SIGNUP_CREDITS,
      })
      const picture = await browser.request(me.profileImageUrl!)
      expect(picture.headers['content-type']).toBe('image/png')
      const [user] = await db.select().from(users).where(eq(users.id, me.id))
      expect(user!.passwordHash).toBeNull()
      expect(user!.emailVerifiedAt).not.toBeNull()
    })

    test('leads somebody who returns to the start page with a ticket', async ({
      server,
      google,
    }) => {
      const person = aPerson()
      await aBrowser(server).signIn(google, person, via)
      const browser = aBrowser(server)
      const location = await browser.signIn(google, person, via)
      expect(location).toMatch(/^\/\?token=quoth_ticket_[\w-]{43}&auth=success(&with=oidc)?$/)
      expect(location.endsWith('&with=oidc')).toBe(via === 'oidc')
      expect((await browser.whoAmI()).json()).toMatchObject({ email: person.email })
    })

    test('finds an account by its confirmed address, which keeps its password', async ({
      server,
      google,
      db,
    }) => {
      const person = aPerson()
      const user = await aUser(db, { email: person.email, password: 'quoth the raven', credits: 7 })
      const browser = aBrowser(server)
      expect(await browser.signIn(google, person, via)).toContain('auth=success')
      expect((await browser.whoAmI()).json()).toMatchObject({ id: user.id, firstName: 'Ada' })
      const login = await server.inject({
        method: 'POST',
        url: '/api/login',
        payload: { email: person.email, password: 'quoth the raven' },
      })
      expect(login.statusCode).toBe(200)
    })

    test('knows somebody whose address at Google has changed', async ({ server, google }) => {
      const subject = `the-same-person-at-${via}`
      const before = { ...aPerson(), subject }
      const first = aBrowser(server)
      await first.signIn(google, before, via)
      const { id } = (await first.whoAmI()).json<User>()
      const second = aBrowser(server)
      await second.signIn(google, { ...aPerson(), subject }, via)
      expect((await second.whoAmI()).json()).toMatchObject({ id, email: before.email })
    })

    test('ends the session that was there before', async ({ server, google, db }) => {
      const browser = aBrowser(server)
      const person = aPerson()
      await browser.signIn(google, person, via)
      const old = browser.jar.get('quoth_session')!
      await browser.signIn(google, person, via)
      const cookie = `quoth_session=${old}`
      expect((await server.inject({ url: '/api/user', headers: { cookie } })).statusCode).toBe(401)
      expect(
        await db.select().from(identities).where(eq(identities.email, person.email)),
      ).toHaveLength(1)
    })

    test('of ten arrivals of a new person at once one makes the account', async ({
      server,
      google,
      db,
    }) => {
      const person = aPerson()
      const arrivals = await Promise.all(
        Array.from({ length: 10 }, () => aBrowser(server).signIn(google, person, via)),
      )
      expect(arrivals.filter((location) => location === '/auth?welcome=1')).toHaveLength(1)
      const found = await db.select().from(users).where(eq(users.email, person.email))
      expect(found).toHaveLength(1)
      expect(await credits.balance(db, found[0]!.id)).toMatchObject({ available: SIGNUP_CREDITS })
    })

    test('somebody who says no at Google is back where they began', async ({ server, google }) => {
      const browser = aBrowser(server)
      const left = await browser.request(`/api/auth/${via}`)
      const address = new URL(String(left.headers.location))
      address.searchParams.set('as', 'nobody')
      const denied = await fetch(address, { redirect: 'manual' })
      const back = new URL(denied.headers.get('location')!)
      const arrived = await browser.request(back.pathname + back.search)
      expect(arrived.headers.location).toBe(`/auth?error=${via}`)
      expect(google.exchanges()).toBeGreaterThan(0)
    })
  })

  describe('an address that somebody else registered first', () => {
    test('loses password, sessions, tokens and links when its owner comes from Google', async ({
      server,
      google,
      db,
    }) => {
      const person = aPerson('victim')
      const planted = await aUser(db, {
        email: person.email,
        password: 'the attackers own',
        verified: false,
      })
      const attacker = await server.as(planted)
      const now = new Date()
      const aLink = (kind: links.LinkKind) =>
        granted(db, planted.id, (tx, grant) => links.create(tx, grant, { kind, now }))
      const verify = await aLink('verify')
      const reset = await aLink('reset')

      const owner = aBrowser(server)
      expect(await owner.signIn(google, person, via)).toBe('/auth?welcome=1')
      expect((await owner.whoAmI()).json()).toMatchObject({ id: planted.id, firstName: 'Grace' })

      expect((await attacker('/api/user')).statusCode).toBe(401)
      const post = (url: string, payload: object) => server.inject({ method: 'POST', url, payload })
      const login = await post('/api/login', {
        email: person.email,
        password: 'the attackers own',
      })
      expect(login.statusCode).toBe(401)
      expect((await post('/api/verify-email', { token: verify })).statusCode).toBe(410)
      const again = { token: reset, password: 'the attackers next' }
      expect((await post('/api/reset-password', again)).statusCode).toBe(410)
    })
  })

  describe('attacks', () => {
    const refusedPeople = [
      'unverified',
      'wrong-audience',
      'two-audiences',
      'wrong-issuer',
      'wrong-nonce',
      'expired',
      'unsigned',
      'foreign-key',
      'public-key-as-secret',
      'hostile-address',
      'token-endpoint-broken',
      'only-in-user-info-of-another',
    ]
    test.for(refusedPeople)(
      'an identity that is %s signs nobody in',
      async (wish, { server, google, db }) => {
        const person = aPerson(wish)
        const browser = aBrowser(server)
        expect(await browser.signIn(google, person, via)).toBe(`/auth?error=${via}`)
        expect((await browser.whoAmI()).statusCode).toBe(401)
        expect(await db.select().from(users).where(eq(users.email, person.email))).toEqual([])
      },
    )

    test('somebody whose name at the issuer cannot be stored is refused', async ({
      server,
      google,
    }) => {
      const person = { ...aPerson(), subject: 'nobody\0at all' }
      expect(await aBrowser(server).signIn(google, person, via)).toBe(`/auth?error=${via}`)
    })

    test('a trip is good once', async ({ server, google }) => {
      const browser = aBrowser(server)
      const left = await browser.request(`/api/auth/${via}`)
      const browserCookie = browser.jar.get('quoth_google')!
      const back = await google.approve(String(left.headers.location), aPerson())
      const first = await browser.request(back.pathname + back.search)
      expect(first.headers.location).toBe('/auth?welcome=1')
      browser.jar.set('quoth_google', browserCookie)
      const again = await browser.request(back.pathname + back.search)
      expect(again.headers.location).toBe(`/auth?error=${via}`)
    })

    test('a trip ends in the browser that began it', async ({ server, google }) => {
      const attacker = aBrowser(server)
      const left = await attacker.request(`/api/auth/${via}`)
      const back = await google.approve(String(left.headers.location), aPerson('attacker'))
      const callback = back.pathname + back.search

      // A browser that never left, and one that is on a trip of its own.
      const fresh = aBrowser(server)
      expect((await fresh.request(callback)).headers.location).toBe(`/auth?error=${via}`)
      const busy = aBrowser(server)
      await busy.request(`/api/auth/${via}`)
      expect((await busy.request(callback)).headers.location).toBe(`/auth?error=${via}`)
      expect((await busy.whoAmI()).statusCode).toBe(401)
    })

    test("another trip's code is refused, because its verifier is not ours", async ({
      server,
      google,
    }) => {
      const attacker = aBrowser(server)
      const theirs = await attacker.request(`/api/auth/${via}`)
      const stolen = await google.approve(String(theirs.headers.location), aPerson('attacker'))
      const victim = aBrowser(server)
      const ours = await victim.request(`/api/auth/${via}`)
      const back = await google.approve(String(ours.headers.location), aPerson())
      back.searchParams.set('code', stolen.searchParams.get('code')!)
      const arrived = await victim.request(back.pathname + back.search)
      expect(arrived.headers.location).toBe(`/auth?error=${via}`)
      expect((await victim.whoAmI()).statusCode).toBe(401)
    })

    test('a trip that took longer than ten minutes is over', async ({ database, google }) => {
      const now = { value: new Date() }
      const late = await anApp(database, {
        settings: settingsOf(google),
        parts: { clock: () => now.value },
        works: false,
      })
      try {
        const browser = aBrowser(late)
        const left = await browser.request(`/api/auth/${via}`)
        const back = await google.approve(String(left.headers.location), aPerson())
        now.value = new Date(now.value.getTime() + 10 * 60_000 + 1)
        const arrived = await browser.request(back.pathname + back.search)
        expect(arrived.headers.location).toBe(`/auth?error=${via}`)
      } finally {
        await late.close()
      }
    })

    test('the answer never says where else to go', async ({ server }) => {
      for (const query of [
        '',
        '?state=x&code=y',
        '?error=access_denied',
        '?state=a&state=b&code=',
      ]) {
        const answer = await server.inject(`/api/auth/${via}/callback${query}`)
        expect([answer.statusCode, answer.headers.location]).toEqual([303, `/auth?error=${via}`])
      }
    })
  })

  describe('the ticket', () => {
    const aReturn = async (server: TestApp, google: FakeGoogle) => {
      const person = aPerson()
      await aBrowser(server).signIn(google, person, via)
      const browser = aBrowser(server)
      const ticket = ticketIn(await browser.signIn(google, person, via))
      return { person, browser, ticket }
    }

    test('is exchanged once for the token of the session that the cookie names', async ({
      server,
      google,
    }) => {
      const { person, browser, ticket } = await aReturn(server, google)
      const { token } = (await browser.redeem(ticket)).json<{ token: string }>()
      expect(browser.jar.get('quoth_session')).toBe(token)

      const byToken = await server.inject({
        url: '/api/user',
        headers: { authorization: `Bearer ${token}` },
      })
      expect(byToken.json()).toMatchObject({ email: person.email })
      expect((await browser.redeem(ticket)).statusCode).toBe(410)

      await browser.request('/api/logout', { method: 'POST' })
      const ended = await server.inject({
        url: '/api/user',
        headers: { authorization: `Bearer ${token}` },
      })
      expect(ended.statusCode).toBe(401)
    })

    test('is worth nothing in another browser, signed in or not', async ({
      server,
      google,
      db,
    }) => {
      const { browser, ticket } = await aReturn(server, google)
      expect((await aBrowser(server).redeem(ticket)).statusCode).toBe(401)

      const other = aBrowser(server)
      await other.signIn(google, aPerson(), via)
      expect((await other.redeem(ticket)).json()).toMatchObject({ code: 'ticket_refused' })
      const someone = await server.as(await aUser(db))
      const payload = { ticket }
      const answer = await someone({ method: 'POST', url: '/api/auth/ticket', payload })
      expect(answer.json()).toMatchObject({ code: 'ticket_refused' })
      // Who was signed in there still is, and trying it elsewhere took nothing from its owner.
      expect((await other.whoAmI()).statusCode).toBe(200)
      expect((await browser.redeem(ticket)).statusCode).toBe(200)
    })

    test('is worth nothing beside the session of somebody else in that browser', async ({
      server,
      google,
      db,
    }) => {
      const { browser, ticket } = await aReturn(server, google)
      browser.jar.set('quoth_session', await signedIn(server, await aUser(db)))
      expect((await browser.redeem(ticket)).json()).toMatchObject({ code: 'ticket_refused' })
    })

    test('is no token, and no token is a ticket', async ({ server, google }) => {
      const { browser, ticket } = await aReturn(server, google)
      for (const url of ['/api/user', '/api/transcriptions', '/api/account/export'])
        expect((await browser.request(url, { bearer: ticket })).statusCode).toBe(401)
      const token = browser.jar.get('quoth_session')!
      for (const value of [token, `${TICKET_START}${token}`, `quoth_live_${'a'.repeat(38)}`])
        expect((await browser.redeem(value)).statusCode).toBeGreaterThanOrEqual(400)
    })

    test('ends after a minute', async ({ database, google }) => {
      const now = { value: new Date() }
      const slow = await anApp(database, {
        settings: settingsOf(google),
        parts: { clock: () => now.value },
        works: false,
      })
      try {
        const { browser, ticket } = await aReturn(slow, google)
        now.value = new Date(now.value.getTime() + 61_000)
        expect((await browser.redeem(ticket)).statusCode).toBe(410)
      } finally {
        await slow.close()
      }
    })

    test('is kept as a hash only', async ({ server, google, database }) => {
      const { ticket } = await aReturn(server, google)
      const { rows } = await database.pool.query<{ all: string }>(
        `select coalesce(string_agg(t::text, ' '), '') as all from sign_in_tickets t`,
      )
      expect(rows[0]!.all).not.toBe('')
      expect(rows[0]!.all).not.toContain(ticket)
    })
  })

  describe('linking', () => {
    test('ties Google to the account that asked, whatever its address', async ({
      server,
      google,
      db,
    }) => {
      const user = await aUser(db, { password })
      const person = aPerson('elsewhere')
      const browser = aBrowser(server)
      browser.jar.set('quoth_session', await signedIn(server, user))
      const asked = await askToLink(browser, via)
      const back = await google.approve(asked.json<{ url: string }>().url, person)
      const arrived = await browser.request(back.pathname + back.search)
      expect(arrived.headers.location).toBe(`/account/security?${via}=linked`)
      const later = aBrowser(server)
      await later.signIn(google, person, via)
      expect((await later.whoAmI()).json()).toMatchObject({ id: user.id, email: user.email })
      const [mail] = await server.mailsTo(user.email, { atLeast: 1 })
      expect(mail!.text).toContain(person.email)
      expect(mail!.text).toContain('/account/security')
    })

    test('takes the password: a session alone links nothing', async ({ server, db }) => {
      for (const own of [{ password }, {}]) {
        const browser = aBrowser(server)
        browser.jar.set('quoth_session', await signedIn(server, await aUser(db, own)))
        const guessed = await askToLink(browser, via, 'not the password')
        expect([guessed.statusCode, guessed.json().code]).toEqual([403, 'wrong_current_password'])
        expect((await askToLink(browser, via, '')).statusCode).toBe(400)
      }
      const trips = await db.select().from(googleTrips).where(isNotNull(googleTrips.sessionId))
      expect(trips).toEqual([])
    })

    test('ends with the password; Google of the same address comes back by itself', async ({
      server,
      google,
      db,
    }) => {
      for (const person of [aPerson('elsewhere'), aPerson('same')]) {
        const email = person.email.startsWith('same') ? person.email : aPerson('owner').email
        const user = await aUser(db, { email, password })
        const browser = aBrowser(server)
        browser.jar.set('quoth_session', await signedIn(server, user))
        const asked = await askToLink(browser, via)
        const back = await google.approve(asked.json<{ url: string }>().url, person)
        await browser.request(back.pathname + back.search)
        const payload = { password, newPassword: 'nothing more than this' }
        await browser.request('/api/account/password', { method: 'POST', payload })
        expect(await db.$count(identities, eq(identities.userId, user.id))).toBe(0)

        const later = aBrowser(server)
        await later.signIn(google, person, via)
        const { id } = (await later.whoAmI()).json<User>()
        expect(id === user.id).toBe(email === person.email)
      }
    })

    test('a first password takes no Google away', async ({ server, google, db }) => {
      const person = aPerson()
      const browser = aBrowser(server)
      await browser.signIn(google, person, via)
      const { id } = (await browser.whoAmI()).json<User>()
      const now = new Date()
      const token = await granted(db, id, (tx, grant) =>
        links.create(tx, grant, { kind: 'reset', now }),
      )
      await browser.request('/api/reset-password', { method: 'POST', payload: { token, password } })
      expect(await db.$count(identities, eq(identities.userId, id))).toBe(1)
    })

    test('cannot be begun by a link or by another site', async ({ server, db }) => {
      const signedIn = await server.as(await aUser(db, { password }))
      expect((await signedIn(`/api/account/${via}`)).statusCode).toBe(405)
      const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const forged = await signedIn({
        method: 'POST',
        url: `/api/account/${via}`,
        payload: { password },
        headers: crossSite,
      })
      expect(forged.statusCode).toBe(403)
    })

    test('a Google that opens another account stays there', async ({ server, google, db }) => {
      const person = aPerson()
      await aBrowser(server).signIn(google, person, via)
      const browser = aBrowser(server)
      browser.jar.set('quoth_session', await signedIn(server, await aUser(db, { password })))
      const asked = await askToLink(browser, via)
      const back = await google.approve(asked.json<{ url: string }>().url, person)
      const arrived = await browser.request(back.pathname + back.search)
      expect(arrived.headers.location).toBe(`/account/security?${via}=taken`)
    })

    test('ties nothing when the session that began it has ended meanwhile', async ({
      server,
      google,
      db,
    }) => {
      const user = await aUser(db, { password })
      // Somebody else, or the same person anew.
      for (const later of [await aUser(db, { password }), user]) {
        const browser = aBrowser(server)
        browser.jar.set('quoth_session', await signedIn(server, user))
        const asked = await askToLink(browser, via)
        const back = await google.approve(asked.json<{ url: string }>().url, aPerson())
        browser.jar.set('quoth_session', await signedIn(server, later))
        const arrived = await browser.request(back.pathname + back.search)
        expect(arrived.headers.location).toBe(`/auth?error=${via}`)
        for (const { id } of [user, later])
          expect(await db.$count(identities, eq(identities.userId, id))).toBe(0)
      }
    })
  })
})

describe("the operator's own issuer", () => {
  test('says by itself where its doors are, and tells an address that it did not sign', async ({
    database,
  }) => {
    const issuer = await startGoogle()
    const settings = { ...issuer.settings, ...issuer.oidcSettings }
    const server = await anApp(database, { settings, works: false })
    try {
      const options = await server.inject('/api/auth/options')
      expect(options.json()).toMatchObject({ oidc: 'Example ID' })
      const person = aPerson('only-in-user-info')
      const browser = aBrowser(server)
      expect(await browser.signIn(issuer, person, 'oidc')).toBe('/auth?welcome=1')
      expect((await browser.whoAmI()).json()).toMatchObject({ email: person.email })
      const account = await browser.request('/api/account')
      expect(account.json<{ issuers: object[] }>().issuers).toEqual([
        { id: 'google', name: 'Google', email: null, isOffered: true },
        { id: 'oidc', name: 'Example ID', email: person.email, isOffered: true },
      ])

      // What one issuer sends back is not taken to the other.
      const left = await browser.request('/api/auth/oidc')
      const back = await issuer.approve(String(left.headers.location), person)
      const before = issuer.exchanges()
      const astray = await browser.request(`/api/auth/google/callback${back.search}`)
      expect(astray.headers.location).toBe('/auth?error=google')
      expect(issuer.exchanges()).toBe(before)
    } finally {
      await server.close()
      await issuer.close()
    }
  })

  test.for([
    ['client_secret_post'],
    ['client_secret_basic'],
    ['private_key_jwt', 'client_secret_post'],
  ])('is given the secret in a way that it takes: %s', async (methods, { database }) => {
    const issuer = await startGoogle({ methods })
    const server = await anApp(database, { settings: issuer.oidcSettings, works: false })
    try {
      const arrived = await aBrowser(server).signIn(issuer, aPerson(), 'oidc')
      expect(arrived).toBe('/auth?welcome=1')
    } finally {
      await server.close()
      await issuer.close()
    }
  })

  test('has every door behind https, or none is used', async () => {
    const issuer = 'https://id.example'
    const said = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: 'http://id.example/token',
      jwks_uri: `${issuer}/keys`,
    }
    const answer = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(said))
    const oidc = { issuer, clientId: 'quoth', clientSecret: 'secret', name: 'Example ID' }
    const there = issuersOf({ google: null, oidc }, new URL('https://quoth.example')).oidc!
    const trip = there.newTrip()
    await there.addressFor(trip)
    const back = `?${new URLSearchParams({ state: trip.state, code: 'code' }).toString()}`
    await expect(there.identify(back, trip)).rejects.toMatchObject({ code: INSECURE })
    expect(answer).toHaveBeenCalledTimes(1)
    answer.mockRestore()
  })

  test('that cannot be reached is said, and nobody is sent anywhere', async ({ database }) => {
    const issuer = await startGoogle()
    await issuer.close()
    const server = await anApp(database, { settings: issuer.oidcSettings, works: false })
    try {
      const left = await server.inject('/api/auth/oidc')
      expect([left.statusCode, left.headers.location]).toEqual([303, '/auth?error=oidc'])
    } finally {
      await server.close()
    }
  })
})

const INSECURE = 'OAUTH_HTTP_REQUEST_FORBIDDEN'

/** From a browser that is signed in. */
const askToLink = (browser: ReturnType<typeof aBrowser>, id: IssuerId, typed = password) =>
  browser.request(`/api/account/${id}`, { method: 'POST', payload: { password: typed } })

async function signedIn({ parts }: TestApp, { id: userId }: { id: string }): Promise<string> {
  return (await aSession(parts.database.db, { userId, now: parts.clock() })).token
}
