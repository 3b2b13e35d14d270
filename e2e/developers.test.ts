/** A developer makes a key and a webhook, and uses both. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { type Page, expect, test } from '@playwright/test'
import { Webhook } from 'standardwebhooks'

import { isLong } from '../test/long.ts'
import { answerWith, apiKeys, id } from './states/answers.ts'
import { buy, expectAccessible, expectEachAccessible, sample, haveAccount, toast } from './steps.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

test('a key is made, used and revoked', async ({ page }) => {
  await haveAccount(page)
  await page.goto('/account/api-keys')
  await expect(heading(page, 'API keys')).toBeVisible()
  await expect(page.getByText('API keys are part of Enterprise.')).toBeVisible()
  await buy(page, 'enterprise')

  await page.goto('/account/api-keys')
  await page.getByRole('button', { name: 'Make key' }).click()
  await expect(page.getByText('Please name the key')).toBeVisible()
  await page.getByLabel('Name').fill('Nightly backup')
  await page.getByLabel('Good for').selectOption('One year')
  await page.getByRole('button', { name: 'Make key' }).click()
  const note = page.getByRole('alertdialog').filter({ hasText: 'You will not see it again.' })
  await expect(note).toBeVisible()
  await expect(note.getByRole('button').first()).toBeFocused()
  const key = (await note.locator('code').textContent()) ?? ''
  expect(key).toMatch(/^quoth_live_\w{38}$/)
  // It is closed by its button alone: it cannot be seen again.
  await page.keyboard.press('Escape')
  await expectEachAccessible(page)
  await note.getByRole('button', { name: 'I have kept it' }).click()
  await expect(note).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Make key' })).toBeFocused()
  // The next key is named anew, and may what this one may until something else is chosen.
  await expect(page.getByLabel('Name')).toHaveValue('')
  await expect(page.getByLabel('Good for')).toHaveValue('365')

  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await readFile(sample))]), 'interview.m4a')
  const { origin } = new URL(page.url())
  const headers = { Authorization: `Bearer ${key}` }
  const answer = await fetch(`${origin}/api/transcriptions`, {
    method: 'POST',
    headers,
    body: form,
  })
  expect(answer.status).toBe(201)
  const { id } = (await answer.json()) as { id: string }
  await fetch(`${origin}/api/transcriptions/${id}/cancel`, { method: 'DELETE', headers })

  await page.reload()
  await expect(page.getByText('You will not see it again.')).toHaveCount(0)
  await expect(page.getByText(key)).toHaveCount(0)
  await expect(page.getByText(/^2 of 2,000 calls made in the last hour/)).toBeVisible()
  await page.getByRole('button', { name: 'Revoke Nightly backup' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await expect(toast(page, 'The key is revoked. It opens nothing any more.')).toBeVisible()
  await expect(page.getByText('No keys yet.')).toBeVisible()
  expect((await fetch(`${origin}/api/user`, { headers })).status).toBe(401)
})

test('a key whose time is over is told from one that is good', async ({ page }) => {
  const [key] = apiKeys().keys
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const keys = [
    { ...key!, name: 'Over', expiresAt: inDays(-1) },
    { ...key!, id: id(701), name: 'Good', expiresAt: inDays(1) },
  ]
  await answerWith(page, { 'GET /api/keys': apiKeys({ keys }) })
  await page.goto('/account/api-keys')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('Over')).toContainText('Expired')
  await expect(row('Good')).not.toContainText('Expired')
})

if (isLong)
  test('a webhook is added, tested, paused and sent to again', async ({ page }) => {
    const received: { headers: Record<string, string>; body: string }[] = []
    let status = 500
    const receiver = createServer(async (request, response) => {
      const headers = request.headers as Record<string, string>
      received.push({ headers, body: await text(request) })
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo

    await haveAccount(page)
    await page.goto('/account/webhooks')
    await expect(page.getByText('No webhooks yet.')).toBeVisible()
    await page.getByLabel('Address').fill('https://192.168.1.1/hook')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await expect(page.getByRole('alert')).toContainText('not reachable from the internet')
    await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/hook`)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const note = page.getByRole('alertdialog').filter({ hasText: 'You will not see it again.' })
    const secret = (await note.locator('code').textContent()) ?? ''
    await expectEachAccessible(page)
    await note.getByRole('button', { name: 'I have kept it' }).click()

    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect(page.getByText('Failed', { exact: true })).toBeVisible()
    await expect(page.getByText('It answered 500.')).toBeVisible()
    await expectAccessible(page)
    status = 204
    await page.getByRole('button', { name: /^Send again: webhook.test/ }).click()
    await expect(page.getByText('Delivered', { exact: true })).toBeVisible()
    expect(received).toHaveLength(2)
    for (const { headers, body } of received)
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' })
    expect(received[0]!.headers['webhook-id']).toBe(received[1]!.headers['webhook-id'])

    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText('You paused it.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Send again: webhook.test/ })).toBeDisabled()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
    await expect(page.getByText('No webhooks yet.')).toBeVisible()
    receiver.closeAllConnections()
    receiver.close()
  })
