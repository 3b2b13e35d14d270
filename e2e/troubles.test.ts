/** What goes wrong on the way, and what the user does about it. */
import { open, readFile, readdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'

import { type Page, type Route, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { answerWith, failed, id, job, library, refuse, result, soFar } from './states/answers.ts'
import {
  cancelJob,
  chooseFile,
  expectCredits,
  expectEachAccessible,
  media,
  sample,
  openHome,
  openSample,
  haveAccount,
  slowDown,
  toast,
  upload,
} from './steps.ts'

const files = path.join(process.env['E2E_DATA_DIR']!, 'files')

const resultTab = (page: Page) => page.getByRole('tab', { name: 'Transcription' })
const processing = (page: Page) => page.getByRole('heading', { name: 'Processing Your File' })
const emptyLibrary = (page: Page) => page.getByText('Nothing here yet.')

/** The first bytes of a file; null where it is gone. */
async function beginningOf(file: string): Promise<Buffer | null> {
  const handle = await open(file).catch(() => null)
  const read = await handle?.read(Buffer.alloc(1_024), 0, 1_024, 0)
  await handle?.close()
  return read ? read.buffer.subarray(0, read.bytesRead) : null
}

/** Stored files that begin as this one does: other journeys store theirs beside it. */
async function storedLike(file: string): Promise<string[]> {
  const wanted = (await beginningOf(file))!
  for (;;) {
    const found: string[] = []
    let isComplete = true
    for (const name of await readdir(files)) {
      const beginning = await beginningOf(path.join(files, name))
      // The server renames a file when all of it has come. One that is gone may have a new name.
      if (beginning === null) isComplete = false
      else if (wanted.equals(beginning)) found.push(name)
    }
    if (isComplete) return found
  }
}

/** A recording of a few seconds, so that its job is short. */
const shortRecording = () => media('short.wav', '-i', sample, '-t', '12', '-ac', '1')

test('an upload that was left waits in the list, is confirmed there, and cancelled while it runs', async ({
  page,
}) => {
  await openHome(page)
  await upload(page, sample)
  // The dialog is left by closing the page.
  await page.goto('/dashboard')
  await expect(page.getByText('Waiting for your confirmation')).toBeVisible()
  await expectCredits(page, 10)

  await page.getByRole('link', { name: 'Confirm sample.m4a' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(processing(page)).toBeVisible()
  await expectCredits(page, 9)

  const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true })
  // With a part of its text on the screen the question is another.
  const question = page.getByRole('alertdialog', { name: /^(Cancel this file|Stop and throw)/ })
  await cancel.click()
  await question.getByRole('button', { name: /^(Keep processing|Go on)$/ }).click()
  await expect(processing(page)).toBeVisible()
  await cancel.click()
  await question.getByRole('button', { name: /^(Cancel file|Stop)$/ }).click()
  await expect(toast(page, 'File has been removed and no credits were charged.')).toBeVisible()
  await expectCredits(page, 10)
  await expect(emptyLibrary(page)).toBeVisible()
})

test('a file that is still being sent is asked about before it is left, and leaves nothing', async ({
  page,
}) => {
  await openHome(page)
  await slowDown(page)
  const large = await media('large.wav', '-f', 'lavfi', '-i', 'anullsrc=r=16000', '-t', '60')
  await chooseFile(page, large)
  const start = page.getByRole('button', { name: 'Start Transcription' })
  const sending = page.getByRole('heading', { name: 'Uploading and processing file...' })
  // Cancelled before the server has said that it has begun, the file and its options stay.
  const cancelled = Promise.withResolvers<void>()
  // The route stays: Playwright misses a request that is sent while it ends one.
  await page.route('**/api/uploads', async (route) => {
    const response = await route.fetch()
    await cancelled.promise
    await route.fulfill({ response })
  })
  const begun = page.waitForRequest('**/api/uploads')
  await start.click()
  await expect(sending).toBeVisible()
  await begun
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'large.wav' })).toBeVisible()
  const givenUp = page.waitForRequest(
    (request) => request.method() === 'DELETE' && request.url().includes('/api/uploads/'),
  )
  cancelled.resolve()
  await givenUp

  await start.click()
  const leave = async () => {
    await page.getByRole('button', { name: /Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
  }
  const question = page.getByRole('alertdialog', { name: 'Your file is still being sent.' })
  await leave()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(sending).toBeVisible()
  await leave()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/account$/)

  await page.goto('/dashboard')
  await expect(emptyLibrary(page)).toBeVisible()
  await expect.poll(() => storedLike(large)).toEqual([])
})

test('a link that breaks and a page that is loaded again lose nothing of what was sent', async ({
  page,
}) => {
  // Breaks what is on its way, as a link does.
  await page.addInitScript(`
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      globalThis.cut = () => this.abort()
      send.call(this, body)
    }`)
  await openHome(page)
  const link = await page.context().newCDPSession(page)
  const atMost = (uploadThroughput: number) =>
    link.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await atMost(400 * 1024)
  const file = await media('meeting.wav', '-f', 'lavfi', '-i', 'sine=r=16000', '-t', '60')
  const start = page.getByRole('button', { name: 'Start Transcription' })
  const sent = async () => Number(await page.getByRole('progressbar').getAttribute('value'))
  const rest = () => page.waitForRequest((request) => /parts\/1\?from=\d+$/.test(request.url()))
  await chooseFile(page, file)
  await start.click()
  await expect.poll(sent).toBeGreaterThan(20)
  const goesOn = rest()
  await page.evaluate('cut()')
  await goesOn
  await expect(page.getByText(/are sent again; the rest has arrived/)).toBeVisible()

  await expect.poll(sent).toBeGreaterThan(50)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  const left = page.getByRole('region', { name: 'Upload left unfinished' })
  await expect(left).toContainText('meeting.wav was not sent completely')
  await expectEachAccessible(page)
  await atMost(-1)
  await chooseFile(page, file)
  const again = rest()
  await start.click()
  expect(Number(new URL((await again).url()).searchParams.get('from'))).toBeGreaterThan(700_000)
  await expect(page.getByRole('alertdialog')).toContainText('meeting.wav')
  expect(await readFile(path.join(files, (await storedLike(file))[0]!))).toEqual(
    await readFile(file),
  )
})

if (isLong)
  test('a file whose length is still being measured can be cancelled, and leaves nothing', async ({
    page,
  }) => {
    await openHome(page)
    // With enough samples for reading them to take a while.
    const hours = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '12000']
    const long = await media('hours.wav', ...hours, '-c:a', 'pcm_u8')
    await chooseFile(page, long)
    await page.getByRole('button', { name: 'Start Transcription' }).click()
    await expect(page.getByText('Measuring its length…')).toBeVisible()
    await expect.poll(() => storedLike(long)).toHaveLength(1)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'hours.wav' })).toBeVisible()

    await expect.poll(() => storedLike(long)).toEqual([])
    await page.reload()
    await expect(emptyLibrary(page)).toBeVisible()
  })

if (isLong)
  test('a lost connection is said, and found again when it is asked for', async ({
    page,
    context,
  }) => {
    let status = 'processing chunk 2/5'
    await answerWith(page, {
      ...result(),
      [`GET /api/transcriptions/${id(10)}`]: (route) => route.fulfill({ json: job({ status }) }),
    })
    await page.goto(`/dashboard?t=${id(10)}`)
    await expect(processing(page)).toBeVisible()
    const lost = page.getByText('Connection lost. Your file is still being processed.')
    // Requests that the test answers know of no network that is away: the server is.
    await page.route('**/api/transcriptions/**', (route) => route.abort())
    await context.setOffline(true)
    await expect(lost).toBeVisible()

    // The browser has a network again, but the server cannot be reached yet.
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Check again' }).click()
    await expect(lost).toBeVisible()
    await page.unroute('**/api/transcriptions/**')
    await page.getByRole('button', { name: 'Check again' }).click()
    await expect(lost).toHaveCount(0)
    status = 'completed'
    await expect(resultTab(page)).toBeVisible()
  })

test('a job that broke gives its credits back, is heard, saved, and tried again', async ({
  page,
}) => {
  await openHome(page)
  const recording = await shortRecording()
  await upload(page, recording)
  // The disk loses the recording for a while.
  const [stored = ''] = await storedLike(recording)
  const away = path.join(process.env['E2E_DATA_DIR']!, stored)
  await rename(path.join(files, stored), away)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { name: 'Processing Failed' })).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByRole('region', { name: 'Processing Failed' })).toContainText(
    'the 1 credit was returned.',
  )
  await page.getByRole('button', { name: 'Save the recording' }).click()
  await expect(toast(page, 'The recording could not be saved.')).toBeVisible()
  await expectCredits(page, 10)

  await rename(away, path.join(files, stored))
  expect((await stat(path.join(files, stored))).size).toBeGreaterThan(0)
  await page.reload()
  await page.getByRole('button', { name: 'Play the recording' }).click()
  // A player without a sound says that it plays, and stays where it is.
  await expect(page.getByRole('slider', { name: 'Playback position' })).not.toHaveValue('0')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the recording' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe(path.basename(recording))
  expect((await readFile(await saved.path())).equals(await readFile(recording))).toBe(true)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(processing(page)).toBeVisible()
  await expectCredits(page, 9)
  await cancelJob(page)
})

test('a failure is told once, and what was read before it can be copied; its row has the ways on too', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  let now = job({ status: 'processing chunk 3/8' })
  const broken = failed({
    errorMessage: 'Something broke on our side. Your credits were returned. Please try again.',
  })
  await answerWith(page, {
    ...result(),
    [`GET /api/transcriptions/${id(10)}`]: (route) => route.fulfill({ json: now }),
    [`GET /api/transcriptions/${id(10)}/so-far`]: { ...soFar(6), readTo: 1300 },
    'GET /api/transcriptions': library({ finished: [broken] }),
    [`POST /api/transcriptions/${id(10)}/retry`]: refuse('insufficient_credits'),
  })
  await page.goto(`/dashboard?t=${id(10)}`)
  await expect(page.getByText('still being written')).toBeVisible()
  now = broken
  const card = page.getByRole('region', { name: 'Processing Failed' })
  await expect(card.getByRole('heading', { name: 'Processing Failed' })).toBeFocused()
  // The focus says that it failed, and the announcement why.
  await expect(page.getByRole('status').filter({ hasText: 'Something broke' })).toHaveText(
    'Something broke on our side. Please try again. Your recording is safe, and the 13 credits were returned.',
  )
  await expect(card).toContainText('the 13 credits were returned. Your balance is 142.')
  await expect(card).toContainText('Trying again takes 13 credits and begins at 21:40.')
  const before = page.getByRole('region', { name: 'What was read before it failed' })
  await expect(before).toContainText('Up to 21:40, kept here for 24 hours.')
  await expect(before.getByText('still being written')).toHaveCount(0)
  await expectEachAccessible(page)
  await before.getByRole('button', { name: 'Copy' }).click()
  await expect(toast(page, 'Copied to clipboard')).toBeVisible()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied.split('\n\n')).toHaveLength(6)
  expect(copied).toMatch(/^Speaker A: So the question/)

  await page.getByRole('button', { name: `More for ${broken.originalName}` }).click()
  for (const name of ['Save the recording', 'Contact support'])
    await expect(page.getByRole('menuitem', { name })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Try again' }).click()
  await expect(toast(page, 'Not started')).toBeVisible()
})

if (isLong)
  test('after a redeploy a missing file loads the page again, once, and never leaves it blank', async ({
    page,
  }) => {
    await haveAccount(page)
    await page.route(/\/dashboard-page-/, (route) => route.abort())
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.goto('/')
    const broken = page.getByRole('heading', { name: 'Something broke on this page.' })
    await expect(broken).toBeFocused()
    // It is told after the last of its files has come, which may be after its words.
    await expect.poll(() => loads).toBe(2)

    await page.unroute(/\/dashboard-page-/)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()

    // What comes later than its page takes nothing with it when it does not come.
    await page.route(/\/speakers-tab-/, (route) => route.abort())
    await openSample(page)
    await page.getByRole('tab', { name: 'Speakers' }).click()
    await expect(toast(page, 'Not loaded')).toBeVisible()
    await page.getByRole('tab', { name: 'Transcription' }).click()
    await expect(page.getByRole('tabpanel')).not.toBeEmpty()
  })

test('a file that cannot be made is told of, also when the next one is on its way, and tried again', async ({
  page,
}) => {
  const nextIsThere = Promise.withResolvers<void>()
  let isBack = false
  await answerWith(page, {
    ...result(),
    [`GET /api/transcriptions/${id(10)}/export`]: async (route: Route) => {
      const { searchParams } = new URL(route.request().url())
      const format = searchParams.get('format') ?? ''
      if (searchParams.has('look'))
        await route.fulfill({
          json: { name: `a.${format}`, isWhole: true, sizeBytes: 6, text: `in ${format}` },
        })
      else if (format === 'json' || isBack) {
        await route.fulfill({ body: '{}', contentType: 'application/json' })
        nextIsThere.resolve()
      } else {
        await nextIsThere.promise
        await route.abort()
      }
    },
  })
  await page.goto(`/dashboard?t=${id(10)}#export`)
  const download = page.getByRole('button', { name: 'Download', exact: true })
  await page.getByRole('radio', { name: 'PDF' }).check()
  await download.click()
  await expect(page.getByRole('button', { name: 'Making the file…' })).toBeVisible()
  await page.getByRole('radio', { name: 'Data' }).check()
  await expect(page.getByRole('region', { name: 'The first lines' })).toHaveText('in json')
  const [next] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(next.suggestedFilename()).toMatch(/\.json$/)
  await expect(page.getByRole('alert')).toContainText(
    'The file could not be made. Nothing is lost.',
  )
  isBack = true
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    // With a key: the toast of the other file may lie over it, and stays while the mouse rests there.
    page.getByRole('alert').getByRole('button', { name: 'Try again' }).press('Enter'),
  ])
  expect(file.suggestedFilename()).toMatch(/\.pdf$/)
  await expect(page.getByRole('alert')).toBeHidden()
})
