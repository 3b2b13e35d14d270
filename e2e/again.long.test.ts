/** A recording is transcribed again by the real recogniser, and its voices told apart again. */
import { expect, test } from '@playwright/test'

import {
  correct,
  expectCredits,
  media,
  sample,
  openHome,
  toast,
  transcript,
  turnEditor,
  upload,
  saved,
} from './steps.ts'

test('a recording is transcribed again with its correction kept, then its speakers are told apart', async ({
  page,
}) => {
  test.slow()
  await openHome(page)
  await upload(page, await media('short.m4a', '-t', '9', '-i', sample))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('tab', { name: 'Transcription' })).toBeVisible({ timeout: 60_000 })
  await correct(page, transcript(page).getByRole('listitem').first())
  await turnEditor(page).press('Home')
  await turnEditor(page).pressSequentially('Zephyrine ')
  await turnEditor(page).press('Control+Enter')
  await expect(saved(page)).toBeVisible()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await expect(undo).toBeVisible()

  await page.getByRole('button', { name: 'More for this result' }).click()
  await page.getByRole('menuitem', { name: 'Transcribe again…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transcribe again' })
  await expect(dialog).toContainText('Your correction is kept.')
  await expect(dialog).toContainText('Last time')
  await dialog.getByRole('button', { name: 'Transcribe again' }).click()
  await expect(page.getByText('Corrections wait until it is there.')).toBeVisible()
  await expect(transcript(page)).toContainText('Zephyrine')
  await expect(page.getByRole('button', { name: /^Correct the turn/ })).toHaveCount(0)
  // Words in doubt are still underlined in the text that can only be read.
  await expect
    .poll(() =>
      page.evaluate(`(() => {
        const marked = [...(CSS.highlights.get('check') ?? [])].map(String)
        return marked.length > 0 && marked.every(Boolean)
      })()`),
    )
    .toBe(true)
  await expect(toast(page, 'New text. Your correction is in it.')).toBeVisible({ timeout: 60_000 })
  await expect(transcript(page)).toContainText('Zephyrine')
  await expectCredits(page, 8)
  // What was corrected was the earlier text, so nothing is offered to be undone.
  await expect(undo).toHaveCount(0)

  await page.getByRole('button', { name: 'Go back to the earlier text' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click()
  await expect(toast(page, 'The earlier text is back')).toBeVisible()
  await expect(transcript(page)).toContainText('Zephyrine')

  await page.getByRole('tab', { name: 'Speakers' }).click()
  await page.getByRole('button', { name: 'Tell the speakers apart again' }).click()
  await page.getByText('Exactly', { exact: true }).click()
  await page.getByRole('button', { name: 'Tell them apart' }).click()
  await expect(toast(page, '2 speakers were found.')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('button', { name: 'Rename Speaker B' })).toBeVisible()
  await expectCredits(page, 8)
})
