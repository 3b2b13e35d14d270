/** The dashboard alone. The server's answers are made up, so that no recogniser has to run. */
import { type Locator, type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import type { SoFar } from '../src/features/transcriptions/contract.ts'
import {
  answerWith,
  generated,
  id,
  job,
  library,
  result,
  said,
  soFar,
  user,
  words,
} from './states/answers.ts'
import { type Step, ways } from './states/ways.ts'
import { toast, transcript } from './steps.ts'

const one = `/api/transcriptions/${id(10)}`
const documents = `/api/transcription/${id(10)}/documents`
const processing = (page: Page) => page.getByRole('heading', { name: 'Processing Your File' })
const panel = (page: Page) => page.getByRole('heading', { name: 'Upload audio or video file' })

/** How often each path was asked for so far. */
function callsOf(page: Page): (path: string) => number {
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  return (path) => paths.filter((asked) => asked === path).length
}

for (const [planType, asked] of [
  ['professional', [1, 2, 3]],
  ['starter', [0, 0, 0]],
] as const)
  test(`a second after completion the documents are looked for, and every three while one is written: ${planType}`, async ({
    page,
  }) => {
    await page.clock.install()
    const calls = callsOf(page)
    let status = 'summarizing'
    await answerWith(page, {
      ...result(),
      'GET /api/user': user({ planType }),
      [`GET ${one}`]: (route) => route.fulfill({ json: job({ status }) }),
      [`GET ${documents}`]: [generated(1, { status: 'generating' })],
    })
    await page.goto(`/dashboard?t=${id(10)}`)
    await expect(processing(page)).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    // React keeps a fallback on the screen for 300 ms, which here are the clock's. And what was
    // asked before the status changed is only asked again after two seconds.
    const expectSoon = (look: () => unknown) =>
      expect.poll(
        async () => {
          await page.clock.runFor(50)
          return look()
        },
        { intervals: [50] },
      )
    status = 'completed'
    await page.clock.runFor(2_000)
    await expectSoon(() => transcript(page).isVisible()).toBe(true)
    await expectSoon(() => calls(documents)).toBe(asked[0])

    await page.clock.runFor(1_000)
    await expectSoon(() => calls(documents)).toBe(asked[1])
    await page.clock.runFor(3_000)
    await expectSoon(() => calls(documents)).toBe(asked[2])
  })

if (isLong)
  test('a user whose fields are missing but for the id has 0 credits and every screen', async ({
    page,
  }) => {
    const { id: userId } = user()
    await answerWith(page, {
      'GET /api/user': { id: userId },
      [`GET ${one}`]: { id: id(10), status: 'error', originalName: 'a.mp3' },
    })
    for (const path of ['/dashboard', '/subscribe', '/account', `/dashboard?t=${id(10)}`]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText('0 credits').filter({ visible: true }).first()).toBeVisible()
    }
    await expect(page.getByText('An error occurred while processing your file.')).toBeVisible()
    await expect(page).toHaveTitle('Processing Failed · a.mp3')
  })

test('whoever comes to the dashboard while a job runs is led to it, and can start another', async ({
  page,
}) => {
  const running = job({ status: 'processing chunk 2/5' })
  await answerWith(page, {
    ...result(running),
    'GET /api/transcriptions': library({ open: [running] }),
  })
  await page.goto('/home')
  await expect(processing(page)).toBeVisible()
  await expect(page).toHaveURL(`/home?t=${id(10)}`)
  // The tab says how far it is, for who looks at another one.
  await expect(page).toHaveTitle('54% · interview.m4a')

  await page.getByRole('button', { name: 'Add another' }).click()
  await expect(panel(page)).toBeVisible()
  await page.reload()
  await expect(page.getByText('Transcribing · 54%')).toBeVisible()
  await expect(panel(page)).toBeVisible()

  await page.getByRole('banner').getByRole('link', { name: 'Quoth' }).click()
  await expect(processing(page)).toBeVisible()
})

test('the text of a running job grows at its end, and what is read of it stays where it is', async ({
  page,
}) => {
  const asked: string[] = []
  let status = 'processing chunk 6/8'
  let answer: SoFar = soFar(6)
  await answerWith(page, {
    ...result({}, words(said(60, 2), { seconds: 10 })),
    [`GET ${one}`]: (route) => route.fulfill({ json: job({ status }) }),
    [`GET ${one}/so-far`]: (route) => {
      asked.push(new URL(route.request().url()).search)
      return route.fulfill({ json: answer })
    },
  })
  await page.goto(`/dashboard?t=${id(10)}`)
  const text = page.getByRole('region', { name: 'What is there already' })
  const turns = text.getByRole('listitem')
  const placeOf = async (turn: Locator) => Math.round((await turn.boundingBox())?.y ?? 0)
  await expect(text).toContainText('Read up to 1:00. Names and words may still change.')
  await expect(page.getByText('1:00 of 41:10 read')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Read up to 1:00' })).toBeAttached()
  await expect(text).toContainText('… 1 more turn, up to 0:50')
  await expect(turns).toHaveCount(5)
  await expect(turns.last()).toContainText('still being written')

  await text.getByRole('button', { name: 'Show them all' }).click()
  await expect(turns).toHaveCount(6)
  await turns.nth(3).evaluate((turn) => turn.scrollIntoView({ block: 'center' }))
  const before = await placeOf(turns.nth(3))
  answer = { ...soFar(60), from: 6, turns: soFar(60).turns.slice(6) }
  status = 'processing chunk 8/8'
  await expect(turns).toHaveCount(60)
  // Polls go on, and only a status that says so leads to another question.
  expect(asked).toEqual(['?from=0&readTo=0', '?from=6&readTo=60'])
  expect(await placeOf(turns.nth(3))).toBe(before)

  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Stop and throw away the text so far?' })
  await question.getByRole('button', { name: 'Go on' }).click()
  await expect(question).toBeHidden()

  await turns.nth(40).evaluate((turn) => turn.scrollIntoView({ block: 'center' }))
  status = 'completed'
  // The result says it by itself, and nothing lies over it. Screen readers are told.
  await expect(page.getByRole('status').getByText('Transcription ready')).toBeAttached()
  await expect(toast(page, 'Transcription ready')).toHaveCount(0)
  await expect(transcript(page).locator('[data-turn="40"]')).toBeInViewport()
})

test('a row that was confirmed offers at once no more to confirm it', async ({ page }) => {
  const waiting = job({ status: 'uploading' })
  await answerWith(page, {
    'GET /api/transcriptions': library({ open: [waiting], finished: [] }),
    [`GET ${one}`]: waiting,
    [`POST ${one}/confirm`]: { creditsDeducted: 13, creditsRemaining: 129 },
  })
  await page.goto(`/dashboard?t=${id(10)}`)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).waitFor()
  // What the list says from now on comes late.
  await page.route('**/api/transcriptions?*', () => new Promise(() => undefined))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, '13 credits deducted. 129 credits remaining.')).toBeVisible()
  await expect(page.getByRole('link', { name: `Confirm ${waiting.originalName}` })).toHaveCount(0)
})

test('a file whose upload is stopped while its price is asked for is not kept', async ({
  page,
}) => {
  await answerWith(page, {
    ...ways['bill'],
    [`GET ${one}`]: () => new Promise(() => undefined),
  })
  const calls = (method: string, path: RegExp) =>
    page.waitForRequest((request) => request.method() === method && path.test(request.url()))
  await page.goto('/dashboard')
  const asked = calls('GET', new RegExp(`${one}$`))
  await (ways['send a file'] as Step)(page)
  await asked
  const dropped = calls('DELETE', /\/api\/uploads\/[^/]+$/)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await dropped
  await expect(page.getByRole('button', { name: 'Start Transcription' })).toBeEnabled()
})

test('what a file costs stays where it is when a price is confirmed', async ({ page }) => {
  let status = 'uploading'
  const originalName = 'The second half of the interview.m4a'
  await answerWith(page, {
    [`GET ${one}`]: (route) => route.fulfill({ json: job({ status, originalName }) }),
    [`POST ${one}/confirm`]: (route) => {
      status = 'processing'
      return route.fulfill({ json: { creditsDeducted: 13, creditsRemaining: 129 } })
    },
  })
  await page.goto(`/dashboard?t=${id(10)}`)
  // While the bill is open, nothing else is there for who finds it by role.
  const rail = page.locator('aside[aria-label=Credits]')
  const place = () =>
    page.evaluate<number>(`(() => {
      const rail = document.querySelector('aside[aria-label=Credits]')
      const costs = [...rail.querySelectorAll('h2')].at(-1)
      return costs.getBoundingClientRect().y - rail.getBoundingClientRect().y
    })()`)
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' })
  await confirm.waitFor()
  const before = await place()
  await confirm.click()
  await expect(rail).toContainText('13 credits are reserved')
  expect(await place()).toBe(before)
})

test('a key point of a model that rests on words nobody said is marked as without source', async ({
  page,
}) => {
  const [first = ''] = job().keyPoints
  const keyPoints = [first, 'They want to be rich by Friday.']
  const unsaid = { keyPoints, keyPointTimes: [0, null], keyPointQuotes: ['words', null] }
  await answerWith(page, result(unsaid))
  await page.goto(`/dashboard?t=${id(10)}`)
  await page.getByRole('tab', { name: 'Summary' }).click()
  const summary = page.getByRole('tabpanel', { name: 'Summary' })
  await expect(summary).toContainText('Written by AI from this transcript.')
  const points = summary.getByRole('region', { name: 'Key points' }).getByRole('listitem')
  await expect(points).toHaveCount(2)
  await expect(points.nth(0)).not.toContainText('No source found')
  // There is nothing to show or to play for it.
  await expect(points.nth(1)).toContainText('No source found')
  await expect(points.nth(1).getByRole('button', { name: /Said at/ })).toHaveCount(0)
})
