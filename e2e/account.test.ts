import { expect, test } from '@playwright/test'

import { mailedToken } from '../test/client.ts'
import { PASSWORD, signIn, signUp, toast } from './steps.ts'

test('a stranger who opens a protected page signs in first', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth/)
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
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
})

test('a user signs out, forgets the password, and comes back with a new one', async ({ page }) => {
  const { email } = await signUp(page)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(toast(page, "You've been successfully logged out.")).toBeVisible()

  await page.goto('/auth?mode=forgot')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: /Send/ }).click()
  await expect(
    toast(page, 'If an account exists, a password reset link has been sent.'),
  ).toBeVisible()

  const dataDir = process.env['E2E_DATA_DIR']!
  await page.goto(`/auth?reset=${await mailedToken({ dataDir, email, kind: 'reset' })}`)
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

test('a confirmation link works once', async ({ page }) => {
  const { email } = await signUp(page)
  const dataDir = process.env['E2E_DATA_DIR']!
  const token = await mailedToken({ dataDir, email, kind: 'verify' })
  await page.context().clearCookies()
  await page.goto(`/auth?verify=${token}`)
  await expect(page.getByText('This link has been used or has expired.').first()).toBeVisible()
  await page.goto('/auth')
  await signIn(page, email)
})

test('a page that is not there says so, with a status that says so too', async ({ page }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
})
