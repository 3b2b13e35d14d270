import { type Page, expect } from '@playwright/test'

import { test } from './journey.ts'
import { COLOUR, addSample, expectAccessible, paintOf, signUpByCalls } from './steps.ts'

const headers = { 'Sec-Fetch-Site': 'same-origin' }
const position = (page: Page) =>
  page.evaluate<number>(`document.querySelector('[data-media]').currentTime`)

test('a link is opened by somebody without an account, heard, read, and ended', async ({
  page,
  browser,
}) => {
  await signUpByCalls(page)
  const links = `/api/transcriptions/${await addSample(page)}/shares`
  const link = async (data: object) => {
    const answer = await page.request.post(links, { data, headers })
    expect(answer.status()).toBe(201)
    return (await answer.json()) as { id: string; url: string }
  }
  const { id, url } = await link({})

  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(url)
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('sample.m4a')
  await expect(reader.getByText('I was at that meeting.')).toBeVisible()
  await expectAccessible(reader)
  await reader.getByRole('listitem').getByText('I was at that meeting.').click()
  await expect(reader.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => position(reader)).toBeGreaterThan(1)
  await reader.getByRole('searchbox').fill('meeting')
  await expect(reader.getByRole('status')).not.toBeEmpty()
  expect((await paintOf(reader, 'hit')).background).toMatch(COLOUR)
  await context.close()

  const still = await browser.newContext({ javaScriptEnabled: false })
  const plain = await still.newPage()
  await plain.goto(url)
  await expect(plain.getByText('I was at that meeting.')).toBeVisible()
  await expect(plain.getByRole('searchbox')).toBeHidden()

  // Without a script a password is typed too.
  const change = { data: { password: 'dairy-reels-54' }, headers }
  expect((await page.request.patch(`/api/shares/${id}`, change)).ok()).toBe(true)
  await plain.reload()
  await plain.getByLabel('Password').fill('dairy-reels-55')
  await plain.keyboard.press('Enter')
  await expect(plain.getByText('That is not the password.')).toBeVisible()
  await plain.getByLabel('Password').fill('dairy-reels-54')
  await plain.keyboard.press('Enter')
  await expect(plain.getByText('I was at that meeting.')).toBeVisible()

  await page.request.delete(`/api/shares/${id}`, { headers })
  await plain.reload()
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('This link has ended')
  await still.close()
})
