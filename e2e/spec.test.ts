/** Words, numbers and states of the signed-in screens that no other journey tests. */
import { type Page, expect, test } from '@playwright/test'

import { everything } from '../test/promises.ts'
import {
  addSample,
  chooseFile,
  expectAccessible,
  expectEachAccessible,
  expectCredits,
  openSample,
  sample,
  openHome,
  haveAccount,
  toast,
} from './steps.ts'

const message = 'The disk is full.'
const refused = (status: number, words: string | null = message) => ({
  status,
  json: words === null ? {} : { message: words, code: 'out_of_space' },
})

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Answers with the server's job, but with these fields replaced. */
async function answerWith(page: Page, id: string, fields: Record<string, unknown>): Promise<void> {
  await page.route(`**/api/transcriptions/${id}`, async (route) => {
    const response = await route.fetch()
    const job = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: { ...job, ...fields } })
  })
}

test('what goes wrong between choosing and confirming is said, and nothing is lost', async ({
  page,
}) => {
  await page.route('**/api/capabilities', (route) => route.fulfill({ json: everything }))
  await openHome(page)
  await page.getByRole('button', { name: 'Formats' }).click()
  for (const words of [
    'Upload audio or video file',
    'Drag and drop your file here, or click to browse',
    'Supports: MP3, WAV, MP4, MOV, AVI, and more • Max 100MB',
    'MP3, WAV and M4A work best. FLAC, OGG, WebM and MP4 are supported. MP4 may have limited compatibility',
    'Large files are processed in chunks.',
  ])
    await expect(page.getByRole('main').getByText(words).first()).toBeVisible()
  await chooseFile(page, sample)
  await expect(page.getByRole('main').getByText(/ KB · 1:11/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible()
  const languages = page.getByRole('combobox', { name: 'Summary Language' })
  await expect(languages).toHaveValue('en')
  await expect(languages.locator('option')).toHaveText([
    'Default (auto-detect)',
    'English',
    /Spanish/,
    /French/,
    /German/,
    /Italian/,
    /Portuguese/,
    /Chinese/,
    /Japanese/,
    /Korean/,
    /Arabic/,
    /Russian/,
    /Dutch/,
  ])
  await languages.selectOption('de')
  const options = page.getByRole('button', { name: /^Options/ })
  await options.click()
  await page.getByRole('radio', { name: 'At most' }).check({ force: true })
  await page.getByRole('button', { name: 'One more' }).click()
  // The embedded engine has one language and takes no terms: it says so in place of the fields.
  await expect(page.getByText('It cannot make use of names and terms.')).toBeVisible()
  await options.click()
  await expect(options).toHaveText('Options at most 3 speakers')

  const start = page.getByRole('button', { name: 'Start Transcription' })
  await page.route('**/api/uploads', (route) => route.fulfill(refused(402, null)))
  await start.click()
  await expect(toast(page, 'Upload Failed')).toBeVisible()
  await expect(toast(page, 'Insufficient credits')).toBeVisible()
  await page.unroute('**/api/uploads')
  await page.route('**/api/uploads', (route) => route.fulfill(refused(507)))
  await start.click()
  await expect(toast(page, message)).toBeVisible()
  await expect(languages).toHaveValue('de')
  await languages.selectOption('en')

  await page.unroute('**/api/uploads')
  await start.click()
  const bill = page.getByRole('alertdialog')
  await expect(bill).toBeVisible()
  await page.route('**/confirm', (route) => route.fulfill(refused(503)))
  await bill.getByRole('button', { name: 'Confirm' }).click()
  // A screen reader cannot reach toasts behind a dialog, but hears them announced.
  const behind = (words: string) =>
    page.getByRole('listitem', { includeHidden: true }).filter({ hasText: words })
  await expect(behind('Confirmation Failed')).toContainText(message)
  await page.route('**/cancel', (route) => route.fulfill(refused(503)))
  await bill.getByRole('button', { name: 'Cancel' }).click()
  await expect(behind('Cancel Failed')).toContainText(message)
  await expect(bill).toBeVisible()
  await expectCredits(page, 10)

  // Escape closes the dialog, although the toast appeared after it.
  await page.unroute('**/cancel')
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Upload Cancelled')).toBeVisible()
})

test('a job is shown step by step, and a failure without words gets its own', async ({ page }) => {
  await haveAccount(page)
  const id = await addSample(page)
  let status = 'preprocessing: splitting large file'
  await page.route(`**/api/transcriptions/${id}`, async (route) => {
    const response = await route.fetch()
    const job = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: { ...job, status, errorMessage: null } })
  })
  await page.goto(`/home?t=${id}`)
  const card = page.getByRole('region', { name: 'Processing Your File' })
  await expect(card.getByRole('listitem')).toHaveText([
    /File uploaded successfully/,
    /Generating transcription/,
    /Creating AI summary/,
  ])
  await expect(card).toContainText('25% complete')
  await expect(card.locator('[aria-current=step]')).toContainText('Generating transcription')
  // The card has taken the place of the panel.
  await expect(page.getByRole('heading', { name: 'Upload audio or video file' })).toHaveCount(0)
  status = 'processing chunk 2/5'
  await expect(card).toContainText('54% complete')
  status = 'summarizing'
  await expect(card.locator('[aria-current=step]')).toContainText('Creating AI summary')
  await expect(card).toContainText('85% complete')
  status = 'error'
  await expect(page.getByRole('heading', { name: 'Processing Failed' })).toBeVisible()
  await expect(page.getByText('An error occurred while processing your file.')).toBeVisible()
  await expectAccessible(page)
})

test('a result without text, summary or voices says so in each tab', async ({ page }) => {
  await haveAccount(page)
  const id = await addSample(page)
  await page.route('**/words', (route) =>
    route.fulfill({ json: { revision: 0, checkBelow: null, speakers: [], turns: [] } }),
  )
  await answerWith(page, id, {
    transcriptionText: '',
    summary: null,
    keyPoints: [],
    keyPointTimes: [],
    keyPointQuotes: [],
    chapters: [],
    topics: [],
    actionItems: [],
    speakers: [],
    speakerSegments: '[{"start":',
  })
  await page.goto(`/home?t=${id}`)
  await expect(page.getByText('No transcription available')).toBeVisible()
  // There is nothing to copy.
  await expect(page.getByRole('button', { name: 'Copy', exact: true })).toHaveCount(0)
  await expectEachAccessible(page)
  await tab(page, 'Summary')
  await expect(page.getByText('No summary available')).toBeVisible()
  await tab(page, 'Speakers')
  await expect(page.getByText('No speaker timeline for this file.')).toBeVisible()
})

test('copying, downloading and sharing a result say how they went', async ({ page }) => {
  await haveAccount(page)
  await openSample(page)
  await expect(page.getByRole('main')).toContainText(/1:11.*220 words.*English.*2 speakers/s)
  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {
      writeText: async (text) => { window.copied = text } } });
     Object.defineProperty(navigator, 'share', { configurable: true, value: undefined })`,
  )
  await press(page, 'Copy')
  await expect(toast(page, 'Copied to clipboard')).toBeVisible()
  expect(await page.evaluate('window.copied')).toMatch(/^Speaker A\n.*\n\nSpeaker B\n/)
  await tab(page, 'Export')
  // Not the dialog that makes links, which is called Share.
  await expect(page.getByRole('region', { name: 'The first lines' })).toContainText('sample')
  await press(page, 'Share Results')
  await expect.poll(() => page.evaluate('window.copied')).toMatch(/^sample\.m4a\n\nSpeaker A\n/)
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('locked'))`)
  await tab(page, 'Summary')
  await press(page, 'Share')
  await expect(toast(page, 'Could not copy to clipboard')).toBeVisible()
  await tab(page, 'Transcription')
  await press(page, 'Share')
  await expect(page.getByRole('dialog', { name: 'Share' })).toBeVisible()
  await page.reload()

  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { configurable: true, value: {
      writeText: () => Promise.reject(new Error('locked')) } })`,
  )
  await press(page, 'Copy')
  await expect(toast(page, 'Failed to copy transcription to clipboard')).toBeVisible()
  await tab(page, 'Summary')
  await press(page, 'Copy')
  await expect(toast(page, 'Failed to copy summary to clipboard')).toBeVisible()

  await page.route('**/download/*', (route) => route.fulfill(refused(503)))
  await press(page, 'Download')
  await expect(toast(page, 'Failed to download summary')).toBeVisible()
  await tab(page, 'Transcription')
  await press(page, 'Download')
  await expect(toast(page, 'Failed to download transcription')).toBeVisible()
  await page.unroute('**/download/*')

  await tab(page, 'Export')
  await expect(page.getByRole('button', { name: 'Share Results' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Process New File' })).toBeVisible()
  const names: string[] = []
  page.on('download', (download) => names.push(download.suggestedFilename()))
  await press(page, 'Download All Results')
  await expect.poll(() => names).toEqual(['transcription-sample.m4a.txt', 'summary-sample.m4a.txt'])
})

test('the header leads everywhere, says the credits, and signs out', async ({ page, context }) => {
  await openHome(page)
  const header = page.getByRole('banner')
  for (const [name, href] of [
    ['Features', '/features'],
    ['Pricing', '/pricing'],
    ['API', '/api'],
    ['FAQ', '/faq'],
  ] as const)
    await expect(header.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  for (const name of ['Features', 'Pricing', 'API', 'FAQ', 'Contact'])
    await expect(
      page.getByRole('contentinfo').getByRole('link', { name, exact: true }).first(),
    ).toBeVisible()
  await expect(header.getByRole('button', { name: /Account menu/ })).toContainText('AL')
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
  await header.getByRole('link', { name: 'Quoth' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()

  const opening = context.waitForEvent('page')
  await page
    .getByRole('link', { name: /Buy Credits/ })
    .first()
    .click()
  const shop = await opening
  await expect(shop).toHaveURL(/\/subscribe$/)
  await shop.close()

  // On a phone the credits stand in the menu.
  await page.setViewportSize({ width: 390, height: 844 })
  const menu = page.getByRole('button', { name: /Account menu, 10 credits/ })
  await menu.click()
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await expect(item('10 credits')).toHaveAttribute('href', '/subscribe')
  await expect(item('Upgrade Plan')).toHaveAttribute('href', '/subscribe')
  await expect(item('Support')).toHaveAttribute('href', '/contact')

  const answers: (() => void)[] = []
  await page.route('**/api/logout', async (route) => {
    await new Promise<void>((done) => answers.push(done))
    await route.fulfill(refused(503))
  })
  await item('Log out').click()
  await expect(item('Logging out…')).toBeDisabled()
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.()
  await expect(toast(page, 'Logout failed')).toBeVisible()
  await expect(toast(page, message)).toBeVisible()
})

test('toasts stay five seconds, go to the side, and are reached with F8', async ({ page }) => {
  await page.clock.install()
  await openHome(page)
  const start = page.getByRole('button', { name: 'Start Transcription' })
  const say = async () => {
    await start.click()
    await expect(toast(page, 'Upload Failed')).toBeVisible()
  }
  await page.route('**/api/uploads', (route) => route.fulfill(refused(507)))
  await chooseFile(page, sample)
  await say()
  const list = page.getByRole('region', { name: /notifications/i }).getByRole('list')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('F8')
  await expect(list).toBeFocused()
  await page.getByRole('heading', { level: 1 }).focus()
  const wide = await list.boundingBox()
  expect(wide).toMatchObject({ x: 1280 - 420, width: 420 })
  expect((wide?.y ?? 0) + (wide?.height ?? 0)).toBe(720)

  // The toast closes after five seconds. The test moves the clock, so that slow machines do not
  // matter.
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect(toast(page, 'Upload Failed')).toHaveCount(0)
  await say()
  await page.clock.runFor(4_999)
  await expect(toast(page, 'Upload Failed')).toBeVisible()
  await page.clock.runFor(1)
  await expect(toast(page, 'Upload Failed')).toHaveCount(0)
  await page.clock.resume()

  await page.setViewportSize({ width: 390, height: 844 })
  await say()
  // Above the bar of the page, whose controls it leaves free.
  const foot = await page.locator('[data-bottom-bar]').boundingBox()
  const small = await list.boundingBox()
  expect(small).toMatchObject({ x: 0, width: 390 })
  expect((small?.y ?? 0) + (small?.height ?? 0)).toBe(foot?.y)
  const box = await list.getByRole('listitem').boundingBox()
  const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 20]
  const swipe = async (by: number) => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by / 2, y)
    await page.mouse.move(x + by, y)
    await page.mouse.up()
  }
  await swipe(40)
  await expect(toast(page, 'Upload Failed')).toBeVisible()
  await swipe(60)
  await expect(toast(page, 'Upload Failed')).toHaveCount(0)
})

test('a tooltip waits 700 ms, and the next one soon after comes at once', async ({ page }) => {
  await page.clock.install()
  await openHome(page)
  const pill = page.getByRole('banner').getByRole('link', { name: '10 credits' })
  const tooltip = page.getByRole('tooltip')
  await page.clock.pauseAt(Date.now() + 60_000)
  await pill.hover()
  await page.clock.runFor(699)
  await expect(tooltip).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(tooltip).toHaveText('Buy credits')
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(tooltip).toHaveCount(0)

  await page.clock.runFor(299)
  await pill.hover()
  await page.clock.runFor(1)
  await expect(tooltip).toBeVisible()
  await page.getByRole('heading', { level: 1 }).hover()
  await page.clock.runFor(301)
  await pill.hover()
  await page.clock.runFor(1)
  await expect(tooltip).toHaveCount(0)
})

test('a tooltip that the mouse is on goes with its button', async ({ page }) => {
  await openHome(page)
  // A button of the test's own: one of the page's may be drawn anew while the page loads.
  await page.locator('body').evaluate((body) => {
    const own = body.ownerDocument.createElement('button')
    own.style.cssText = 'position:fixed;top:50%;left:50%;width:2rem;height:2rem'
    own.ariaLabel = 'An icon'
    body.append(own)
  })
  const own = page.getByRole('button', { name: 'An icon' })
  const tooltip = page.getByRole('tooltip')
  await own.hover()
  await tooltip.hover()
  await expect(tooltip).toHaveText('An icon')
  await own.evaluate((button) => button.remove())
  await expect(tooltip).toHaveCount(0)
})

test('every button that shows an icon only says to the mouse what it does', async ({ page }) => {
  await page.clock.install()
  await openHome(page)
  await openSample(page)
  await page
    .getByRole('button', { name: /^Correct the turn/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  const tooltip = page.getByRole('tooltip')
  const icons = page.locator('button[aria-label]:visible').filter({ hasNotText: /\S/ })
  const seen = new Set<string>()
  for (const icon of await icons.all()) {
    const name = (await icon.getAttribute('aria-label')) ?? ''
    // There is one in each turn.
    const kind = name.replace(/[\d:]+/, '')
    if (seen.has(kind)) continue
    seen.add(kind)
    await icon.hover()
    await page.clock.runFor(700)
    await expect(tooltip).toHaveText((await icon.getAttribute('data-tip')) ?? name)
  }
  expect(seen.size).toBeGreaterThan(6)
})

test('a protected page shows a spinner until it is known who is there', async ({ page }) => {
  await haveAccount(page)
  const answers: (() => void)[] = []
  await page.route('**/api/user', async (route) => {
    await new Promise<void>((done) => answers.push(done))
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible()
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.()
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
})

test('a recording that was deleted elsewhere is told where the player was, and the text stays', async ({
  page,
}) => {
  await haveAccount(page)
  const id = await addSample(page)
  const player = page.getByRole('region', { name: 'Player' })
  let goOn = () => {}
  const isDeleted = new Promise<void>((done) => (goOn = done))
  await page.route('**/media', async (route) => {
    await isDeleted
    await route.continue()
  })
  await page.goto(`/home?t=${id}`)
  await expect(player.getByRole('slider', { name: 'Playback position' })).toBeVisible()
  const { origin } = new URL(page.url())
  const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-origin' }
  const deleted = await page.request.delete(`/api/transcriptions/${id}/recording`, { headers })
  expect(deleted.ok()).toBe(true)
  await expect(player.getByRole('slider')).toBeVisible()
  goOn()
  await expect(player).toContainText(/The recording was deleted on .*\. The text stays\./)
  await expect(page.getByText('Did any be right at down?')).toBeVisible()
})
