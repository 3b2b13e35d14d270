import { expect, test } from '@playwright/test'

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
