import { readFile } from 'node:fs/promises'

import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { expectAccessible, media, signIn, openHome } from './steps.ts'

test.use({ serviceWorkers: 'allow' })

/** As the share menu of a phone does for the installed app: a form that no page of ours sends. */
async function share(page: Page, title: string, mimeType: string, buffer: Buffer) {
  await page.evaluate(`(() => {
    const form = document.createElement('form')
    Object.assign(form, { action: '/share-target', method: 'post', enctype: 'multipart/form-data' })
    const named = Object.assign(document.createElement('input'), { name: 'title' })
    named.value = ${JSON.stringify(title)}
    const files = Object.assign(document.createElement('input'), { type: 'file', name: 'files' })
    form.append(named, files)
    document.body.append(form)
  })()`)
  await page
    .locator('form[action="/share-target"] input[type=file]')
    .setInputFiles({ name: 'AUD-20261123', mimeType, buffer })
  await page.evaluate(`document.querySelector('form[action="/share-target"]').submit()`)
}

/** How much of what was shared lies in the browser. */
const kept = (page: Page) =>
  page.evaluate(
    `caches.open('shared-files').then((cache) => cache.keys()).then((all) => all.length)`,
  )

if (isLong)
  test('what is shared with the app waits in the browser until it has arrived or is thrown away', async ({
    page,
  }) => {
    const { email } = await openHome(page)
    const isAtWork = () => page.evaluate('navigator.serviceWorker.controller !== null')
    await expect.poll(isAtWork).toBe(true)
    await share(page, 'Voice memo', 'audio/mp4', Buffer.from('no sound at all'))
    await expect(page.getByRole('heading', { name: 'Voice memo.m4a' })).toBeVisible()
    await expect(page).toHaveURL(/\/home$/)
    await expectAccessible(page)

    // Signed out, it is kept until somebody has signed in, and so is what was shared before it.
    await page.context().clearCookies()
    const hum = await media('hum.wav', '-f', 'lavfi', '-i', 'sine=frequency=300:r=8000', '-t', '2')
    await share(page, 'Second memo', 'audio/wav', await readFile(hum))
    await expect(page).toHaveURL(/\/auth\?next=%2Fhome%3Fshared%3Dyes/)
    await signIn(page, email)
    const bill = page.getByRole('region', { name: '2 files chosen' })
    await expect(bill).toContainText('Second memo.wav')
    await expect(bill).toContainText('1 can be transcribed, 1 cannot')

    // What has arrived is the server's; the other one a reload brings back, until it is thrown away.
    await expect.poll(() => kept(page)).toBe(1)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Voice memo.m4a' })).toBeVisible()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Upload audio or video file' })).toBeVisible()
    await expect.poll(() => page.evaluate('caches.keys()')).toEqual([])
  })

test('a browser that cannot keep what is shared says so', async ({ page }) => {
  await openHome(page)
  const missed = await page.request.post('/share-target', {
    multipart: { files: { name: 'memo.m4a', mimeType: 'audio/mp4', buffer: Buffer.alloc(1_000) } },
  })
  expect(missed.url()).toMatch(/\/home\?shared=missed$/)
  await page.goto('/home?shared=missed')
  await expect(page.getByText('What you shared did not arrive')).toBeVisible()
})
