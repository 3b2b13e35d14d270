/** How it is told that a summary is written again. */
import { expect, test } from '@playwright/test'

import type { SummaryAgain } from '../src/features/transcriptions/contract.ts'
import { isLong } from '../test/long.ts'
import { nothing } from '../test/promises.ts'
import { answerWith, id, job, result } from './states/answers.ts'

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

if (isLong)
  test('without a language model nobody is offered another summary', async ({ page }) => {
    await answerWith(page, { ...result(), 'GET /api/capabilities': nothing })
    await page.goto(`/dashboard?t=${id(10)}#summary`)
    await expect(page.getByText('Most people read the minutes').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Write it again' })).toHaveCount(0)
  })
