import { type Page, expect, test } from '@playwright/test'

import {
  addSample,
  expectAccessible,
  expectEachAccessible,
  media,
  signUp,
  signUpByCalls,
  toast,
} from './steps.ts'

const library = (page: Page) => page.getByRole('region', { name: 'Library' })

async function withSample(page: Page): Promise<void> {
  await signUpByCalls(page)
  await addSample(page)
  await page.goto('/home')
  await expect(library(page).getByRole('link', { name: 'sample.m4a' })).toBeVisible()
}

test('what was said is found in the library, and the find opens at its moment', async ({
  page,
}) => {
  await withSample(page)
  await library(page).getByRole('searchbox', { name: 'Search names and words' }).fill('train')
  const hit = library(page).getByRole('link', { name: /left the paper on the train/ })
  await expect(hit).toBeVisible()
  await expect(hit.locator('mark')).toHaveText('train')
  await expect(library(page)).toContainText('1 found')
  expect(page.url()).toContain('q=train')
  await expectAccessible(page)
  await hit.click()
  await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeVisible()
  await expect
    .poll(async () =>
      Number(await page.getByRole('slider', { name: 'Playback position' }).inputValue()),
    )
    .toBeGreaterThan(18)
  await expect(page.getByText('I made some notes on paper')).toBeInViewport()

  // Back in the library, the search is as it was.
  await page.getByRole('link', { name: 'Library' }).click()
  await expect(library(page).getByRole('searchbox')).toHaveValue('train')
  await library(page).getByRole('searchbox').fill('zeppelin')
  await expect(library(page)).toContainText('Nothing found for “zeppelin”')
  await expectEachAccessible(page)
  await library(page).getByRole('button', { name: 'Show all' }).click()
  await expect(library(page).getByRole('link', { name: 'sample.m4a' })).toBeVisible()

  await library(page).getByRole('combobox', { name: 'Status' }).selectOption('Failed')
  await expect(library(page)).toContainText('No recording has this status.')
  await library(page).getByRole('combobox', { name: 'Status' }).selectOption('All statuses')
  await library(page).getByRole('combobox', { name: 'Order' }).selectOption('By name')
  await expect(library(page).getByRole('link', { name: 'sample.m4a' })).toBeVisible()
  expect(page.url()).toContain('sort=name')
})

test('a recording is renamed, exported, deleted, and brought back', async ({ page }) => {
  await withSample(page)
  const more = (name: string) =>
    library(page)
      .getByRole('button', { name: `More for ${name}` })
      .click()
  await more('sample.m4a')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Monday meeting.m4a')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await expect(library(page).getByRole('link', { name: 'Monday meeting.m4a' })).toBeVisible()

  await more('Monday meeting.m4a')
  await page.getByRole('menuitem', { name: 'Export as…' }).click()
  await dialog.getByRole('radio', { name: /VTT/ }).check()
  await expectEachAccessible(page)
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe('Monday meeting.vtt')
  await expect(dialog).toHaveCount(0)
  // The toast may appear under the mouse, where it would stay open, so it is closed.
  await page.getByRole('button', { name: 'Close' }).click()

  await more('Monday meeting.m4a')
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await expect(toast(page, 'Deleted')).toBeVisible()
  await expect(library(page).getByRole('link', { name: 'Monday meeting.m4a' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(library(page).getByRole('link', { name: 'Monday meeting.m4a' })).toBeVisible()
})

/** Files held over the page, as the system's file manager does it. */
async function drag(page: Page, type: 'dragenter' | 'dragleave' | 'drop', name = 'talk.wav') {
  await page.evaluate(
    `(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(64)], ${JSON.stringify(name)}, { type: 'audio/wav' }))
      document.body.dispatchEvent(new DragEvent(${JSON.stringify(type)}, { dataTransfer, bubbles: true, cancelable: true }))
    })()`,
  )
}

test('a file can be dropped anywhere on the dashboard', async ({ page }) => {
  await signUp(page)
  await expect(library(page)).toContainText('Nothing here yet.')
  await drag(page, 'dragenter')
  await expect(page.getByText('Drop your file here', { exact: true }).first()).toBeVisible()
  await expectEachAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByText('Drop your file here', { exact: true })).toHaveCount(0)
  await drag(page, 'dragenter')
  await drag(page, 'drop', 'slides.pptx')
  await expect(page.getByRole('alert')).toContainText('File format not supported.')
  await drag(page, 'dragenter')
  await drag(page, 'drop')
  await expect(page.getByRole('heading', { name: 'talk.wav' })).toBeVisible()
})

test('the sound of a video over the limit is taken out in the browser', async ({ page }) => {
  // Uncompressed pictures: they are large and quickly made.
  const options =
    '-f lavfi -i sine=frequency=300:duration=20 -f lavfi -i testsrc=s=1280x720:r=3:d=20 ' +
    '-c:v rawvideo -pix_fmt uyvy422 -c:a aac -b:a 64k'
  const video = await media('lecture.mov', ...options.split(' '))
  await signUp(page)
  await page.locator('input[type=file]').setInputFiles(video)
  await expect(page.getByRole('alert')).toContainText('File size must be less than 100MB.')
  await expectEachAccessible(page)
  await page.getByRole('button', { name: 'Take out the sound' }).click()
  await expect(page.getByRole('heading', { name: 'lecture.m4a' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('0:20')).toBeVisible()
  const begun = page.waitForRequest('**/api/uploads')
  await page.getByRole('button', { name: 'Start Transcription' }).click()
  expect((await begun).postDataJSON()).toMatchObject({ isSoundOfVideo: true })
})
