/** Writing to whoever runs the server, with and without an account. */
import { expect, test } from '@playwright/test'

import { expectAccessible, expectEachAccessible, haveAccount } from './steps.ts'

test('a visitor is told what is missing, then writes', async ({ page }) => {
  await page.goto('/contact?type=billing&subject=Invoice&reference=request-42')
  await expect(page.getByRole('heading', { name: 'Contact', level: 1 })).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByLabel('Type')).toHaveValue('billing')
  await expect(page.getByLabel(/Subject/)).toHaveValue('Invoice')
  await expect(page.getByText('request-42')).toBeVisible()

  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(
    page.getByText('Missing Information: Please fill in all required fields.'),
  ).toBeVisible()
  await expect(page.getByText('This field is required')).toHaveCount(3)
  await expect(page.getByLabel('Name')).toBeFocused()
  await expectEachAccessible(page)

  await page.getByLabel('Name').fill('Ada Lovett')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Message').fill('Where is my invoice?')
  await page.reload()
  await expect(page.getByLabel('Message')).toHaveValue('Where is my invoice?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText("Message Sent: We'll get back to you within 24 hours.")).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible()
  await expect(page.getByText('Where is my invoice?')).toBeVisible()
  await expectEachAccessible(page)

  await page.getByRole('button', { name: 'Send another' }).click()
  await expect(page.getByLabel('Message')).toHaveValue('')
  await expect(page.getByLabel('Name')).toHaveValue('Ada Lovett')
})

test('somebody who is signed in need not say who they are', async ({ page }) => {
  const { email } = await haveAccount(page)
  await page.goto('/contact')
  await expect(page.getByLabel('Name')).toHaveValue('Ada Lovett')
  await expect(page.getByLabel('Email')).toHaveValue(email)
})

test('a message that could not be sent stays where it was typed', async ({ page }) => {
  await page.goto('/contact')
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Message').fill('Hello')
  await page.route('/api/contact', (route) => route.abort())
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText(/^Failed to Send:/)).toBeVisible()
  await expect(page.getByLabel('Message')).toHaveValue('Hello')
})

test('without JavaScript the page says where to write to', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/contact')
  await expect(page.getByText('Sending this form needs JavaScript.')).toBeVisible()
  await expect(page.getByText('__SUPPORT_EMAIL__')).toHaveCount(0)
  await context.close()
})
