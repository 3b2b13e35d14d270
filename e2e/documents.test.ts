/** Documents of a recording, from the order to the page and the file. */
import { expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import {
  cancelJob,
  expectAccessible,
  expectEachAccessible,
  expectCredits,
  media,
  openSampleToGenerate,
  post,
  orderDocument,
  sample,
  openHome,
  haveDocuments,
  toast,
} from './steps.ts'

test('a document is made of the sample as it is cut, read, and taken away', async ({ page }) => {
  await haveDocuments(page)
  const panel = await openSampleToGenerate(page)
  await expect(panel).toContainText('the transcript as it stands now')
  const recording = new URL(page.url()).searchParams.get('t')
  await post(page, `/api/transcriptions/${recording}/cuts`, { cut: [{ start: 0, end: 18 }] })
  await page.reload()
  await expect(panel).toContainText('the transcript as it is cut now')
  await expectCredits(page, 160)
  await expect(panel).toContainText(
    'Documents are written during upload too. Tick Generate Document when you add a file.',
  )
  await expect(panel.getByRole('button', { name: 'Process New File with Documents' })).toBeVisible()
  const create = panel.getByRole('button', { name: 'Create document' })
  await expect(create).toBeDisabled()
  // Nothing has to be scrolled to see it.
  await expect(create).toBeInViewport({ ratio: 1 })
  await expect(panel.getByRole('radio', { name: 'Show notes' })).toBeVisible()
  await expectEachAccessible(page)
  const row = await orderDocument(panel, 'Key insights')
  await expect(row).toContainText('key insights')
  const title = row.getByRole('heading')
  await expect(title, 'the page does not move by itself').not.toBeInViewport()
  await panel.getByRole('button', { name: 'Read it' }).click()
  await expect(title).toBeFocused()
  await expect(title).toBeInViewport({ ratio: 1 })
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText([
    'A document from this recording',
    '1 document',
  ])
  await expectCredits(page, 159)
  await row.getByRole('button', { name: 'Read all' }).click()
  await expect(row).not.toContainText('price')
  await expect(row.getByRole('button', { name: 'Show less' })).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: 'Download .txt' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.txt$/)
  await expect(toast(page, 'Downloaded!')).toBeVisible()
  await page.getByRole('button', { name: 'Other formats' }).first().click()
  const [word] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Word (.docx)' }).click(),
  ])
  expect(word.suggestedFilename()).toMatch(/\.docx$/)
  await expectAccessible(page)
})

test('a recording sent with a document is priced and charged with it', async ({ page }) => {
  await haveDocuments(page)
  await page.goto('/home')
  await page.locator('input[type=file]').setInputFiles(sample)
  const start = page.getByRole('button', { name: /^Start Transcription/ })
  await page.getByRole('checkbox', { name: /Generate Document/ }).check()
  await expect(start).toHaveText('Start Transcription + Document')
  await expect(start).toBeDisabled()
  await page.getByRole('radio', { name: 'Article' }).check()
  await page.getByRole('checkbox', { name: 'Include image suggestions' }).check()
  await expectEachAccessible(page)
  await page.getByRole('radio', { name: 'Meeting minutes' }).check()
  await expect(page.getByRole('checkbox', { name: 'Include image suggestions' })).toHaveCount(0)
  // Unticking the box clears the type as well.
  await page.getByRole('checkbox', { name: /Generate Document/ }).uncheck()
  await expect(start).toHaveText('Start Transcription')
  await page.getByRole('checkbox', { name: /Generate Document/ }).check()
  await expect(start).toBeDisabled()
  await page.getByRole('radio', { name: 'Meeting minutes' }).check()
  await start.click()
  const bill = page.getByRole('alertdialog')
  await expect(bill).toContainText('Documentput together from sentences of the transcript')
  await bill.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, '2 credits deducted. 158 credits remaining.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Processing Your File' })).toBeVisible()
  await cancelJob(page)
  await expectCredits(page, 160)
})

if (isLong)
  test('a document of each of several files is chosen in their bill, and priced with it', async ({
    page,
  }) => {
    await haveDocuments(page)
    await page.goto('/home')
    const tone = await media('tone.wav', '-f', 'lavfi', '-i', 'sine=r=8000', '-t', '3')
    await page.locator('input[type=file]').setInputFiles([sample, tone])
    const bill = page.getByRole('region', { name: '2 files chosen' })
    await expect(bill.getByRole('button', { name: 'Confirm 2 credits' })).toBeEnabled()
    await bill.getByRole('checkbox', { name: 'Generate Document +1 credit each' }).check()
    const confirm = bill.getByRole('button', { name: 'Confirm 4 credits' })
    await expect(confirm).toBeDisabled()
    await expect(bill).toContainText('Choose a document type first.')
    await bill.getByRole('radio', { name: 'Meeting minutes' }).check()
    await expectEachAccessible(page)
    await confirm.click()
    await expect(toast(page, '4 credits deducted. 156 credits remaining.')).toBeVisible()
  })

if (isLong)
  test('a plan without documents sees one quiet line, and no Generate tab', async ({ page }) => {
    await openHome(page)
    await page.locator('input[type=file]').setInputFiles(sample)
    await expect(page.getByText('Documents are part of Professional.')).toBeVisible()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Open the sample (free)' }).click()
    await expect(page.getByRole('tab')).toHaveCount(4)
  })
