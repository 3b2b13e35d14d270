import { expect, test } from '@playwright/test'

import { haveAccount } from './steps.ts'

test('a page whose script does not come is loaded again once, and then says so', async ({
  page,
}) => {
  let loads = 0
  page.on('request', (asked) => (loads += asked.isNavigationRequest() ? 1 : 0))
  await page.route('**/assets/entry.client*', (route) => route.fulfill({ status: 404 }))
  await page.goto('/auth')
  await expect(page.getByRole('alert')).toHaveText(
    'A part of this page did not come. Please load it again in a minute.',
  )
  expect(loads).toBe(2)
})

test('a menu whose code comes in the middle of the press on its button opens', async ({ page }) => {
  const { promise: isWanted, resolve: come } = Promise.withResolvers<void>()
  await page.route('**/assets/account-menu-*.js', async (route) => {
    await isWanted
    await route.continue()
  })
  await haveAccount(page)
  const coming = page.waitForRequest('**/assets/account-menu-*.js')
  await page.goto('/account')
  await coming
  const opens = page.getByRole('button', { name: /^Account menu/ })
  const closed = await opens.elementHandle()
  await opens.hover()
  await page.mouse.down()
  come()
  // It is another button once the menu is there.
  await page.waitForFunction((button) => !button?.isConnected, closed)
  await page.mouse.up()
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
})

test('a menu that a key opens before its code is there has the focus on its first entry', async ({
  page,
}) => {
  let wanted = Promise.withResolvers<void>()
  await page.route('**/assets/account-menu-*.js', async (route) => {
    await wanted.promise
    await route.continue()
  })
  await haveAccount(page)
  for (const key of ['Enter', 'Space', 'ArrowDown']) {
    await page.goto('/account')
    await page.getByRole('button', { name: /^Account menu/ }).press(key)
    wanted.resolve()
    await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused()
    wanted = Promise.withResolvers()
  }
})
