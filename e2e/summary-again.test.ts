/** A summary that is written again, by a stand-in for a language model. */
import { expect } from '@playwright/test'

import type { SummaryAgain } from '../src/features/transcriptions/contract.ts'
import { nothing } from '../test/promises.ts'
import { answerWith, id, job, result } from './states/answers.ts'
import { addSample, expectAccessible, haveAccount, toast } from './steps.ts'
import { test } from './with-model.ts'

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

test('what came of writing a summary again is said under the one that stays', async ({ page }) => {
  const one = `/api/transcriptions/${id(10)}`
  const again = (status: SummaryAgain['status']): SummaryAgain => ({
    status,
    language: 'en',
    length: 'medium',
    canGoBack: true,
  })
  let status: SummaryAgain['status'] = 'writing'
  await answerWith(page, {
    ...result(),
    [`GET ${one}`]: (route) =>
      route.fulfill({
        json: job({ summaryPending: status === 'writing', summaryAgain: again(status) }),
      }),
  })
  await page.goto(`/dashboard?t=${id(10)}#summary`)
  const note = page.locator('#summary-note')
  await expect(note).toHaveText('A new one is being written…')
  await expect(page.getByRole('button', { name: 'Write it again' })).toHaveCount(0)
  status = 'not_better'
  await expect(note).toContainText('The new one was not good enough, so the one before stays.')
  await expect(page.getByRole('button', { name: 'Write it again' })).toBeVisible()

  // On the next visit there is nothing to say of it.
  await page.reload()
  await expect(note).toHaveText(/^Written by AI from this transcript/)
})

test('without a language model nobody is offered another summary', async ({ page }) => {
  await answerWith(page, { ...result(), 'GET /api/capabilities': nothing })
  await page.goto(`/dashboard?t=${id(10)}#summary`)
  await expect(page.getByText('Most people read the minutes').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Write it again' })).toHaveCount(0)
})
