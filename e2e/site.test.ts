/** The public pages in a real browser: with and without scripts, for strangers and for who is signed in. */
import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import {
  COLOUR,
  expectAccessible,
  expectEachAccessible,
  expectCredits,
  paintOf,
  haveAccount,
} from './steps.ts'

const pages = [
  ['/', 'Who said what, word for word.'],
  ['/features', 'Everything between the recording and the sentence you need.'],
  ['/pricing', 'Pay for minutes, not seats.'],
  ['/faq', 'Questions, answered plainly.'],
  ['/blog', 'Notes on turning speech into text.'],
  ['/blog/podcast-seo-transcription', 'Podcast SEO: why a transcript finds you listeners'],
  [
    '/blog/professional-interview-transcription',
    'Interview transcription: from tape to quotable text',
  ],
  [
    '/blog/meeting-transcription-vs-note-taking',
    'Meeting transcription or notes? When each one wins',
  ],
  [
    '/blog/video-transcription-content-marketing',
    'One video, ten pieces: transcription for content marketing',
  ],
  [
    '/blog/legal-transcription-requirements',
    'Legal transcription: what AI can draft and what must be certified',
  ],
  [
    '/blog/medical-transcription-accuracy',
    'Medical transcription: what accuracy means when it matters',
  ],
  ['/privacy', 'Privacy policy'],
  ['/terms', 'Terms of service'],
  ['/no-such-page', '404 Page Not Found'],
] as const

/** Collects the browser's errors while a page is shown, but not those about a missing page. */
function complaints(page: Page): string[] {
  const found: string[] = []
  page.on('pageerror', (error) => found.push(error.message))
  page.on('console', (message) => {
    const isExpected = message.location().url.endsWith('/no-such-page')
    if (['error', 'warning'].includes(message.type()) && !isExpected) found.push(message.text())
  })
  return found
}

/** The articles are all made from one page: `npm test` looks at the longest. */
const articles = pages.filter(([path]) => path.startsWith('/blog/'))
const looked = isLong
  ? pages
  : pages.filter(
      (page) => !articles.includes(page) || page[0] === '/blog/legal-transcription-requirements',
    )

for (const [path, heading] of looked)
  test(`${path} is accessible, fits a phone, and needs few requests, none of them elsewhere`, async ({
    page,
    baseURL,
  }) => {
    const found = complaints(page)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const answer = await page.goto(path, { waitUntil: 'networkidle' })
    expect(answer?.status()).toBe(path === '/no-such-page' ? 404 : 200)
    expect(requests.length).toBeGreaterThan(3)
    expect(requests.length).toBeLessThanOrEqual(12)
    expect(requests.filter((url) => !url.startsWith(String(baseURL)))).toEqual([])
    expect(requests.filter((url) => url.endsWith('.js'))).toEqual([])
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expectAccessible(page)
    // On these pages a phone shows other parts than a wide window.
    if (['/', '/pricing', '/blog/legal-transcription-requirements'].includes(path)) {
      await page.setViewportSize({ width: 390, height: 844 })
      await expectEachAccessible(page)
    }
    await page.setViewportSize({ width: 320, height: 700 })
    // While a page is laid out again it may be too wide for a moment.
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      .toBeLessThanOrEqual(0)
    expect(found).toEqual([])
  })

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('every page is complete', async ({ page }) => {
    for (const [path, heading] of looked) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      await expect(page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' })).toBeVisible()
      // Buttons that need a script are not shown without scripts.
      for (const name of [/^(Play|Pause)/, 'Log out'])
        await expect(page.getByRole('button', { name })).toHaveCount(0)
      await expect(page.getByRole('slider')).toHaveCount(0)
      await expect(page.getByRole('spinbutton')).toHaveCount(0)
    }
  })

  test('a visitor reads, compares, opens a question and gets to the sign-up', async ({ page }) => {
    await page.goto('/')
    const sample = page.getByRole('figure', { name: 'Sample transcript' })
    await expect(sample).toContainText('and I will buy a new box of paper just in case.')
    await expect(sample.locator('audio')).toBeVisible()
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Pricing' })
      .click()
    await expect(page.getByText('For example, a recording of 45 minutes.')).toBeVisible()
    await page.getByRole('link', { name: 'All questions' }).click()
    await page.getByText('Which languages?').click()
    await expect(page.getByText('One language per recording works best.')).toBeVisible()
    await page.getByRole('link', { name: 'Start Free Trial' }).first().click()
    await expect(page).toHaveURL(/\/auth\?mode=register$/)
  })

  test('on a phone the menu opens all the same', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/faq')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Blog' }).click()
    await expect(page).toHaveURL(/\/blog$/)
  })
})

test('one question is open at a time, the first at the start; a click on the open one closes it', async ({
  page,
}) => {
  await page.goto('/faq')
  const open = page.locator('details[open] summary')
  await expect(open).toHaveText(['What do I get from one upload?'])
  await page.getByText('Do credits roll over?').click()
  await expect(open).toHaveText(['Do credits roll over?'])
  await page.getByText('Do credits roll over?').click()
  await expect(open).toHaveCount(0)
  await expect(page.locator('details')).toHaveCount(16)
})

test('an address with the name of a question opens it', async ({ page }) => {
  await page.goto('/faq#refund')
  await expect(page.locator('details[open] summary')).toHaveText(['Can I cancel or get a refund?'])
  await expect(page.getByText('Can I cancel or get a refund?')).toBeInViewport()
})

test('the sample is fetched when it is asked for, plays, and marks the word that is heard', async ({
  page,
}) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await page.goto('/')
  const sample = page.getByRole('figure', { name: 'Sample transcript' })
  const position = sample.getByRole('slider', { name: 'Playback position' })
  await expect(sample.getByText('0:31 / 1:11')).toBeVisible()
  expect(fetched.filter((url) => url.includes('sample'))).toEqual([])

  await sample.getByRole('button', { name: 'Play the sample' }).click()
  await expect(sample.getByRole('button', { name: 'Pause the sample' })).toBeVisible()
  expect(fetched.filter((url) => url.includes('sample'))).not.toEqual([])
  const heard = () =>
    page.evaluate("[...(CSS.highlights.get('now') ?? [])].map((range) => range.toString()).join()")
  await expect.poll(heard).not.toBe('')
  expect((await paintOf(page, 'now')).background).toMatch(COLOUR)
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(31)
  await sample.getByRole('button', { name: 'Pause the sample' }).click()

  await sample
    .getByText('Some people do not like to be recorded,')
    .click({ position: { x: 8, y: 8 } })
  await expect.poll(heard).toMatch(/^(Some|people|do|not|like)$/)
  await sample.getByRole('button', { name: 'Pause the sample' }).click()
  await position.focus()
  await page.keyboard.press('Home')
  await expect(sample.getByText('0:00 / 1:11')).toBeVisible()
  await expect(position).toHaveAttribute('aria-valuetext', '0 seconds of 1:11')
})

test('Hear the sample plays it from the beginning; when it cannot load, the page says so', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Hear the sample' }).click()
  const sample = page.getByRole('figure', { name: 'Sample transcript' })
  await expect(sample.getByRole('button', { name: 'Pause the sample' })).toBeVisible()
  const at = Number(await sample.getByRole('slider').inputValue())
  expect(at).toBeLessThan(20)

  await page.route(/sample-.*\.m4a/, (route) => route.abort())
  await page.reload()
  await sample.getByRole('button', { name: 'Play the sample' }).click()
  await expect(sample.getByText('The sample could not load. The text is all here.')).toBeVisible()
})

test('the calculator charges what the bill would', async ({ page }) => {
  await page.goto('/pricing')
  const length = page.getByLabel('How long is your recording?')
  const result = page.getByRole('status')
  await expect(result).toContainText('15credits')
  await length.fill('20')
  await expect(result).toContainText('7credits')
  await expect(result).toContainText('One full 15 minutes, 5 each. The rest, 5:00: 2 credits')
  await expect(page.getByText('$1.40')).toBeVisible()
  await expect(page.getByLabel('Length in minutes')).toHaveValue('20')
  // It tells the price of one file, and nobody to cut it for a lower one.
  await length.fill('15.5')
  await expect(result).toContainText('6credits')
  await expect(page.locator('[data-calculator]').getByText(/\bcosts?\b/)).toHaveCount(0)
  await page.getByLabel('Length in minutes').focus()
  await page.keyboard.press('Home')
  await expect(result).toContainText('1credit')
  await expect(length).toHaveValue('1')
  await expectEachAccessible(page)
})

test('who is signed in keeps their header on public pages, and can leave from there', async ({
  page,
}) => {
  await haveAccount(page)
  const found = complaints(page)
  await page.goto('/pricing')
  await expectCredits(page, 10)
  await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
  // Signed-in visitors see no offer to start a trial.
  for (const words of ['Start Free Trial', '10 free credits to start. No credit card.'])
    await expect(page.getByText(words).filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Choose Professional' })).toHaveAttribute(
    'href',
    '/subscribe?plan=professional',
  )
  await page.getByRole('button', { name: 'Account menu, 10 credits' }).click()
  const menu = page.getByRole('navigation', { name: 'Account menu' })
  await expect(menu).toContainText('Ada Lovett')
  for (const name of ['Account', 'Upgrade Plan', 'Support'])
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible()
  await expectAccessible(page)
  expect(found).toEqual([])

  await page.route('/api/logout', (route) =>
    route.fulfill({ status: 503, json: { message: 'Not now.', code: 'x' } }),
  )
  await menu.getByRole('button', { name: 'Log out' }).click()
  const notes = page.getByRole('region', { name: 'Notifications' })
  await expect(notes).toContainText('Logout failed: Not now.')
  await page.unrouteAll()
  await menu.getByRole('button', { name: 'Log out' }).click()
  await expect(notes).toContainText("You've been successfully logged out.")
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
})

test('a session that has ended leaves a public page as it is for everybody', async ({
  page,
  baseURL,
}) => {
  await page.context().addCookies([{ name: 'quoth_session', value: 'gone', url: String(baseURL) }])
  await page.goto('/pricing')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Account menu/ })).toBeHidden()
})

test('the theme that is chosen in the footer stays', async ({ page }) => {
  await page.goto('/privacy')
  const themes = page.getByRole('contentinfo').getByRole('group', { name: 'Theme' })
  await themes.getByRole('button', { name: 'Dark' }).click()
  await page.goto('/terms')
  await expect(page.locator('html.dark')).toBeAttached()
  await expect(themes.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true')
})
