import { expect } from '@playwright/test'

import { freshTest as test } from './journey.ts'
import { expectAccessible, expectEachAccessible, signUp, toast } from './steps.ts'

test.use({ permissions: ['microphone'] })

test('a recording from the microphone survives the page and goes the way of every file', async ({
  page,
}) => {
  await signUp(page)
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('Make sure everyone knows they are being recorded.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start recording' }).click()
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused')).toBeVisible()
  await expectEachAccessible(page)
  await page.getByRole('button', { name: 'Resume' }).click()
  // Waits until the first piece is stored in the browser. Then the page is closed. On a busy machine
  // the test may look more than a second after its last look.
  await expect(page.getByText(/^0:(0[6-9]|[1-5]\d)$/)).toBeVisible()
  const asked = page.waitForEvent('dialog')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  expect((await asked).type()).toBe('beforeunload')

  const left = page.getByRole('region', { name: 'Recording left behind' })
  await expect(left).toContainText('Recover the recording from')
  await expectEachAccessible(page)
  await left.getByRole('button', { name: 'Recover' }).click()
  await expect(
    page.getByRole('heading', { name: /^recording-\d{4}-\d\d-\d\d-\d{4}\.webm$/ }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Start Transcription' }).click()
  const bill = page.getByRole('alertdialog')
  await expect(bill).toContainText('Credits required')
  await bill.getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, 'Upload Cancelled')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible()

  // The server has the recording, so the browser keeps nothing.
  await page.reload()
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible()
  await expect(left).toHaveCount(0)
})
