import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { answerWith, id } from './states/answers.ts'
import { batchOf } from './states/ways.ts'
import { expectAccessible, expectCredits, media, sample, openHome, toast } from './steps.ts'

const quiet = ['-f', 'lavfi', '-i', 'sine=frequency=300:r=8000']
const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono']
/** Half an hour costs ten credits. */
const halfAnHour = () => media('long.wav', ...silence, '-t', '1800', '-c:a', 'pcm_u8')

test('of five files one is refused and one is too dear; what arrived comes back, and is confirmed at once', async ({
  page,
}) => {
  // Two real files are worked on, one after the other.
  test.slow()
  const [speech, hum, tone, long] = await Promise.all([
    media('speech.wav', '-i', sample, '-t', '6', '-ac', '1'),
    media('hum.wav', ...quiet, '-t', '4'),
    media('tone.wav', ...quiet, '-t', '5'),
    halfAnHour(),
  ])
  const letter = await media('letter.aiff', ...quiet, '-t', '1')
  await openHome(page)
  await page.locator('input[type=file]').setInputFiles([speech, hum, tone, letter, long])

  const bill = page.getByRole('region', { name: '5 files chosen' })
  await expect(page.getByRole('heading', { name: '5 files chosen' })).toBeFocused()
  await expect(bill).toContainText('4 can be transcribed with 3 more credits, 1 cannot')
  await expect(bill.getByRole('listitem').filter({ hasText: 'letter.aiff' })).toContainText(
    'File format not supported.',
  )
  await expect(bill.getByRole('alert')).toContainText('You need 3 more credits for all four.')
  await expect(bill.getByRole('button', { name: 'Confirm 13 credits' })).toBeDisabled()
  await page.locator('input[type=file]').setInputFiles([hum])
  await expect(bill).toContainText('Already in this list.')
  // What is to be decided stays in view, and what is bought elsewhere is seen.
  await expect(bill.getByRole('button', { name: 'Confirm 13 credits' })).toBeInViewport()
  await bill.getByRole('button', { name: 'Keep the three that fit' }).click()
  await expect(page.getByRole('button', { name: 'Confirm 3 credits' })).toBeEnabled()
  await expect(page.locator('#batch-why')).toHaveText('You have 10 credits, and 7 afterwards.')
  await expectAccessible(page)

  // The page goes away before anything was confirmed.
  const waiting = async () => {
    const answer = await page.request.get('/api/transcriptions?status=open')
    return ((await answer.json()) as { originalName: string }[]).map((row) => row.originalName)
  }
  await expect
    .poll(async () => (await waiting()).sort())
    .toEqual(['hum.wav', 'speech.wav', 'tone.wav'])
  await page.reload()
  await expect(
    page.getByRole('heading', { name: '3 files waiting for your confirmation' }),
  ).toBeVisible()
  await expectCredits(page, 10)

  await page.getByRole('button', { name: 'Remove hum.wav' }).focus()
  await page.keyboard.press('Delete')
  await expect.poll(async () => (await waiting()).length).toBe(2)
  await page.getByRole('button', { name: 'Confirm 2 credits' }).click()
  await expect(page).toHaveURL(/\?batch=/)
  const head = page.getByRole('heading', { level: 2, name: /done/ })
  await expect(head).toBeFocused()
  await expect(head).toHaveText('1 done, 1 failed', { timeout: 60_000 })
  await expectCredits(page, 9)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Export all' }).click()
  await expect(page.getByRole('dialog')).toContainText('1 transcription, one file each')
  await page.setViewportSize({ width: 1280, height: 640 })
  await expect(page.getByRole('button', { name: 'Download' })).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Library', exact: true }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Open speech.wav' }).click()
  await expect(page.getByRole('heading', { name: 'speech.wav', level: 1 })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Process New File' }).click()
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeVisible()

  // What is there already is known again, and is paid for only once that is asked for.
  await page.locator('input[type=file]').setInputFiles([speech, hum])
  const known = page.getByRole('listitem').filter({ hasText: 'speech.wav' })
  await expect(known).toContainText('You have this one, from today.')
  await expect(page.getByRole('button', { name: 'Confirm 1 credit' })).toBeEnabled()
  await expectAccessible(page)
  // Where that is opened, nobody needs the copy.
  await known.getByRole('link', { name: 'Open it' }).click()
  await expect(page.getByRole('heading', { name: 'speech.wav', level: 1 })).toBeVisible()
  await expect(toast(page, 'Copy removed')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await known.getByRole('button', { name: 'Transcribe again · 1' }).click()
  await expect(page.getByRole('button', { name: 'Confirm 2 credits' })).toBeEnabled()

  // One alone is known before it is sent.
  await page.getByRole('button', { name: 'Remove all' }).click()
  await page.locator('input[type=file]').setInputFiles(speech)
  await page.getByRole('link', { name: 'Open it' }).click()
  await expect(page.getByRole('heading', { name: 'speech.wav', level: 1 })).toBeVisible()
  await expect.poll(waiting).toEqual([])
})

/** On a tab of its own, as "Buy Credits" opens one. */
async function buyStarter(page: Page): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto('/subscribe')
  await tab.getByRole('button', { name: 'Subscribe to Starter' }).click()
  await tab.getByRole('button', { name: 'Pay $9.99' }).click()
  await expect(tab.getByText('50 credits have been added to your account.').first()).toBeVisible()
  await tab.close()
}

if (isLong)
  test('files that cost more than there is wait, and can be confirmed once credits are bought elsewhere', async ({
    page,
  }) => {
    const [hum, long] = await Promise.all([media('hum.wav', ...quiet, '-t', '3'), halfAnHour()])
    await openHome(page)
    await page.locator('input[type=file]').setInputFiles([hum, long])
    const bill = page.getByRole('region', { name: '2 files chosen' })
    await expect(bill).toContainText('All can be transcribed with 1 more credit')
    await expect(bill.getByRole('button', { name: /^Keep the one that fits/ })).toBeInViewport()
    // Both arrive, though not both can be paid for.
    const waiting = async () =>
      ((await (await page.request.get('/api/transcriptions?status=open')).json()) as object[])
        .length
    await expect.poll(waiting).toBe(2)
    await buyStarter(page)
    await expect(bill.getByRole('alert')).toHaveCount(0)
    await expect(bill.getByRole('button', { name: 'Confirm 11 credits' })).toBeEnabled()
    await bill.getByRole('button', { name: 'Remove all' }).click()
  })

if (isLong)
  test('no file changes its place while the pointer or the focus is among them', async ({
    page,
  }) => {
    let statuses = [
      'processing chunk 2/5',
      'processing chunk 1/5',
      'processing chunk 1/5',
      'processing',
    ]
    const call = `GET /api/batches/${id(30)}`
    await answerWith(page, {
      [call]: (route) => route.fulfill({ json: batchOf(...statuses)[call] }),
    })
    await page.goto(`/dashboard?batch=${id(30)}`)
    const files = page.getByRole('list', { name: 'Files' })
    const done = files.getByRole('listitem').filter({ has: page.getByRole('link') })
    const first = files.getByRole('listitem').first()
    const last = files.getByRole('listitem').last()
    await files.getByRole('button', { name: 'Cancel intro-take-3.wav' }).hover()
    statuses = ['completed', 'processing chunk 2/5', 'processing chunk 1/5', 'processing']
    await expect(done).toHaveCount(1)
    await expect(first).toContainText('intro-take-3.wav')
    await page.mouse.move(0, 0)
    await expect(last).toContainText('intro-take-3.wav')

    await files.getByRole('button', { name: 'Cancel market.mp3' }).focus()
    statuses = ['completed', 'completed', 'processing chunk 1/5', 'processing']
    await expect(done).toHaveCount(2)
    await expect(first).toContainText('field-notes-12-ben-okafor.m4a')
    await page.keyboard.press('Shift+Tab')
    await expect(first).toContainText('field-notes-12-ben-okafor.m4a')
    await page.getByRole('button', { name: 'Record', exact: true }).focus()
    await expect(last).toContainText('field-notes-12-ben-okafor.m4a')
  })
