import { randomUUID } from 'node:crypto'

import { type APIRequestContext, expect, test } from '@playwright/test'

import { SIGNUP_CREDITS } from '../src/shared/business.ts'
import { mailedToken } from '../test/client.ts'
import { everything } from '../test/promises.ts'
import {
  PASSWORD,
  expectAccessible,
  expectEachAccessible,
  expectCredits,
  openHome,
  haveAccount,
  toast,
} from './steps.ts'

const mailed = (kind: 'verify' | 'reset', email: string) =>
  mailedToken({ dataDir: process.env['E2E_DATA_DIR']!, email, kind })

async function signUp(request: APIRequestContext): Promise<string> {
  const email = `journey-${randomUUID()}@example.com`
  const data = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovett' }
  expect((await request.post('/api/register', { data })).status()).toBe(201)
  return email
}

test('a stranger who opens a protected page signs in first', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth/)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expectAccessible(page)
})

test('the sign-in form comes with what the server offers, or without it', async ({ page }) => {
  // The ways to sign in arrive later than the answer to who is signed in.
  await page.route('**/api/capabilities', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.fulfill({ json: everything })
  })
  await page.goto('/auth')
  const google = page.getByRole('link', { name: 'Continue with Google' })
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await google.count()).toBe(1)

  for (const call of ['capabilities', 'auth/options'])
    await page.route(`**/api/${call}`, (route) => route.fulfill({ status: 500 }))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(google).toHaveCount(0)
})

test('a form says what is missing, in the words of the spec', async ({ page }) => {
  await page.goto('/auth?mode=register')
  await page.getByRole('button', { name: 'Create account' }).click()
  for (const words of [
    'First name is required',
    'Last name is required',
    'Please enter a valid email address',
    'Password must be at least 8 characters long',
  ])
    await expect(page.getByText(words)).toBeVisible()
  await expectEachAccessible(page)
})

test('who has just signed up is told to look at the mail, and goes on once its link is opened', async ({
  page,
}) => {
  await page.goto('/auth?mode=register')
  const email = `new-${randomUUID()}@example.com`
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovett')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail', level: 1 })).toBeVisible()
  await expect(page.getByText(`We have sent an email to ${email}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resend verification email' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeHidden()
  await expectAccessible(page)
  await page.getByText('Sign in with the password').click()
  await expect(page.getByLabel('Email')).toHaveValue(email)

  // The link opens a tab of its own, and this one goes on without a press.
  const other = await page.context().newPage()
  await other.goto(`/auth?verify=${await mailed('verify', email)}`)
  await expect(toast(other, 'Your email is confirmed.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
})

test('a user signs out, forgets the password, and comes back with a new one', async ({ page }) => {
  const { email } = await openHome(page)
  await page.goto('/contact')
  await page.getByLabel('Message').fill('For nobody else.')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  // A toast here, and a note with its title on the landing, whichever is seen.
  const notes = page.getByRole('region', { name: /notifications/i })
  await expect(notes).toContainText("You've been successfully logged out.")
  // The landing is another document: the test waits for it, or it would interrupt the loading.
  await expect(page.getByRole('heading', { name: 'Who said what, word for word.' })).toBeVisible()

  await page.goto('/contact')
  await expect(page.getByLabel('Message')).toHaveValue('')

  await page.goto('/auth?mode=forgot')
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: /Send/ }).click()
  await expect(
    toast(page, 'If an account exists, a password reset link has been sent.'),
  ).toBeVisible()

  await page.goto(`/auth?reset=${await mailed('reset', email)}`)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  const renewed = `${PASSWORD} again`
  await page
    .getByLabel(/password/i, { exact: false })
    .first()
    .fill(renewed)
  await page
    .getByRole('button', { name: /password/i })
    .last()
    .click()
  await expect(page.getByText('Your password is changed. Sign in with it.').first()).toBeVisible()

  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Email or password is incorrect.').first()).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(renewed)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
})

test('a confirmation link that met no server is tried again, not lost', async ({ page }) => {
  const email = await signUp(page.request)
  const token = await mailed('verify', email)

  const away = 'The database is restarting.'
  await page.route('/api/verify-email', (route) =>
    route.fulfill({ status: 503, json: { message: away, code: 'database_away' } }),
  )
  await page.goto(`/auth?verify=${token}`)
  await expect(page.getByRole('alert')).toContainText(away)
  await expect(page).toHaveURL(/verify=/)
  await expectEachAccessible(page)
  await page.route('/api/verify-email', (route) => route.abort())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('Your email could not be confirmed.')

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(toast(page, 'Your email is confirmed.')).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
})

test('a confirmation link opened in another browser asks for the password first', async ({
  page,
  playwright,
  baseURL,
}) => {
  const registering = await playwright.request.newContext(baseURL === undefined ? {} : { baseURL })
  const email = await signUp(registering)
  await registering.dispose()

  await page.goto(`/auth?verify=${await mailed('verify', email)}`)
  const question = 'Enter the password you chose to confirm this address.'
  await expect(page.getByText(question)).toBeVisible()
  await expectEachAccessible(page)
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('not the one')
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('Nothing was confirmed.')
  await password.fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await expect(toast(page, 'Your email is confirmed.')).toBeVisible()
  await expectCredits(page, SIGNUP_CREDITS)
})

test('a new password that met no server is saved by pressing again', async ({ page }) => {
  const { email } = await haveAccount(page)
  await page.context().clearCookies()
  const asked = await page.request.post('/api/forgot-password', { data: { email } })
  expect(asked.status()).toBe(200)
  await page.route('/api/reset-password', (route) => route.abort())
  await page.goto(`/auth?reset=${await mailed('reset', email)}`)
  await page.getByLabel('New password').fill(`${PASSWORD} again`)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert')).toContainText('Your password was not changed.')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password is changed. Sign in with it.').first()).toBeVisible()
})

test('a page that is not there says so, with a status that says so too', async ({ page }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
})
