/** A type of document of one's own, on a server with a language model that is a stand-in. */
import { expect } from '@playwright/test'

import {
  expectAccessible,
  expectCredits,
  haveDocuments,
  openSampleToGenerate,
  toast,
} from './steps.ts'
import { test } from './with-model.ts'

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
