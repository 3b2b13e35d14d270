/** A session that ends while its page is open takes nothing away. */
import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { answerWith, id, refuse, result, said, user, words } from './states/answers.ts'
import {
  PASSWORD,
  cancelJob,
  chooseFile,
  correct,
  expectEachAccessible,
  sample,
  signIn,
  openHome,
  toast,
  transcript,
  turnEditor,
} from './steps.ts'

const ended = (page: Page) => page.getByText('Your session has ended.')
/** A browser without windows never brings a tab to the front. */
const comeBack = (page: Page) => page.evaluate(`void dispatchEvent(new Event('focus'))`)

test('after a session has ended the chosen file is sent, and its price confirmed, once signed in again', async ({
  page,
  context,
}) => {
  const { email } = await openHome(page)
  await chooseFile(page, sample)
  const start = page.getByRole('button', { name: 'Start Transcription' })
  await expect(start).toBeVisible()
  await context.clearCookies()
  await start.click()
  await expect(toast(page, 'Upload Failed')).toBeVisible()
  await expect(toast(page, 'Please sign in to continue.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'sample.m4a' })).toBeVisible()
  await expectEachAccessible(page)

  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: /^Sign in/ }).click()
  const other = await opening
  await signIn(other, email)
  await other.close()
  await comeBack(page)
  await expect(ended(page)).toHaveCount(0)
  await expect(page.getByText('Please sign in to continue.')).toHaveCount(0)
  await start.click()
  const bill = page.getByRole('alertdialog')
  await expect(bill).toContainText('sample.m4a')

  await context.clearCookies()
  await bill.getByRole('button', { name: 'Confirm' }).click()
  await expect(bill.getByRole('link', { name: /^Sign in/ })).toBeVisible()
  const again = await page.request.post('/api/login', { data: { email, password: PASSWORD } })
  expect(again.ok()).toBe(true)
  // What is asked for when the tab comes back is answered after the price was confirmed.
  const confirmed = page.waitForResponse(/\/confirm$/)
  await page.route(/\/api\/transcriptions\/[^/?]+(\/status)?$/, async (route) => {
    const response = await route.fetch()
    await confirmed
    await route.fulfill({ response })
  })
  await comeBack(page)
  await expect(bill.getByRole('link', { name: /^Sign in/ })).toHaveCount(0)
  await bill.getByRole('button', { name: 'Confirm' }).click()
  await confirmed
  await page.unrouteAll({ behavior: 'wait' })
  await expect(page.getByRole('heading', { name: 'Processing Your File' })).toBeVisible()
  await cancelJob(page)
})

test('what is typed after a session has ended is kept, and saved once signed in again', async ({
  page,
}) => {
  await page.clock.install()
  const spoken = words(said(4))
  const [first] = spoken.turns
  let isSignedIn = true
  const whoIs = refuse('not_signed_in')
  await answerWith(page, {
    ...result({}, spoken),
    'GET /api/user': (route) => (isSignedIn ? route.fulfill({ json: user() }) : whoIs(route)),
    [`PATCH /api/transcriptions/${id(10)}/turns/${first?.id}`]: (route) =>
      isSignedIn
        ? route.fulfill({
            json: {
              revision: 1,
              undo: 1,
              turns: [{ ...first, revision: 1, text: 'Typed in time.', words: [] }],
              removed: [],
              speakers: spoken.speakers,
              wordCount: 3,
              reload: false,
            },
          })
        : whoIs(route),
  })
  await page.goto(`/dashboard?t=${id(10)}`)
  await correct(page, transcript(page).getByRole('listitem').first())
  isSignedIn = false
  await turnEditor(page).fill('Typed in time.')
  await expect(ended(page)).toBeVisible()
  await expect(turnEditor(page)).toHaveValue('Typed in time.')
  // The page still shows what this user's plan has: documents.
  await expect(page.getByRole('tab', { name: 'Generate' })).toBeVisible()

  isSignedIn = true
  await comeBack(page)
  await expect(ended(page)).toHaveCount(0)
  await page.clock.fastForward(5_000)
  await expect(page.getByText(/^Saved/)).toBeVisible()
})

if (isLong)
  test('who leaves the page that was kept is asked to sign in, and somebody else sees nothing of it', async ({
    page,
  }) => {
    let who: number | null = 1
    const noSession = refuse('not_signed_in')
    await answerWith(page, {
      ...result(),
      'GET /api/user': (route) =>
        who === null ? noSession(route) : route.fulfill({ json: user({ id: id(who) }) }),
      [`DELETE /api/transcriptions/${id(100)}`]: noSession,
    })
    await page.goto('/dashboard')
    const end = async () => {
      await page.getByRole('button', { name: 'More for interview.m4a' }).first().click()
      who = null
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
      await expect(ended(page)).toBeVisible()
    }
    await end()
    let loads = 0
    page.on('load', () => (loads += 1))
    who = 2
    await comeBack(page)
    await expect.poll(() => loads).toBe(1)
    await end()
    await page
      .getByRole('banner')
      .getByRole('link', { name: /credits/ })
      .click()
    await expect(page).toHaveURL('/auth?next=%2Fsubscribe')
  })
