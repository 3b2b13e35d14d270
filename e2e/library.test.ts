import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import {
  addSample,
  expectAccessible,
  expectEachAccessible,
  expectUnderToasts,
  media,
  openHome,
  haveAccount,
  toast,
} from './steps.ts'

const library = (page: Page) => page.getByRole('main')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function withSample(page: Page): Promise<void> {
  await haveAccount(page)
  await addSample(page)
  await page.goto('/library')
  await expect(row(page, 'sample.m4a')).toBeVisible()
}

test('what was said is found in the library, and the find opens at its moment', async ({
  page,
}) => {
  await withSample(page)
  const search = library(page).getByRole('searchbox', { name: 'Search names and words' })
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  // While it asks, nothing says how many of the rows from before there are.
  const asking = Promise.withResolvers<void>()
  await page.route(/\/api\/transcriptions\?.*q=train/, async (route) => {
    const response = await route.fetch()
    await asking.promise
    await route.fulfill({ response })
  })
  await expect(library(page).getByText('1 recording')).toBeVisible()
  await search.fill('train')
  await expect(search).toHaveAttribute('aria-busy', 'true')
  await expect(library(page).getByRole('checkbox', { name: 'Choose sample.m4a' })).toBeVisible()
  await expect(library(page).getByText(/^\d+ (recordings?|found)/)).toHaveCount(0)
  await expectEachAccessible(page)
  asking.resolve()
  const hit = library(page).getByRole('link', { name: /left the paper on the train/ })
  await expect(hit).toBeVisible()
  await expect(hit.locator('mark')).toHaveText('train')
  await expect(library(page).getByRole('checkbox', { name: 'Choose sample.m4a' })).toBeVisible()
  await expect(library(page).getByText('1 found, 1 place').last()).toBeVisible()
  await expect(library(page).getByRole('combobox', { name: 'Order' })).toHaveValue('best')
  await expect(library(page).getByRole('combobox', { name: 'Who speaks' })).toHaveValue('')
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
  await page.getByRole('main').getByRole('link', { name: 'Library' }).click()
  await expect(search).toHaveValue('train')
  await search.fill('zeppelin')
  await expect(library(page)).toContainText('Nothing found for “zeppelin”')
  await expectEachAccessible(page)
  await library(page).getByRole('button', { name: 'Show all' }).click()
  await expect(row(page, 'sample.m4a')).toBeVisible()

  await library(page).getByRole('combobox', { name: 'Status' }).selectOption('Failed')
  await expect(library(page)).toContainText('No recording has this status.')
  await library(page).getByRole('combobox', { name: 'Status' }).selectOption('All statuses')
  await library(page).getByRole('combobox', { name: 'Order' }).selectOption('By name')
  await expect(row(page, 'sample.m4a')).toBeVisible()
  expect(page.url()).toContain('sort=name')
})

test('a recording is chosen, tagged, found by its tag, deleted with others, and brought back', async ({
  page,
}) => {
  await withSample(page)
  // Down from the search to the row, which X chooses.
  await page.keyboard.press('/')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'sample.m4a' })).toBeFocused()
  await page.keyboard.press('x')
  const chosen = page.getByRole('region', { name: 'Chosen recordings' })
  await expect(chosen).toContainText('1 chosen')
  await expect(page.getByRole('checkbox', { name: 'Choose all on this page' })).toBeChecked()
  await expectAccessible(page)

  await chosen.getByRole('button', { name: 'Tag' }).click()
  const tagging = page.getByRole('dialog', { name: 'Tag 1 recording' })
  await tagging.getByRole('textbox', { name: 'Find or name a tag' }).fill('Radio  play')
  await expect(tagging.getByRole('button', { name: 'New tag “Radio play”' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(tagging.getByRole('checkbox', { name: 'Radio play' })).toBeChecked()
  await expectEachAccessible(page)
  await page.keyboard.press('Escape')
  await expect(row(page, 'sample.m4a')).toContainText('Radio play')
  await chosen.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
  await expect(toast(page, 'Downloaded!')).toBeVisible()
  await expectUnderToasts(page, chosen)

  const tags = page.getByRole('group', { name: 'Tags' })
  await tags.getByRole('button', { name: /^No tag/ }).click()
  await expect(library(page)).toContainText('No recording has this tag')
  await tags.getByRole('button', { name: 'Radio play 1' }).click()
  await expect(page).toHaveURL(/\?tag=Radio\+play$/)
  await expect(row(page, 'sample.m4a')).toBeVisible()
  await tags.getByRole('button', { name: 'Edit tags' }).click()
  await page.getByRole('button', { name: 'Rename Radio play' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Theatre')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page
    .getByRole('dialog', { name: 'Edit tags' })
    .getByRole('button', { name: 'Close' })
    .click()
  await expect(page).toHaveURL(/\?tag=Theatre$/)
  await expect(row(page, 'sample.m4a')).toContainText('Theatre')
  const all = tags.getByRole('button', { name: /^All/ })
  await all.click()
  // What is chosen before another list is there is chosen in the earlier one.
  await expect(all).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('checkbox', { name: 'Choose sample.m4a' }).check()
  await chosen.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete 1 recording?' })
  await expect(question).toContainText('Its text, summary and sound go too.')
  await expectEachAccessible(page)
  await question.getByRole('button', { name: 'Delete 1' }).click()
  await expect(toast(page, '1 recording is no longer in your library.')).toBeVisible()
  await expect(library(page)).toContainText('Nothing here yet.')
  await expect(chosen).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'sample.m4a')).toContainText('Theatre')
})

test('a recording is renamed, exported, deleted, and brought back', async ({ page }) => {
  await withSample(page)
  // From the dashboard, which shows the newest.
  await page.goto('/home')
  const more = (name: string) => page.getByRole('button', { name: `More for ${name}` }).click()
  await more('sample.m4a')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Monday meeting.m4a')
  await expectEachAccessible(page)
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await expect(library(page).getByRole('link', { name: 'Monday meeting.m4a' })).toBeVisible()
  await page.getByRole('link', { name: 'Open the library' }).click()
  await expect(page.getByRole('heading', { name: 'Library', level: 1 })).toBeFocused()

  await more('Monday meeting.m4a')
  await page.getByRole('menuitem', { name: 'Export as…' }).click()
  await dialog.getByRole('radio', { name: 'Data' }).check()
  await dialog.getByText('CSV', { exact: true }).click()
  await expect(dialog.getByRole('switch')).toHaveAccessibleName('Speakers’ names')
  await expect(dialog.getByRole('region', { name: 'The first lines' })).toContainText('speaker')
  await dialog.getByRole('radio', { name: 'Captions' }).check()
  await dialog.getByText('WebVTT', { exact: true }).click()
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

  // The toast goes soon. In the library it is brought back for as long as the server can.
  await more('Monday meeting.m4a')
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  const places = page.getByRole('navigation', { name: 'Main' })
  await places.getByRole('link', { name: 'Library' }).click()
  await expect(page.getByRole('main')).toContainText('Monday meeting.m4a deleted.')
  await expectEachAccessible(page)
  await page.getByRole('button', { name: 'Bring it back' }).click()
  await expect(page.getByRole('link', { name: 'Monday meeting.m4a' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Bring it back' })).toHaveCount(0)
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
  await openHome(page)
  await expect(page.getByText('Nothing here yet.')).toBeVisible()
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

if (isLong)
  test('the sound of a video over the limit is taken out in the browser', async ({ page }) => {
    // Uncompressed pictures: they are large and quickly made.
    const options =
      '-f lavfi -i sine=frequency=300:duration=20 -f lavfi -i testsrc=s=1280x720:r=3:d=20 ' +
      '-c:v rawvideo -pix_fmt uyvy422 -c:a aac -b:a 64k'
    const video = await media('lecture.mov', ...options.split(' '))
    await openHome(page)
    await page.locator('input[type=file]').setInputFiles(video)
    await expect(page.getByRole('alert')).toContainText('File size must be less than 100MB.')
    await expectEachAccessible(page)
    await page.getByRole('button', { name: 'Take out the sound' }).click()
    await expect(page.getByRole('heading', { name: 'lecture.m4a' })).toBeVisible({
      timeout: 60_000,
    })
    await expect(page.getByText('0:20')).toBeVisible()
    const begun = page.waitForRequest('**/api/uploads')
    await page.getByRole('button', { name: 'Start Transcription' }).click()
    expect((await begun).postDataJSON()).toMatchObject({ isSoundOfVideo: true })
  })
