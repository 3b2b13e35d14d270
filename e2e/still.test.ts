/** What is on the screen stays where it is, whatever order the answers of the server come in. */
import { type Page, expect, test } from '@playwright/test'

import {
  type Answers,
  answerWith,
  id,
  job,
  library,
  result,
  rows,
  soFar,
} from './states/answers.ts'

/** `above`: what may stand over the first word of a result. */
const sizes = [
  { width: 1440, height: 900, above: 360 },
  { width: 390, height: 844, above: 530 },
] as const
/** What nobody sees; a page is called good up to 0.1. */
const MOST = 0.02

interface Shift {
  value: number
  what: string[]
}

const watch = `(() => {
  globalThis.shifts = []
  const nameOf = ({ node, previousRect, currentRect }) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement
    const by = currentRect.top - previousRect.top
    return (element?.tagName ?? '?') + ' "' + (element?.innerText ?? '').slice(0, 40) + '" by ' + by
  }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) globalThis.shifts.push({ value, what: sources.map(nameOf) })
  }).observe({ type: 'layout-shift', buffered: true })
})()`

/** Lets what has just come be drawn. */
const drawn = (page: Page) =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  )

/** Every answer comes alone: the one before it has been drawn. */
async function oneByOne(page: Page): Promise<{ quiet: () => Promise<void> }> {
  let last: Promise<unknown> = Promise.resolve()
  await page.route('**/api/**', async (route) => {
    const before = last
    const turn = Promise.withResolvers<void>()
    last = turn.promise
    await before
    await drawn(page).catch(() => undefined)
    await route.fallback()
    turn.resolve()
  })
  return {
    quiet: async () => {
      for (let seen; seen !== last;) await (seen = last)
      await drawn(page)
    },
  }
}

async function expectStill(page: Page): Promise<void> {
  const shifts = await page.evaluate<Shift[]>('globalThis.shifts')
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect(sum, JSON.stringify(shifts, null, 2)).toBeLessThanOrEqual(MOST)
}

/** Each with what stands there when all of it has come. */
const pages: readonly [path: string, there: string | RegExp, answers?: Answers][] = [
  ['/home', 'Open the sample (free)', { 'GET /api/transcriptions': library({}) }],
  ['/home', 'Open the library'],
  ['/library', /recordings/],
  ['/ask', 'What is said about the minutes?'],
  [`/home?t=${id(10)}`, 'Talk time', result()],
  ['/account', 'How right your texts were'],
  ['/account/credits', 'For signing up'],
  ['/account/vocabulary', 'Okafor'],
  ['/account/templates', 'Sales call'],
  ['/account/security', 'The password was changed'],
  ['/account/data', 'Links to others'],
  ['/account/api-keys', 'Nightly import of the newsroom'],
  ['/account/webhooks', /hooks/],
]

for (const size of sizes) {
  const where = `at ${size.width}`
  for (const [path, there, answers = {}] of pages)
    test(`${path} with “${String(there)}” stays where it is while it comes ${where}`, async ({
      page,
    }) => {
      await page.setViewportSize(size)
      await page.addInitScript(watch)
      await answerWith(page, answers)
      const { quiet } = await oneByOne(page)
      await page.goto(path)
      await expect(page.getByText(there).first()).toBeAttached()
      await quiet()
      await expectStill(page)
    })

  test(`the dashboard stays where it is while a text is read ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.addInitScript(watch)
    let read = 0
    const one = `/api/transcriptions/${id(10)}`
    const now = () => job({ status: `processing chunk ${read}/8`, speakers: [] })
    await answerWith(page, {
      'GET /api/transcriptions': (route) => library({ open: [now()], finished: rows(3) })(route),
      [`GET ${one}`]: (route) => route.fulfill({ json: now() }),
      [`GET ${one}/so-far`]: (route) => {
        const from = Number(new URL(route.request().url()).searchParams.get('from'))
        const { turns, ...more } = soFar(read * 2)
        return route.fulfill({ json: { ...more, from, turns: turns.slice(from) } })
      },
    })
    await page.goto(`/dashboard?t=${id(10)}`)
    const heading = page.getByRole('heading', { name: 'Library' })
    await expect(heading).toBeVisible()
    for (read = 1; read <= 4; read++)
      await expect(page.getByText(`Read up to ${formatted(read * 20)}.`)).toBeVisible()
    await drawn(page)
    await expectStill(page)
  })

  test(`the first word of a result stands near the top ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    await answerWith(page, result())
    await page.goto(`/home?t=${id(10)}`)
    const first = page.locator('[data-turn-text="0"]')
    await expect(first).toBeVisible()
    await drawn(page)
    expect((await first.boundingBox())?.y).toBeLessThan(size.above)
  })

  test(`the tabs stay where they are ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    // With it the buttons of one tab leave no room for what those of another leave room for.
    const originalName = `${'A long name of a recording '.repeat(3)}.m4a`
    await answerWith(page, result({ originalName }))
    await page.goto(`/dashboard?t=${id(10)}`)
    const tabs = page.getByRole('tablist', { name: 'Results' })
    const names = await tabs.getByRole('tab').allInnerTexts()
    const places: [string, number | undefined][] = []
    for (const name of names) {
      await tabs.getByRole('tab', { name }).click()
      await expect(page.getByRole('tabpanel', { name })).toBeVisible()
      places.push([name, (await tabs.boundingBox())?.y])
    }
    expect(places).toEqual(names.map((name) => [name, places[0]?.[1]]))
  })
}

const formatted = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
