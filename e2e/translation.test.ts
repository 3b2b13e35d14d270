/** A transcription in another language, by a stand-in for a language model. */
import { readFile } from 'node:fs/promises'

import { expect } from '@playwright/test'

import { everything } from '../test/promises.ts'
import { answerWith, id, inOther, result, translated } from './states/answers.ts'
import {
  correct,
  expectAccessible,
  expectCredits,
  expectEachAccessible,
  haveAccount,
  openSample,
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
  await expectAccessible(page)
})

test('what was translated is read, exported and deleted when the model is gone', async ({
  page,
}) => {
  const said = Array.from({ length: 4 }, () => ({ speaker: 0, text: 'Die Brücke ist zu.' }))
  await answerWith(page, {
    ...result(),
    ...translated({ changed: 1 }, inOther(said)),
    'GET /api/capabilities': { ...everything, translations: false },
    [`DELETE /api/transcriptions/${id(10)}/translations/de`]: {},
  })
  await page.goto(`/dashboard?t=${id(10)}&in=de`)
  await expect(page.locator('[data-translation]').first()).toContainText('Die Brücke ist zu.')
  const note = page.getByRole('region', { name: 'Translation into German' })
  await expect(note).toContainText('The text has changed since in 1 place.')
  await expect(note.getByRole('button', { name: 'Translate it again' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Export' }).click()
  await page.getByText('More choices').click()
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('tab', { name: 'Transcription' }).click()
  await page.getByRole('button', { name: /^Aa/ }).click()
  const dialog = page.getByRole('dialog', { name: 'How the text is shown' })
  await expect(dialog).toContainText('This server has no language model any more.')
  await dialog.getByRole('button', { name: 'Delete the translation into German' }).click()
  await expect(dialog.getByLabel('In another language')).toHaveCount(0)
})
