/**
 * What a language model writes, from the order to the page, on a server with a stand-in for one. The
 * rooms say what is charged and what is refused, and journeys with answers that are made how it is shown.
 */
import { readFile } from 'node:fs/promises'

import { expect } from '@playwright/test'

import {
  addSample,
  correct,
  expectAccessible,
  expectCredits,
  expectEachAccessible,
  haveAccount,
  haveDocuments,
  openSample,
  openSampleToGenerate,
  toast,
  transcript,
  turnEditor,
} from './steps.ts'
import { test } from './with-model.ts'

test('a text is translated, read beside the original, corrected, and taken away', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await haveAccount(page)
  await openSample(page)
  await page.getByRole('button', { name: /^Aa/ }).click()
  const dialog = page.getByRole('dialog', { name: 'How the text is shown' })
  await expect(dialog).toContainText('1 credit for a language, when it is there.')
  const translate = dialog.getByRole('button', { name: 'Translate' })
  await expect(translate).toHaveCount(0)
  await dialog.getByLabel('In another language').selectOption('de')
  await expectAccessible(page)
  await translate.click()
  await expect(dialog.getByRole('button', { name: /the translation into German$/ })).toBeVisible()
  await page.keyboard.press('Escape')
  const note = page.getByRole('region', { name: 'Translation into German' })
  await expect(note).toContainText('Translated by a machine. Check it before you quote it.')
  await expectCredits(page, 9)
  const panel = transcript(page)
  const first = panel.locator('[data-turn="0"]')
  await expect(first.locator('[lang=de]')).toBeVisible()
  await expect(first.locator('[data-turn-text]')).toBeVisible()
  // A press on it plays the turn, and what is said is marked as before.
  await first.locator('[data-translation]').click()
  await expect(panel.locator('[data-now]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expectEachAccessible(page)
  // The two texts give way to the fields of the chapters.
  const opened = new URL(page.url()).searchParams.get('t')
  const chapters = [{ title: 'Why the price went up', start: 0 }]
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const path = `/api/transcriptions/${opened}/chapters`
  expect((await page.request.put(path, { data: { chapters }, headers })).ok()).toBe(true)
  await page.reload()
  const pencil = page.getByRole('button', { name: 'Change the chapter at 0:00' })
  await pencil.click()
  await expect(page.getByRole('textbox', { name: 'Name of chapter 1' })).toBeFocused()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(pencil).toBeFocused()
  await note.getByRole('button', { name: 'German' }).click()
  await dialog.getByText('Alone', { exact: true }).click()
  await expect(first.locator('[data-turn-text]')).toBeHidden()
  await dialog.getByText('Beside', { exact: true }).click()
  await page.keyboard.press('Escape')

  await correct(page, first)
  await turnEditor(page).fill('This is quite another text than the one that was there before.')
  await page.keyboard.press('Enter')
  await expect(note).toContainText('The text has changed since in 1 place.')
  await note.getByRole('button', { name: 'Translate it again' }).click()
  await expect(note).not.toContainText('has changed since')
  await expectCredits(page, 9)

  await page.getByRole('tab', { name: 'Export' }).click()
  await page.getByRole('radio', { name: 'Captions' }).check()
  await page.getByText('WebVTT', { exact: true }).click()
  await page.getByText('More choices').click()
  await page.getByLabel('Language').selectOption('de')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect(file.suggestedFilename()).toBe('sample.de.vtt')
  const captions = await readFile(await file.path(), 'utf8')
  expect(captions).toContain('Language: de\nTranslated into German by a language model')
  await expectEachAccessible(page)
})

test('a type of one’s own is tried on the sample, saved, ordered, changed and deleted', async ({
  page,
}) => {
  await haveDocuments(page)
  const panel = await openSampleToGenerate(page)
  await panel.getByRole('button', { name: 'New type of document' }).click()
  const dialog = page.getByRole('dialog', { name: 'New type of document' })
  await dialog.getByRole('button', { name: 'Begin with an example' }).click()
  await dialog.getByText('Short', { exact: true }).click()
  const trial = dialog.getByRole('region', { name: 'Trial on the sample' })
  await trial.getByRole('button', { name: 'Try it on the sample' }).click()
  await expect(trial.getByRole('heading', { name: 'What was said' })).toBeVisible()
  await expect(trial).toContainText(/\d+ words · written in [\d.]+ s/)
  await expect(trial).toContainText('9 of 10 left for today')
  await expectAccessible(page)

  // What is not saved is not thrown away by a slip.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep writing' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Please give the type a name.')
  await dialog.getByLabel('Name').fill('Weekly report')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('radio', { name: 'Weekly report' })).toBeChecked()

  await expectCredits(page, 160)
  await panel.getByRole('button', { name: 'Create document' }).click()
  const row = panel.getByRole('list').first().locator('> li').first()
  await expect(row).toContainText('generated')
  await expect(row).toContainText('Weekly report ·')
  await row.getByText('Instructions', { exact: true }).click()
  await expect(row).toContainText('Begin with the one thing they have to know.')
  await expectCredits(page, 159)

  await panel.getByRole('link', { name: 'Change your types' }).click()
  await page.getByRole('button', { name: 'Change Weekly report' }).click()
  await page.getByLabel('Name').fill('Monthly report')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Delete Monthly report' }).click()
  await expect(toast(page, 'Monthly report deleted')).toBeVisible()
  await expect(page.getByText('No types of your own yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Change Monthly report' })).toBeVisible()
  await expectAccessible(page)
})

test('a summary is written again as it was asked for, and the one before comes back', async ({
  page,
}) => {
  await haveAccount(page)
  await page.goto(`/home?t=${await addSample(page)}#summary`)
  const points = page.getByRole('region', { name: 'Key points' })
  const old = 'Nobody remembers why the price was raised.'
  await expect(points).toContainText(old)
  const again = page.getByRole('button', { name: 'Write it again' })
  await again.click()
  const dialog = page.getByRole('dialog', { name: 'Write it again' })
  await expect(dialog).toContainText('What you changed is kept.')
  await dialog.getByLabel('Summary Language').selectOption('en')
  await dialog.getByText('Short', { exact: true }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(again).toBeFocused()

  await again.click()
  await dialog.getByText('Short', { exact: true }).click()
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Write it again' }).click()
  expect((await asked).postDataJSON()).toMatchObject({ length: 'short' })
  const note = page.locator('#summary-note')
  await expect(note).toHaveText('A new one is being written…')
  await expect(note).toBeFocused()
  await expect(points).toContainText(old)
  await expect(toast(page, 'The new summary is there')).toBeVisible()
  await expect(note).toContainText('Written by AI from this transcript.')
  await expect(points).not.toContainText(old)
  // It is asked for as the last time.
  await again.click()
  await expect(dialog.getByRole('radio', { name: 'Short' })).toBeChecked()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Back to the one before' }).click()
  await expect(points).toContainText(old)
  await expect(note).toBeFocused()
  await expect(page.getByRole('button', { name: 'Back to the one before' })).toBeHidden()
})
