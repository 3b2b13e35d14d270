import { readFile } from 'node:fs/promises'

import { expect, test } from '@playwright/test'

import { answerWith, failed, id, job, refuse, result, taken, user } from './states/answers.ts'
import {
  chooseFile,
  expectEachAccessible,
  expectCredits,
  media,
  sample,
  openHome,
  toast,
  upload,
} from './steps.ts'

test('a file of the wrong kind or size is refused before it is sent', async ({ page }) => {
  await openHome(page)
  await chooseFile(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hi') })
  await expect(page.getByRole('alert')).toContainText(
    'File format not supported. Please use: FLAC, M4A, MP3, MP4, MPEG, OGG, OPUS, WAV, or WebM.',
  )
  await expect(page.getByRole('button', { name: 'Start Transcription' })).toHaveCount(0)
})

test('a file that only looks like a recording is refused, and can be put right', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 560 })
  await openHome(page)
  const buffer = Buffer.from('this is a letter and no music\n'.repeat(50))
  await chooseFile(page, { name: 'letter.mp3', mimeType: 'audio/mpeg', buffer })
  await page.getByRole('button', { name: 'Start Transcription' }).click()
  await expect(toast(page, 'Upload Failed')).toBeVisible()
  // On a phone the button that was pressed stands far below the name. The page goes back to it.
  await expect(page.getByRole('heading', { name: 'letter.mp3' })).toBeInViewport()
  await expect(page.getByRole('alert')).toContainText('not a recording we can read')
  await expect(page.getByRole('alert')).toBeInViewport()
  await page.setViewportSize({ width: 1280, height: 720 })
  await expectCredits(page, 10)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Drag and drop your file here, or click to browse')).toBeVisible()
})

test('a silent file is said to be silent before it is paid for; cancelling the bill removes it and charges nothing', async ({
  page,
}) => {
  const silent = await media('silent.wav', '-f', 'lavfi', '-i', 'anullsrc=r=8000', '-t', '3')
  const said = 'This file seems to be silent.'
  await openHome(page)
  await chooseFile(page, silent)
  await expect(page.getByText(said)).toBeVisible()
  await page.getByRole('button', { name: 'Start Transcription' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(said)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Listen to it' }).click()
  await expect(page.getByRole('button', { name: 'Play the recording' })).toBeVisible()
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' })).toBeEnabled()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, 'File has been removed and no credits were charged.')).toBeVisible()
  await expectCredits(page, 10)
  await page.reload()
  await expect(page.getByText('Waiting for your confirmation')).toHaveCount(0)
})

test('a recording without speech fails in plain words and gives its credits back', async ({
  page,
}) => {
  const errorMessage = 'No speech was found in this recording. Your credits were returned.'
  const silent = failed({
    errorMessage,
    errorCode: 'no_speech',
    canRetry: false,
    creditsRequired: 1,
    creditsReturned: 1,
  })
  await answerWith(page, {
    ...result(silent),
    'GET /api/user': user({ credits: 10 }),
    [`POST /api/transcriptions/${id(10)}/retry`]: refuse('too_many_unpaid_jobs'),
  })
  await page.goto(`/dashboard?t=${id(10)}`)
  const card = page.getByRole('region', { name: 'Processing Failed' })
  // The message stands whole, and tells of the credits; the balance stands after it.
  await expect(card).toContainText(
    /No speech was found in this recording\. Your credits were returned\. Your recording is safe\. Your balance is 10\./,
  )
  await expectCredits(page, 10)
  // Another try would find no speech either.
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await expectEachAccessible(page)
  // In another language there may be words.
  await card.getByRole('button', { name: 'Transcribe again…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transcribe again' })
  await dialog.getByLabel('Spoken language').selectOption('de')
  await expectEachAccessible(page)
  const asked = page.waitForRequest(`**/api/transcriptions/${id(10)}/retry`)
  await dialog.getByRole('button', { name: 'Transcribe again' }).click()
  expect((await asked).postDataJSON()).toEqual({ language: 'de' })
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Process New File' }).click()
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeVisible()
})

test('that a file costs more than there is is said before it is sent', async ({ page }) => {
  await answerWith(page, { 'GET /api/user': user({ credits: 0 }) })
  await page.goto('/dashboard')
  await chooseFile(page, sample)
  await expect(page.getByRole('main')).toContainText(
    'About 1 credit, and you have 0: 1 too few. Buy Credits',
  )
})

test('a price beyond the balance is said, and cannot be confirmed', async ({ page }) => {
  await answerWith(page, {
    'GET /api/user': user({ credits: 10 }),
    [`GET /api/transcriptions/${id(10)}`]: job({
      status: 'uploading',
      originalName: 'long.opus',
      duration: 2_700,
      creditsRequired: 15,
    }),
    ...taken({
      transcriptionId: id(10),
      filename: 'long.opus',
      duration: 2_700,
      creditsRequired: 15,
      creditsAvailable: 10,
    }),
  })
  await page.goto('/dashboard')
  await upload(page, sample)
  const bill = page.getByRole('alertdialog')
  await expect(bill.getByRole('alert')).toContainText(
    'Insufficient credits. You need 5 more credits to process this file.',
  )
  await expect(bill.getByRole('button', { name: 'Confirm' })).toBeDisabled()
  await expect(bill.getByRole('link', { name: /Buy Credits/ })).toBeVisible()
  await expectEachAccessible(page)
})

test('a name full of mischief is shown as it is, and harms nothing', async ({ page }) => {
  await openHome(page)
  const name = `../"quotes" & <img src=x onerror=alert(1)> 🎙\n.wav`
  const file = await media('tone.wav', '-f', 'lavfi', '-i', 'sine=frequency=300', '-t', '3')
  const dialogs: string[] = []
  page.on('dialog', (dialog) => dialogs.push(dialog.message()))
  await chooseFile(page, { name, mimeType: 'audio/wav', buffer: await readFile(file) })
  await page.getByRole('button', { name: 'Start Transcription' }).click()
  const bill = page.getByRole('alertdialog')
  await expect(bill).toContainText('<img src=x onerror=alert(1)> 🎙')
  await bill.getByRole('button', { name: 'Cancel' }).click()
  expect(dialogs).toEqual([])
})
