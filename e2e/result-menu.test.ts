/** What can be done with a whole result is in its menu, in a wide window and on a phone alike. */
import { readFile } from 'node:fs/promises'

import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { answerWith, again, id, result } from './states/answers.ts'
import {
  expectAccessible,
  expectEachAccessible,
  openSample,
  haveAccount,
  sample,
  toast,
} from './steps.ts'

const more = (page: Page) => page.getByRole('button', { name: 'More for this result' })
async function choose(page: Page, name: string): Promise<void> {
  await more(page).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('a result is renamed, given its day, tagged, deleted and brought back from its own page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await haveAccount(page)
  await openSample(page)
  await choose(page, 'Rename…')
  await page.getByRole('textbox', { name: 'Name' }).fill('Monday.m4a')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('heading', { name: 'Monday.m4a', level: 1 })).toBeVisible()
  await expect(more(page)).toBeFocused()

  await choose(page, 'Recorded on…')
  await page.getByLabel('Day').fill('2024-09-03')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save day' }).click()
  await expect(more(page)).toBeFocused()
  await choose(page, 'About this recording')
  const about = page.getByRole('dialog', { name: 'About this recording' })
  await expect(about).toContainText('Recorded Sep 3, 2024')
  await expectEachAccessible(page)
  await page.keyboard.press('Escape')
  // It may be unknown again.
  await choose(page, 'Recorded on…')
  await page.getByLabel('Day').fill('')
  await page.getByRole('button', { name: 'Save day' }).click()
  await expect(more(page)).toBeFocused()

  await choose(page, 'Tag…')
  const dialog = page.getByRole('dialog', { name: 'Tag 1 recording' })
  await dialog.getByRole('textbox', { name: 'Find or name a tag' }).fill('Theatre')
  const tagged = page.waitForResponse('**/api/transcriptions/tags')
  await dialog.getByRole('button', { name: 'New tag “Theatre”' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Theatre' })).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await tagged
  await page.reload()
  await choose(page, 'Tag…')
  await expect(dialog.getByRole('checkbox', { name: 'Theatre' })).toBeChecked()
  await page.keyboard.press('Escape')

  await choose(page, 'Delete')
  await expect(toast(page, 'Monday.m4a is no longer in your library.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'Monday.m4a' })).toBeVisible()
})

if (isLong)
  test('a recording is saved from the menus of its result and its row, until it is deleted', async ({
    page,
  }) => {
    await haveAccount(page)
    await openSample(page)
    const saved = async (choosing: Promise<void>) => {
      const [download] = await Promise.all([page.waitForEvent('download'), choosing])
      expect(download.suggestedFilename()).toBe('sample.m4a')
      expect((await readFile(await download.path())).equals(await readFile(sample))).toBe(true)
    }
    await more(page).click()
    // With its size, for who pays for what is fetched.
    await saved(page.getByRole('menuitem', { name: /^Save the recording \d[\d.]* [KM]B$/ }).click())
    const result = page.url()
    await page.goto('/library')
    await page.getByRole('button', { name: 'More for sample.m4a' }).click()
    await saved(page.getByRole('menuitem', { name: 'Download recording' }).click())

    await page.goto(result)
    await more(page).click()
    await page.getByRole('menuitem', { name: /^Delete the recording now It is kept until/ }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Delete the recording' })
      .click()
    await expect(page.getByRole('region', { name: 'Player' })).toContainText(
      'The recording was deleted',
    )
    await more(page).click()
    await expect(page.getByRole('menuitem', { name: 'Rename…' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Save the recording' })).toHaveCount(0)
  })

if (isLong)
  test('the list of keys and the text from before are found in the menu', async ({ page }) => {
    const keptUntil = new Date(Date.now() + 86_400_000).toISOString()
    const earlier = again({ earlier: { keptUntil } })
    await answerWith(page, { ...result(), [`GET /api/transcriptions/${id(10)}/again`]: earlier })
    await page.goto(`/dashboard?t=${id(10)}`)
    await choose(page, 'Keyboard shortcuts')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await page.keyboard.press('Escape')
    await choose(page, 'Versions…')
    const dialog = page.getByRole('dialog', { name: 'The text from before' })
    await expect(dialog.getByRole('button', { name: 'Go back to the earlier text' })).toBeVisible()
    await page.keyboard.press('Escape')

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('keyboard')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  })

test('the player is reached from the top with two keys', async ({ page }) => {
  await answerWith(page, result())
  await page.goto(`/dashboard?t=${id(10)}`)
  await page.getByRole('button', { name: 'Skip to the player' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeFocused()

  const gone = { recordingKeptUntil: null, recordingDeletedAt: '2026-11-20T09:14:00.000Z' }
  await answerWith(page, result(gone))
  await page.reload()
  await page.getByRole('button', { name: 'Skip to the player' }).press('Enter')
  const player = page.getByRole('region', { name: 'Player' })
  await expect(player).toBeFocused()
  await expect(player).toContainText('The recording was deleted')
})
