/** Plans, payments and credits in the browser, with the built-in test checkout. */
import { randomUUID } from 'node:crypto'

import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { mailedToken } from '../test/client.ts'
import {
  PASSWORD,
  expectAccessible,
  expectEachAccessible,
  expectCredits,
  haveAccount,
  toast,
} from './steps.ts'

const SIGN_UP = 10

/** Fills in the form to sign up, and follows the mailed link, which signs in. */
async function register(page: Page): Promise<{ email: string }> {
  const email = `journey-${randomUUID()}@example.com`
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovett')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(toast(page, 'Account Created!')).toBeVisible()

  const dataDir = process.env['E2E_DATA_DIR']!
  await page.goto(`/auth?verify=${await mailedToken({ dataDir, email, kind: 'verify' })}`)
  await expect(toast(page, 'Your email is confirmed.')).toBeVisible()
  return { email }
}

/**
 * How far what is in view has moved by itself since the page was opened, as browsers measure it. They
 * tell in order, so whatever moved has been told when the move is that is made here.
 */
const shifted = `new Promise((tell) => {
  const now = performance.now()
  let sum = 0
  new PerformanceObserver((list) => {
    for (const { startTime, value } of list.getEntries())
      if (startTime < now) sum += value
      else tell(sum)
  }).observe({ type: 'layout-shift', buffered: true })
  const push = document.createElement('div')
  push.style.height = '100px'
  document.body.prepend(push)
})`

async function openCheckout(page: Page, plan: string): Promise<void> {
  await page.goto('/subscribe')
  await subscribe(page, plan)
}

async function subscribe(page: Page, plan: string): Promise<void> {
  await page.getByRole('button', { name: `Subscribe to ${plan}` }).click()
  await expect(page.getByText('Test checkout. No money moves')).toBeVisible()
  await expect(page.getByRole('heading', { name: plan })).toHaveCSS('font-family', /^Besley/)
}

test('a plan chosen by a stranger is there after signing up, and is bought once', async ({
  page,
}) => {
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'Choose Professional' }).click()
  const { email } = await register(page)
  await expect(page).toHaveURL(/\/subscribe\?plan=professional$/)
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await expect(page.getByText('Test payments:')).toBeVisible()
  await expectAccessible(page)

  await subscribe(page, 'Professional')
  await expectAccessible(page)
  const checkout = page.url()
  await page.getByRole('button', { name: 'Pay $19.99' }).click()
  await expect(
    page.getByRole('heading', {
      name: 'Payment Successful! 150 credits have been added to your account.',
    }),
  ).toBeFocused()
  await expect(toast(page, 'Payment Successful!')).toBeVisible()
  await expect(page.getByText(email).first()).toBeVisible()
  await expectCredits(page, SIGN_UP + 150)
  await expectAccessible(page)

  await page.reload()
  await expect(page.getByRole('heading', { name: /150 credits have been added/ })).toBeVisible()
  await expectCredits(page, SIGN_UP + 150)
  await page.goto(checkout)
  await expect(page.getByText('It cannot be paid twice.')).toBeVisible()

  // Every credit is listed.
  await page.goto('/account/credits')
  const lines = page.getByRole('list', { name: 'Ledger, newest first' }).locator('> li')
  await expect(lines).toHaveCount(2)
  await expect(lines.nth(0)).toContainText('Professional')
  await expect(lines.nth(0)).toContainText('+150')
  await expect(lines.nth(0)).toContainText(String(SIGN_UP + 150))
  await expect(lines.nth(1)).toContainText('Sign-up credits')
  await expectAccessible(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('credits.csv')
})

if (isLong)
  test('a declined card and a checkout that is left end clearly, and charge nothing', async ({
    page,
  }) => {
    await haveAccount(page)
    await openCheckout(page, 'Starter')
    await page.getByRole('button', { name: 'Leave, back to' }).click()
    await expect(page.getByText('You left the checkout. Nothing was charged')).toBeVisible()
    await expect(page).toHaveURL(/plan=starter/)

    await openCheckout(page, 'Starter')
    await page.getByRole('button', { name: 'Let the card be declined' }).click()
    await expect(page.getByRole('alert')).toContainText(
      'The card was declined. Nothing was charged.',
    )
    await page.getByRole('button', { name: 'Leave, back to' }).click()
    await expect(toast(page, 'Payment Failed')).toBeVisible()
    await expect(page.getByRole('alert').first()).toContainText(
      'Your card was declined. Nothing was charged.',
    )
    await expect(page.getByRole('banner')).toContainText(`${SIGN_UP} credits`)
    await expectEachAccessible(page)

    // A page that was opened before and left is closed by the next one.
    await openCheckout(page, 'Starter')
    const older = page.url()
    await openCheckout(page, 'Enterprise')
    await page.goto(older)
    await expect(page.getByText('a newer one was opened')).toBeVisible()
  })

test('while one checkout opens no other can, and Back finds the buttons at rest', async ({
  page,
}) => {
  await haveAccount(page)
  await page.goto('/subscribe')
  await expect(page.getByText('Test payments:')).toBeVisible()
  expect(await page.evaluate<number>(shifted)).toBeLessThanOrEqual(0.02)
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/create-payment-intent', async (route) => {
    await isAnswered
    await route.fulfill({ json: { sessionId: 'x', url: '#checkout' } })
  })
  const others = ['Professional', 'Enterprise'].map((plan) =>
    page.getByRole('button', { name: `Subscribe to ${plan}` }),
  )
  const starter = page.getByRole('button', { name: 'Subscribe to Starter' })
  await starter.click()
  await expect(page.getByRole('button', { name: 'Opening secure checkout…' })).toBeVisible()
  for (const other of others) await expect(other).toBeDisabled()
  answer()
  await expect(page).toHaveURL(/#checkout$/)
  for (const other of others) await expect(other).toBeDisabled()
  // As the browser brings back a page that it has kept.
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
  for (const button of [starter, ...others]) await expect(button).toBeEnabled()
})

test('a success page that nobody paid for adds nothing and says so', async ({ page }) => {
  await haveAccount(page)
  await page.goto('/subscription-success?plan=enterprise&session_id=cs_test_made_up')
  await expect(page.getByRole('heading', { name: 'Error Adding Credits' })).toBeVisible()
  await expect(toast(page, 'Error Adding Credits')).toBeVisible()
  await expect(page.getByText('Quote this reference: cs_test_made_up')).toBeVisible()
  await expectCredits(page, SIGN_UP)
  await expectEachAccessible(page)
  await page.goto('/subscription-success?plan=gold')
  await expect(page.getByRole('heading', { name: 'We do not recognize this plan.' })).toBeVisible()
})

test('a plan is changed, cancelled and resumed, each with what it means', async ({ page }) => {
  await haveAccount(page)
  await openCheckout(page, 'Starter')
  await page.getByRole('button', { name: 'Pay $9.99' }).click()
  await expect(page.getByRole('heading', { name: /50 credits have been added/ })).toBeVisible()
  await page.getByRole('link', { name: 'View Plans' }).click()
  await expect(page.getByRole('button', { name: 'Your plan' })).toBeDisabled()

  await page.getByRole('button', { name: 'Change to Enterprise' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('To pay today$49.99')
  await expect(dialog).toContainText('Credits added today+500')
  await expectAccessible(page)
  // While it is paid, nobody can pay again or walk away from it.
  const isHeld = Promise.withResolvers<void>()
  await page.route('**/api/billing/change', async (route) => {
    await isHeld.promise
    await route.continue()
  })
  const pay = dialog.getByRole('button', { name: 'Pay and change' })
  await pay.click()
  await expect(pay).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Not now' })).toBeDisabled()
  isHeld.resolve()
  await expect(toast(page, 'Payment Successful!')).toBeVisible()
  await expect(toast(page, '500 credits have been added to your account.')).toBeVisible()
  const header = page.getByRole('banner')
  await expect(header).toContainText(`${SIGN_UP + 550} credits`)

  await page.getByRole('button', { name: 'Change to Starter' }).click()
  await expect(dialog).toContainText('To pay today$0.00')
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await page.getByRole('link', { name: 'Plan and receipts' }).click()
  await expect(page.getByText(/it becomes Starter/)).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: 'Keep Enterprise' }).click()
  await dialog.getByRole('button', { name: 'Keep plan' }).click()
  await expect(toast(page, 'You stay on Enterprise.')).toBeVisible()

  // Nothing on the page warns before somebody wants to leave.
  const danger = await page.evaluate<string>(`(() => {
    const of = document.createElement('span')
    of.className = 'text-danger'
    document.body.append(of)
    const { color } = getComputedStyle(of)
    of.remove()
    return color
  })()`)
  const cancel = page.getByRole('button', { name: 'Cancel plan' })
  await expect(cancel).not.toHaveCSS('color', danger)
  await cancel.click()
  await expect(dialog).toContainText('All your credits stay')
  await expectEachAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByText('It is cancelled and ends on')).toBeVisible()
  await page.getByRole('button', { name: 'Resume Enterprise' }).click()
  await expect(page.getByText('The next payment is on')).toBeVisible()
  await expectCredits(page, SIGN_UP + 550)

  const [receipt] = await Promise.all([
    page.context().waitForEvent('page'),
    page
      .getByRole('link', { name: /^Open receipt of/ })
      .first()
      .click(),
  ])
  await expect(receipt.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await expect(receipt.getByText('Enterprise, one month, 500 credits')).toBeVisible()
  await expectAccessible(receipt)
})
