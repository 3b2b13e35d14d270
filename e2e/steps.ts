/** What a user does, as verbs. Everything is found by role and name, as a screen reader finds it. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { type Locator, type Page, expect } from '@playwright/test'
import type axe from 'axe-core'

import { keepWith } from '../src/features/account/passwords.ts'
import { cookieFor } from '../src/features/account/sessions.ts'
import { type Database, type Db, openDatabase } from '../src/server/db.ts'
import { type PlanId, SIGNUP_CREDITS, planOf } from '../src/shared/business.ts'
import { aSession, aUser } from '../test/factories.ts'
import { isLong } from '../test/long.ts'
import { databaseOf } from '../test/server.ts'

export const sample = path.resolve(
  import.meta.dirname,
  '../src/features/transcriptions/sample/sample.m4a',
)
export const PASSWORD = 'correct horse battery staple'

// A journey needs an account and not the work of hashing its password.
keepWith({ memory: 128, passes: 1 })

/** A call as the app makes it, with the cookies of its page. */
export async function post(page: Page, path: string, data?: unknown): Promise<unknown> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const answer = await page.request.post(path, { data, headers })
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  return answer.json().catch(() => null)
}

const databases = new Map<string, Promise<Database>>()

/** The database of the server, which keeps it beside its files. */
async function serversDatabase(): Promise<Db> {
  const dataDir = process.env['E2E_DATA_DIR']!
  const known = databases.get(dataDir)
  const opened = known ?? databaseOf(dataDir).then((address) => openDatabase(address))
  databases.set(dataDir, opened)
  return (await opened).db
}

/** Somebody who is signed in, as a row and a cookie. Opens no page. */
export async function haveAccount(page: Page): Promise<{ id: string; email: string }> {
  const db = await serversDatabase()
  const { id: userId, email } = await aUser(db, {
    email: `journey-${randomUUID()}@example.com`,
    lastName: 'Lovett',
    password: PASSWORD,
    credits: SIGNUP_CREDITS,
  })
  const { token } = await aSession(db, { userId, device: 'Chrome on Linux' })
  // Whatever the port: a journey may have a server of its own.
  const { name } = cookieFor(new URL('http://localhost'))
  const cookie = {
    name,
    value: token,
    domain: 'localhost',
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
  } as const
  await page.context().addCookies([cookie])
  return { id: userId, email }
}

/** Signed in, on the dashboard. */
export async function openHome(page: Page): Promise<{ email: string }> {
  const person = await haveAccount(page)
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
  return person
}

/** Puts the free sample into the library: a whole result, without waiting for a recogniser. */
export async function addSample(page: Page): Promise<string> {
  const { id } = (await post(page, '/api/transcriptions/sample')) as { id: string }
  return id
}

export async function openSample(page: Page): Promise<void> {
  await page.goto(`/home?t=${await addSample(page)}`)
  await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeVisible()
}

/** Buys a plan by calls, with the built-in test checkout. */
export async function buy(page: Page, planId: PlanId): Promise<void> {
  const { name, priceCents } = planOf(planId)
  const plan = { planId, amount: priceCents / 100, description: `${name} subscription` }
  const asked = await post(page, '/api/create-payment-intent', plan)
  const { sessionId } = asked as { sessionId: string }
  await post(page, `/dev/checkout/${sessionId}/pay`)
  await post(page, '/api/subscription-success', { ...plan, sessionId })
}

export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
}

export async function chooseFile(
  page: Page,
  file: string | { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file)
}

/** Chooses a file, starts, and waits for the bill. */
export async function upload(page: Page, file: Parameters<typeof chooseFile>[1]): Promise<void> {
  await chooseFile(page, file)
  await page.getByRole('button', { name: 'Start Transcription' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible({ timeout: 30_000 })
}

/** Cancels the job on the screen, so that its recogniser stops. */
export async function cancelJob(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true }).click()
  // With a part of its text on the screen the question is another.
  const question = page.getByRole('alertdialog', { name: /^(Cancel this file|Stop and throw)/ })
  await question.getByRole('button', { name: /^(Cancel file|Stop)$/ }).click()
  await expect(toast(page, 'File has been removed and no credits were charged.')).toBeVisible()
}

/** What a toast says: its title or its description, letter for letter. */
export function toast(page: Page, text: string) {
  return page
    .getByRole('region', { name: /notifications/i })
    .getByText(text, { exact: true })
    .first()
}

/** Expects that toasts end above it. */
export async function expectUnderToasts(page: Page, foot: Locator): Promise<void> {
  const toasts = page.getByRole('region', { name: /notifications/i }).getByRole('list')
  await expect
    .poll(async () => {
      const [over, under] = [await toasts.boundingBox(), await foot.boundingBox()]
      return (over?.y ?? 0) + (over?.height ?? 0) <= (under?.y ?? 0)
    })
    .toBe(true)
}

/** The balance in the header, in words. */
export async function expectCredits(page: Page, credits: number): Promise<void> {
  await expect(page.getByRole('banner').getByText(`${credits} credits`).first()).toBeVisible()
}

/** A recording made by ffmpeg. */
export async function media(name: string, ...options: string[]): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'quoth-media-')), name)
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...options, file])
  return file
}

const axeCode = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What a theme can change. The rest of a page was looked at in the other one. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Waits until all animations have ended. Those without an end, or that follow the scrolling, are
 * not waited for. An inherited colour starts to fade when its parent's has ended, so this looks
 * again until nothing moves. The window loses the focus, which keeps toasts open.
 */
const holdStill = `(async () => {
  // Not while a menu is open: it would close.
  if (!document.querySelector('[role=menu]')) dispatchEvent(new Event('blur'))
  const within = (ms, ended) =>
    Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ms))])
  for (const until = Date.now() + 5_000; Date.now() < until; ) {
    const moving = document.getAnimations().filter(({ effect, timeline }) =>
      timeline === document.timeline && effect.getComputedTiming().endTime !== Infinity)
    if (moving.length === 0) return
    // A paused animation, or one of an element that is not drawn, never ends, so the wait is
    // limited.
    await within(1_000, Promise.all(moving.map(({ finished }) => finished.catch(() => undefined))))
    // What has finished leaves the list with the next frame, which an idle page may not draw.
    await within(100, new Promise(requestAnimationFrame))
  }
})()`
const themed = { dark: 'html.dark', light: 'html:not(.dark)' }
const goOn = `void dispatchEvent(new Event('focus'))`

const themes = isLong ? (['dark', 'light'] as const) : (['light'] as const)

/**
 * What axe finds. A button that is partly under the bar at the bottom can be scrolled out of it: it is
 * asked about again where nothing lies over it.
 */
const violationsOf = `async (shown, options) => {
  const found = (await axe.run(shown, options)).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ element, html, failureSummary }) => ({ element, is: { id, html, failureSummary } })))
  const stays = []
  for (const { element, is } of found) {
    if (is.id === 'target-size') {
      const { scrollX, scrollY } = globalThis
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      const { violations } = await axe.run(element, { ...options, runOnly: { type: 'rule', values: [is.id] } })
      scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
      if (violations.length === 0) continue
    }
    stays.push(is)
  }
  return stays
}`

/** Expects that axe finds nothing wrong with the page. The long run checks both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [index, colorScheme] of themes.entries()) {
    // Without motion, so that no colour is checked while it still changes.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator(themed[colorScheme])).toBeAttached()
    await page.evaluate(holdStill)
    // A page is given axe once: it has half a megabyte. It looks at the whole document itself, for
    // these pages have no frames.
    if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeCode)
    const options: axe.RunOptions = {
      // Only violations, and their elements without a selector for each: the rest takes axe longer
      // than the check.
      resultTypes: ['violations'],
      selectors: false,
      elementRef: true,
      runOnly: index === 0 ? { type: 'tag', values: rules } : { type: 'rule', values: colourRules },
    }
    // A tooltip that the mouse happens to lie on stands beside the landmarks, as it may.
    const shown = { exclude: ['[role=tooltip]'] }
    const run = `(${violationsOf})(${JSON.stringify(shown)}, ${JSON.stringify(options)})`
    const violations = await page.evaluate<object[]>(run)
    expect(violations.map((violation) => ({ colorScheme, ...violation }))).toEqual([])
  }
  await page.evaluate(goOn)
}

/** The same for a further state of a screen: only the long run checks it. */
export async function expectEachAccessible(page: Page): Promise<void> {
  if (isLong) await expectAccessible(page)
}

export const transcript = (page: Page) => page.getByRole('tabpanel', { name: 'Transcription' })
/** Says for a moment that a change is stored. */
export const saved = (page: Page) => page.getByText('Saved', { exact: true })
export const turnEditor = (page: Page) =>
  transcript(page).getByRole('textbox', { name: /^Text of/ })

export async function correct(page: Page, turn: Locator): Promise<void> {
  await turn.hover()
  await turn.getByRole('button', { name: /^Correct the turn/ }).click()
  await expect(turnEditor(page)).toBeFocused()
}

/** How the browser paints the first word of a mark: its background and the line under it. */
export async function paintOf(page: Page, mark: 'now' | 'hit' | 'check') {
  await expect
    .poll(() => page.evaluate(`CSS.highlights.get('${mark}')?.size ?? 0`))
    .toBeGreaterThan(0)
  return page.evaluate<{ background: string; line: string }>(`(() => {
    const [range] = CSS.highlights.get('${mark}')
    const style = getComputedStyle(range.startContainer.parentElement, '::highlight(${mark})')
    return { background: style.backgroundColor, line: style.textDecorationLine }
  })()`)
}
/** A colour, and not `rgba(0, 0, 0, 0)`, which paints nothing. */
export const COLOUR = /^(rgb|oklab|oklch|color)\(/

/** Slows uploads down, so that the test has time to act during one. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 50 * 1024,
  })
}

/** Signed in with Professional, bought by calls: 160 credits, and documents. Opens no page. */
export async function haveDocuments(page: Page): Promise<void> {
  await haveAccount(page)
  await buy(page, 'professional')
}

/** Opens the sample where documents are ordered. */
export async function openSampleToGenerate(page: Page): Promise<Locator> {
  await openSample(page)
  await page.getByRole('tab', { name: 'Generate' }).click()
  return page.getByRole('tabpanel', { name: 'Generate' })
}

/** Orders a document and waits until it is ready. */
export async function orderDocument(panel: Locator, type: string): Promise<Locator> {
  await panel.getByRole('radio', { name: type }).check()
  await panel.getByRole('button', { name: 'Create document' }).click()
  const newest = panel.getByRole('list').first().locator('> li').first()
  await expect(newest).toContainText('generated')
  await expect(panel.getByRole('status')).toHaveText('Ready.')
  return newest
}

/** Lets what has just come be drawn. */
export const drawn = (page: Page) =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  )

/** What nobody sees; a page is called good up to 0.1. */
const MOST = 0.02

interface Shift {
  value: number
  what: string[]
}

/** Run in a page before its scripts: notes what moves, and what of it nobody's press has moved. */
export const watch = `(() => {
  globalThis.shifts = []
  globalThis.pushed = []
  const nameOf = ({ node, previousRect, currentRect }) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement
    const by = currentRect.top - previousRect.top
    return (element?.tagName ?? '?') + ' "' + (element?.innerText ?? '').slice(0, 40) + '" by ' + by
  }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const shift = { value, what: sources.map(nameOf) }
      globalThis.pushed.push(shift)
      if (!hadRecentInput) globalThis.shifts.push(shift)
    }
  }).observe({ type: 'layout-shift', buffered: true })
})()`

/** `pushed` counts what a press has moved, too. */
export async function expectStill(
  page: Page,
  which: 'shifts' | 'pushed' = 'shifts',
): Promise<void> {
  const shifts = await page.evaluate<Shift[]>(`globalThis.${which}`)
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect(sum, `${page.url()}: ${JSON.stringify(shifts, null, 2)}`).toBeLessThanOrEqual(MOST)
}
