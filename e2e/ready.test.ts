import { type Page, expect, test } from '@playwright/test'

import { expectAccessible, signIn, signUp } from './steps.ts'

test.use({ serviceWorkers: 'allow' })

/** As the share menu of a phone does for the installed app: a form that no page of ours sends. */
const share = (page: Page, title: string) =>
  page.evaluate(`(() => {
    const form = document.createElement('form')
    Object.assign(form, { action: '/share-target', method: 'post', enctype: 'multipart/form-data' })
    const named = Object.assign(document.createElement('input'), { name: 'title' })
    named.value = ${JSON.stringify(title)}
    const files = Object.assign(document.createElement('input'), { type: 'file', name: 'files' })
    const given = new DataTransfer()
    given.items.add(new File(['no sound at all'], 'AUD-20261123', { type: 'audio/mp4' }))
    files.files = given.files
    form.append(named, files)
    document.body.append(form)
    form.submit()
  })()`)

test('what is shared with the app waits in the browser until somebody signs in and takes it', async ({
  page,
}) => {
  const { email } = await signUp(page)
  const isAtWork = () => page.evaluate('navigator.serviceWorker.controller !== null')
  await expect.poll(isAtWork).toBe(true)
  await share(page, 'Voice memo')
  await expect(page.getByRole('heading', { name: 'Voice memo.m4a' })).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
  await expectAccessible(page)

  // Signed out, it is kept until somebody has signed in.
  await page.context().clearCookies()
  await share(page, 'Second memo')
  await expect(page).toHaveURL(/\/auth\?next=%2Fhome%3Fshared%3Dyes/)
  await signIn(page, email)
  await expect(page.getByRole('heading', { name: 'Second memo.m4a' })).toBeVisible()

  // A reload loses nothing; what is thrown away is gone.
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Second memo.m4a' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Upload audio or video file' })).toBeVisible()
  expect(await page.evaluate('caches.keys()')).toEqual([])
})

test('a browser that cannot keep what is shared says so', async ({ page }) => {
  await signUp(page)
  const missed = await page.request.post('/share-target', {
    multipart: { files: { name: 'memo.m4a', mimeType: 'audio/mp4', buffer: Buffer.alloc(1_000) } },
  })
  expect(missed.url()).toMatch(/\/home\?shared=missed$/)
  await page.goto('/home?shared=missed')
  await expect(page.getByText('What you shared did not arrive')).toBeVisible()
})
