/**
 * Signing in through Google and an issuer of the operator's, and documents in somebody's own Google
 * Docs, in a real browser, against stand-ins that speak the same protocols.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Page, expect, test as base } from '@playwright/test'

import { Client, mailedToken } from '../test/client.ts'
import { type GoogleDocsFake, googleDocsFake } from '../test/fakes/google-docs.ts'
import { type FakeGoogle, startGoogle } from '../test/fakes/google.ts'
import { isLong, times } from '../test/long.ts'
import { type RunningServer, freePort, startServer } from '../test/server.ts'
import {
  PASSWORD,
  expectEachAccessible,
  openSampleToGenerate,
  orderDocument,
  haveDocuments,
  toast,
} from './steps.ts'

interface World {
  dataDir: string
  docs: GoogleDocsFake
  google: FakeGoogle
  server: RunningServer
}

const test = base.extend<object, { world: World }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that it needs nothing
    async ({}, use) => {
      const google = await startGoogle()
      const docs = await googleDocsFake(google)
      const dataDir = await mkdtemp(join(tmpdir(), 'quoth-google-'))
      const port = await freePort()
      const publicUrl = `http://localhost:${port}`
      const settings = { ...docs.settings, ...google.oidcSettings, PUBLIC_URL: publicUrl }
      const server = await startServer({ dataDir, port, settings })
      const before = process.env['E2E_DATA_DIR']
      // Mails of this server lie in its own folder.
      process.env['E2E_DATA_DIR'] = dataDir
      await use({ dataDir, docs, google, server })
      process.env['E2E_DATA_DIR'] = before
      await server.stop()
      await docs.close()
      await google.close()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ world }, hand) => {
    await hand(world.server.url)
  },
})

function aPerson({ google }: World, name = 'grace') {
  const person = { email: `${name}-${randomUUID()}@example.com` }
  google.people.splice(0, google.people.length, person)
  return person
}

async function continueWithGoogle(page: Page, email: string, from = '/auth'): Promise<void> {
  await page.goto(from)
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByRole('link', { name: `Continue as ${email}` }).click()
}

const dashboard = (page: Page) => page.getByRole('heading', { name: 'Transcribe a recording' })

test('somebody new is welcome, and comes back by a ticket that leaves the address at once', async ({
  page,
  world,
}) => {
  const { email } = aPerson(world)
  // As from the page of prices: the plan that was chosen survives.
  const bound = '/subscribe?plan=professional'
  await continueWithGoogle(page, email, `/auth?mode=register&next=${encodeURIComponent(bound)}`)
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await expect(page).toHaveURL(bound)
  await expect(toast(page, 'Welcome to Quoth!')).toBeVisible()
  await page.goto('/home')
  await expect(page.getByRole('banner').getByText('10 credits').first()).toBeVisible()
  await expect(page.getByRole('banner').locator('img[src^="/api/account/picture"]')).toBeVisible()
  await page.context().clearCookies()
  await page.evaluate('localStorage.clear()')

  const requests: string[] = []
  page.on('request', (request) => {
    const { referer = '' } = request.headers()
    requests.push(`${request.url()} from ${referer}`)
  })
  await continueWithGoogle(page, email)
  await expect(dashboard(page)).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  const token = await page.evaluate<string | null>("localStorage.getItem('auth_token')")
  expect(token).toMatch(/^[\w-]{43}$/)

  // The ticket was in the address of one page load, and of nothing that this page asked for.
  const withTicket = requests.filter((line) => line.includes('auth=success'))
  expect(withTicket).toHaveLength(1)
  const ticket = /token=([\w-]+)/.exec(withTicket[0]!)![1]!
  expect(ticket).not.toBe(token)
  expect(world.server.output()).not.toContain(ticket)
  expect(world.server.output()).not.toContain(token!)
  const own = new URL(world.server.url).origin
  const foreign = requests.filter((line) => !line.startsWith(own) && !line.includes('/authorize'))
  expect(foreign).toEqual([])
})

/** Links that an attacker could send: each holds a valid ticket, token or code of their account. */
async function lures({ server: { url }, google, dataDir }: World): Promise<[string, string][]> {
  const email = `attacker-${randomUUID()}@example.com`
  const attacker = new Client(url)
  await attacker.signUp({ email, dataDir })
  const plan = { planId: 'enterprise', amount: 49.99, description: 'Enterprise subscription' }
  const asked = await attacker.expect('POST', '/api/create-payment-intent', plan)
  const { sessionId } = asked as { sessionId: string }
  await attacker.call('POST', `/dev/checkout/${sessionId}/pay`)
  await attacker.expect('POST', '/api/subscription-success', { ...plan, sessionId })

  const login = async (fields: object) => {
    const browser = new Client(url)
    const answer = await browser.expect('POST', '/api/login', {
      email,
      password: PASSWORD,
      ...fields,
    })
    return { browser, answer }
  }
  const kinds: Record<string, () => Promise<unknown>> = {
    'session token': async () => (await login({})).browser.cookie('quoth_session'),
    'API key': async () => {
      const wish = { name: 'lure', scopes: ['read', 'write'], expiresInDays: null }
      return ((await attacker.expect('POST', '/api/keys', wish)) as { key: string }).key
    },
    'sign-in token': async () => ((await login({ token: true })).answer as { token: string }).token,
    'ticket of another browser': async () => {
      const browser = new Client(url)
      const left = await browser.call('GET', '/api/auth/google')
      const back = await google.approve(left.headers.get('location')!, { email })
      const arrived = await browser.call('GET', back.pathname + back.search)
      const end = new URL(arrived.headers.get('location')!, url)
      expect(end.searchParams.get('auth')).toBe('success')
      return end.searchParams.get('token')
    },
    garbage: async () => `"><script>${randomUUID()}</script>`,
  }
  const values: [string, string][] = []
  for (const [kind, make] of Object.entries(kinds))
    for (let n = 0; n < times(1, 2); n++) values.push([kind, String(await make())])
  return values
}

if (isLong)
  test("a stranger's link signs nobody in, whatever its token, and says that it did not", async ({
    page,
    world,
    browser,
  }) => {
    const victim = aPerson(world, 'victim')
    await continueWithGoogle(page, victim.email)
    await expect(dashboard(page)).toBeVisible()
    const nobody = await browser.newContext({ baseURL: world.server.url })
    const visitors = [
      { tab: page, email: victim.email },
      { tab: await nobody.newPage(), email: null },
    ]
    const links = await lures(world)
    const wrong: string[] = []
    for (const [n, [kind, value]] of links.entries())
      // One of the two opens it, on a page of each kind; in the long run both do.
      for (const { tab, email } of isLong ? visitors : [visitors[(n >> 1) % 2]!]) {
        // A page without the app, and one with it.
        const path = n % 2 === 0 ? '/' : '/home'
        const [name, via] = n === 0 ? ['Example ID', { with: 'oidc' }] : ['Google', {}]
        const query = new URLSearchParams({ token: value, auth: 'success', ...via })
        await tab.goto(`${path}?${query.toString()}`)
        await expect(tab.getByText(`${name} Sign-In Error`).first()).toBeVisible()
        const { search, kept, who } = await tab.evaluate<Seen>(seen)
        const isAsBefore = kept === null && who === email && !search.includes('token')
        if (!isAsBefore) wrong.push(`${kind} at ${path}, ${email ?? 'nobody'}: ${who ?? 'nobody'}`)
      }
    expect(links).toHaveLength(times(5, 10))
    expect(wrong).toEqual([])
    await nobody.close()
  })

/** The user that a page shows, asked for as the app does. */
interface Seen {
  search: string
  kept: string | null
  who: string | null
}
const seen = `(async () => {
  const kept = localStorage.getItem('auth_token')
  const headers = kept === null ? {} : { Authorization: 'Bearer ' + kept }
  const answer = await fetch('/api/user', { headers })
  const who = answer.ok ? (await answer.json()).email : null
  return { search: location.search, kept, who }
})()`

test('a user who refuses at Google is told so, and can try again', async ({ page, world }) => {
  aPerson(world)
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(
    toast(page, 'There was an error signing in with Google. Please try again.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.getByRole('link', { name: 'Continue with Google' })).toBeVisible()
})

if (isLong)
  test('Google can be removed once there is a password, and linked again', async ({
    page,
    world,
  }) => {
    const { email } = aPerson(world)
    await continueWithGoogle(page, email)
    await expect(dashboard(page)).toBeVisible()
    await page.goto('/account/security')
    await expect(page.getByRole('button', { name: 'Remove Google' })).toBeDisabled()
    await expect(page.getByText('It is your only way to sign in.')).toBeVisible()
    await expectEachAccessible(page)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await expect(toast(page, `We have mailed a link to ${email}.`)).toBeVisible()

    const reset = await mailedToken({ dataDir: world.dataDir, email, kind: 'reset' })
    await page.goto(`/auth?reset=${reset}`)
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Your password is changed. Sign in with it.').first()).toBeVisible()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(dashboard(page)).toBeVisible()

    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Remove Google' }).click()
    const question = page.getByRole('alertdialog', { name: 'Remove Google?' })
    await question.getByRole('button', { name: 'Remove Google' }).click()
    await expect(toast(page, 'Google no longer opens this account.')).toBeVisible()

    // Another form above asks for the password, too.
    const link = page.getByRole('button', { name: 'Link Google' })
    const form = page.locator('form').filter({ has: link })
    await form.getByLabel('Your password').fill('not the password')
    await link.click()
    await expect(page.getByText('That is not your current password.')).toBeVisible()
    await form.getByLabel('Your password').fill(PASSWORD)
    await link.click()
    await page.getByRole('link', { name: `Continue as ${email}` }).click()
    await expect(toast(page, 'Google now opens this account.')).toBeVisible()
    await expect(page).toHaveURL(/\/account\/security$/)
    await expect(page.getByRole('button', { name: 'Remove Google' })).toBeEnabled()
  })

if (isLong)
  test("the operator's own issuer leads in under its own name", async ({ page, world }) => {
    const { email } = aPerson(world, 'staff')
    await page.goto('/auth')
    await page.getByRole('link', { name: 'Continue with Example ID' }).click()
    await page.getByRole('link', { name: `Continue as ${email}` }).click()
    await expect(dashboard(page)).toBeVisible()
    await page.goto('/account/security')
    await expect(page.getByText(`${email} at Example ID opens this account.`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove Example ID' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Link Google' })).toBeDisabled()
  })

test('no secret of the server or of Google is in its log', async ({ world }) => {
  const output = world.server.output()
  expect(output).toContain('signed_in_google')
  expect(output).not.toContain(world.google.settings['GOOGLE_CLIENT_SECRET'])
  expect(output).not.toMatch(/code=|state=|id_token|eyJ/)
})

if (isLong)
  test('a document goes to Google Docs, and every way in which it does not is said', async ({
    page,
    context,
    world: { docs },
  }) => {
    await haveDocuments(page)
    const row = await orderDocument(await openSampleToGenerate(page), 'Meeting minutes')
    const button = row.getByRole('button', { name: /Create Google Doc|Waiting for Google/ })
    const begin = async () => {
      const [popup] = await Promise.all([context.waitForEvent('page'), button.click()])
      await expect(button).toHaveText('Waiting for Google…')
      await popup.waitForURL(/\/authorize\?/)
      return popup
    }
    const failed = async (why: string) => {
      await expect(toast(page, 'Failed to create Google Doc')).toBeVisible()
      await expect(toast(page, why)).toBeVisible()
      await expect(button).toHaveText('Create Google Doc')
    }

    const closed = await begin()
    expect(closed.viewportSize() ?? { width: 500 }).toMatchObject({ width: 500 })
    await closed.close()
    await failed('OAuth popup was closed')

    const denied = await begin()
    await denied.getByRole('link', { name: 'deny' }).click()
    await failed('Google was not allowed to create the document.')

    const expired = await begin()
    await expired.getByRole('link', { name: 'expired' }).click()
    await failed(
      'Google no longer accepts the permission that was given. Press Create Google Doc and allow it once more.',
    )

    // The page ignores other messages: of another window, with another state, of another shape.
    const good = await begin()
    await page.evaluate(`for (let index = 0; index < 10; index += 1)
      postMessage({ source: 'quoth-google-docs', type: 'success', state: 'state-' + index, token: 'token-forged' }, '*')`)
    // Nor what the popup says while another site's page is in it, though that page knows the state.
    await good.evaluate(`opener.postMessage({
      source: 'quoth-google-docs',
      type: 'success',
      state: new URLSearchParams(location.search).get('state'),
      token: 'token-forged',
    }, '*')`)
    await page.evaluate('new Promise((done) => setTimeout(done))')
    await expect(button).toHaveText('Waiting for Google…')
    expect(docs.documents.size).toBe(0)
    const [opened] = await Promise.all([
      context.waitForEvent('page', { predicate: (one) => one !== good }),
      good.getByRole('link', { name: 'good' }).click(),
    ])
    await expect(toast(page, 'Google Doc Created Successfully!')).toBeVisible()
    await opened.close()
    expect(docs.documents.size).toBe(1)
    const [document] = docs.documents.values()
    expect(document?.title).toMatch(/^Minutes: /)
    expect(document?.text).toContain('Who spoke')
    expect(document?.requests.some((request) => 'createParagraphBullets' in request)).toBe(true)
    expect(new Set(docs.scopes)).toEqual(new Set(['https://www.googleapis.com/auth/drive.file']))
    // The token is not stored.
    const kept = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')
    expect(kept).not.toContain('token-good')
  })
