import { expect, test } from '@playwright/test'

import { oldestBrowsers } from '../src/shared/browsers.ts'
import {
  PASSWORD,
  correct,
  haveAccount,
  media,
  openSample,
  sample,
  toast,
  transcript,
  turnEditor,
  upload,
} from './steps.ts'

/**
 * Makes the browser as old as the oldest that pages run in: what came later to any of Chrome, Firefox
 * and Safari is taken away. What a browser of these years has in another way stays.
 */
const older = `(() => {
  delete Promise.withResolvers
  delete Promise.try
  delete Map.groupBy
  delete Object.groupBy
  delete Array.fromAsync
  delete URL.parse
  delete URL.canParse
  delete AbortSignal.any
  delete ArrayBuffer.prototype.transfer
  delete Element.prototype.checkVisibility
  delete Element.prototype.moveBefore
  delete Document.prototype.caretPositionFromPoint
  delete Document.prototype.startViewTransition
  delete RegExp.escape
  delete Error.isError
  delete Uint8Array.fromBase64
  delete Uint8Array.prototype.toBase64
  delete Uint8Array.prototype.toHex
  delete Blob.prototype.bytes
  delete Response.prototype.bytes
  delete ReadableStream.prototype[Symbol.asyncIterator]
  delete ReadableStream.from
  for (const name of ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'])
    delete Set.prototype[name]
  const { prototype } = globalThis.Iterator
  for (const name of ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'])
    delete prototype[name]
  for (const name of ['Iterator', 'Highlight', 'scheduler', 'navigation', 'CloseWatcher', 'requestIdleCallback', 'documentPictureInPicture', 'AudioDecoder', 'AudioEncoder', 'VideoDecoder', 'VideoEncoder', 'Float16Array', 'Temporal'])
    delete globalThis[name]
  delete CSS.highlights
  delete Intl.DurationFormat
})()`

test('the oldest browsers sign in, upload, and hear, correct and take away a result', async ({
  page,
}) => {
  const broken: Error[] = []
  page.on('pageerror', (error) => broken.push(error))
  await page.addInitScript(older)
  const { email } = await haveAccount(page)
  await page.context().clearCookies()

  // Signed in, somebody comes to where they wanted to go.
  await page.goto(`/auth?next=${encodeURIComponent('/account/vocabulary')}`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL('/account/vocabulary')
  await expect(page.getByRole('heading', { name: 'Vocabulary' }).first()).toBeVisible()

  // What a job makes of a recording is no matter of the browser.
  await page.goto('/home')
  await upload(page, await media('old.m4a', '-t', '3', '-i', sample))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, 'File has been removed and no credits were charged.')).toBeVisible()
  await openSample(page)

  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('button', { name: 'Play', exact: true }).click()
  await player.getByRole('button', { name: 'Pause' }).click()
  const first = transcript(page).getByRole('listitem').first()
  await correct(page, first)
  await turnEditor(page).fill('What was said, by an older browser.')
  await turnEditor(page).press('Control+Enter')
  await expect(first).toContainText('by an older browser.')

  await page.getByRole('tab', { name: 'Export' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download All Results' }).click()
  expect(await (await downloading).failure()).toBeNull()
  await page.getByRole('tab', { name: 'Speakers' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Speakers' })).toContainText('Speaker A')
  expect(broken).toEqual([])
})

test('a browser that is older still says so, and which it takes', async ({ page }) => {
  await page.addInitScript('delete HTMLElement.prototype.popover')
  await page.goto('/auth')
  const note = page.getByRole('alert').filter({ hasText: 'too old' })
  await expect(note).toContainText(
    `This browser is too old. Please use ${oldestBrowsers}, or a newer one.`,
  )
  await page.goto('/faq')
  await expect(page.getByText(`${oldestBrowsers}, or a newer one`)).toBeAttached()
})
