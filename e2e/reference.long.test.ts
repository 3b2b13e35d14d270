/** A developer reads how to call the API. */
import { expect, test } from '@playwright/test'

import { operations } from '../src/features/developers/ui/api-document.ts'
import { examples, languages, verifying } from '../src/features/developers/ui/examples.ts'
import { expectAccessible, expectEachAccessible } from './steps.ts'

test('the reference page shows every example as it is run, in three languages', async ({
  page,
}) => {
  await page.goto('/api')
  await expect(page.getByRole('heading', { name: 'The API', level: 1 })).toBeVisible()
  await expectAccessible(page)
  const shown = await page.locator('pre').allTextContents()
  const { origin } = new URL(page.url())
  const real = (code: string) => code.replaceAll('__PUBLIC_URL__', origin)
  for (const example of Object.values(examples))
    for (const { id } of languages) expect(shown).toContain(real(example[id]))
  expect(shown).toContain(verifying)
  for (const { path } of operations) await expect(page.getByText(path).first()).toBeAttached()

  const tab = page.getByRole('tab', { name: 'Python' })
  await tab.first().click()
  await expect(page.getByRole('region', { name: 'Create a transcription, Python' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Create a transcription, cURL' })).toBeHidden()
  await page.keyboard.press('ArrowLeft')
  await expect(
    page.getByRole('region', { name: 'Create a transcription, JavaScript' }),
  ).toBeVisible()
  await page.reload()
  await expect(
    page.getByRole('region', { name: 'Create a transcription, JavaScript' }),
  ).toBeVisible()
  await expectEachAccessible(page)

  // A page without https has no clipboard, and copies all the same.
  await page.evaluate('delete Navigator.prototype.clipboard')
  const copy = page.locator('[data-copy]').first()
  await copy.click()
  await expect(copy).toHaveText('Copied!')
})
