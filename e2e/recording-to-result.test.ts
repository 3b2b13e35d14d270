import { readFile } from 'node:fs/promises'

import { expect, test } from '@playwright/test'

import { isLong, times } from '../test/long.ts'
import { hasRealModel } from '../test/real-model.ts'
import {
  chooseFile,
  expectAccessible,
  expectCredits,
  expectEachAccessible,
  media,
  openHome,
  sample,
  toast,
  upload,
} from './steps.ts'

const SENTENCE = 'talked for almost an hour, and I remember everything except the reason.'

test('a recording becomes a text, a summary and two speakers, for the price that was shown', async ({
  page,
}) => {
  test.slow()
  const recording = isLong ? sample : await media('sample.m4a', '-t', '28', '-i', sample)
  await openHome(page)
  await expectCredits(page, 10)
  // Before a file is sent, the page says which languages the recogniser understands.
  await page.getByRole('button', { name: 'Formats' }).click()
  await expect(page.getByText('understands English only')).toBeVisible()
  await expectAccessible(page)

  await chooseFile(page, recording)
  await expect(page.getByText(/About .* You confirm before/)).toBeVisible()
  await expectEachAccessible(page)
  await page.getByRole('button', { name: 'Start Transcription' }).click()
  const bill = page.getByRole('alertdialog')
  await expect(bill).toContainText('sample.m4a')
  await expect(bill).toContainText('Credits required')
  await expect(bill).toContainText('Credits remaining after')
  const length = (await bill.locator('time').first().textContent())!
  await expectAccessible(page)
  await bill.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, '1 credit deducted. 9 credits remaining.')).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Processing Your File' })).toBeVisible()
  await expect(page.getByText('File uploaded successfully')).toBeVisible()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expectCredits(page, 9)
  await expectAccessible(page)

  // A reload finds the running job again.
  await page.reload()
  await expect(
    page
      .getByRole('heading', { name: 'Processing Your File' })
      .or(page.getByRole('tab', { name: 'Transcription' })),
  ).toBeVisible()

  await expect(page.getByRole('tab', { name: 'Transcription' })).toBeVisible({
    timeout: times(60_000, 180_000),
  })
  await expect(page.getByRole('heading', { name: 'sample.m4a' })).toBeVisible()
  await expect(page.getByText('English').first()).toBeVisible()
  const text = page.getByRole('tabpanel', { name: 'Transcription' })
  // Most of a sentence as it was said, word for word.
  if (hasRealModel) await expect(text).toContainText(SENTENCE)
  await expect(text).toContainText('Speaker A')
  await expect(text).toContainText('Speaker B')
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Summary' }).click()
  const summary = page.getByRole('tabpanel', { name: 'Summary' })
  await expect(summary).toContainText(
    'Sentences taken from this transcript. No language model is set up on this server.',
  )
  // Half a minute has a summary alone. A press on a key point's time shows the words that it was taken from.
  if (isLong) {
    await expect(summary).toContainText('Key points')
    await summary
      .getByRole('button', { name: /Said at/ })
      .first()
      .click()
    await expect(summary.locator('mark')).not.toBeEmpty()
  }
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Speakers' }).click()
  const speakers = page.getByRole('tabpanel', { name: 'Speakers' })
  await expect(speakers).toContainText('Speaker A')
  await expect(speakers).toContainText('Speaker B')
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Export' }).click()
  await expect(page.getByRole('button', { name: 'Download All Results' })).toBeVisible()
  const firstLines = page.getByRole('region', { name: 'The first lines' })
  await expect(firstLines).toContainText('Speaker A')
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'Captions' }).check()
  await expect(firstLines).toContainText('-->')
  await expect(page.getByRole('button', { name: /^Rules for reading/ })).toContainText(
    /All \d+ fit|\d+ do(es)? not fit/,
  )
  await expectEachAccessible(page)
  const captions = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  expect((await captions).suggestedFilename()).toBe('sample.srt')
  // The next recording is offered as captions too.
  expect(await page.evaluate("localStorage.getItem('exported-as')")).toMatch(/^srt /)

  await page.getByRole('tab', { name: 'Transcription' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('transcription-sample.m4a.txt')
  expect(await readFile(await download.path(), 'utf8')).toContain('Speaker B')
  await expect(toast(page, 'Downloaded!')).toBeVisible()

  await page.getByRole('button', { name: 'Process New File' }).click()
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'sample.m4a' })).toBeVisible()
  await expectCredits(page, 9)
  await expectEachAccessible(page)
  // What was shown before is what is shown ever after.
  const row = page.getByRole('row', { name: /sample\.m4a/ })
  await expect(row.locator('time').first()).toHaveText(length)
  await page.goto('/account/credits')
  const line = page.getByRole('listitem').filter({ hasText: 'sample.m4a' })
  await expect(line.locator('time[datetime^=PT]')).toHaveText(length)
  await expect(line).toContainText('Change −1')
  await expect(line).toContainText('Balance 9')
})

if (isLong)
  test('the day that a file says it was recorded is shown with its price, and can be changed there', async ({
    page,
  }) => {
    const made = ['-metadata', 'creation_time=2024-09-03T10:02:00Z']
    await openHome(page)
    await upload(page, await media('talk.m4a', '-i', sample, '-t', '6', ...made))
    const price = page.getByRole('alertdialog', { name: 'Confirm credits' })
    await price.getByRole('button', { name: 'Recorded Sep 3, 2024' }).click()
    const asked = page.getByRole('dialog', { name: 'When was this recorded?' })
    await asked.getByLabel('Day').fill('2024-03-04')
    await expectAccessible(page)
    await asked.getByRole('button', { name: 'Save day' }).click()
    await expect(price.getByRole('button', { name: 'Recorded Mar 4, 2024' })).toBeFocused()
    const waiting = await page.request.get('/api/transcriptions?status=open')
    expect(await waiting.json()).toMatchObject([{ recordedAt: '2024-03-04' }])
  })
