/**
 * The two kinds of `test` of the journeys. Most share one page for as long as a worker lives, because
 * a new browser context and page cost half a second of processor time. After each journey the page is
 * emptied: no cookie is left, nothing is stored, no route is answered by a test, and its size and
 * media are those of the configuration. The cache of files and the history stay.
 */
import { type Page, test as base } from '@playwright/test'

interface Kept {
  page?: Page
  options?: string
}

/**
 * A journey with a browser context of its own. It is for what `test` cannot take back or must not
 * have: options of `test.use`, a clock, a script in every page, a slow line, an answer to the file
 * dialog, an empty cache.
 */
export const freshTest = base.extend<object, { kept: Kept }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that it needs nothing
  kept: [async ({}, hand) => hand({}), { scope: 'worker' }],
})

export const test = freshTest.extend({
  context: async (
    {
      browser,
      kept,
      viewport,
      colorScheme,
      hasTouch,
      javaScriptEnabled,
      permissions,
      serviceWorkers,
    },
    hand,
    journey,
  ) => {
    const others = { hasTouch, javaScriptEnabled, permissions, serviceWorkers }
    const options = JSON.stringify({ viewport, colorScheme, ...others })
    kept.options ??= options
    if (options !== kept.options)
      throw new Error('A journey with options of its own is a freshTest: see e2e/journey.ts.')
    const context = kept.page?.context() ?? (await browser.newContext())
    await hand(context)
    kept.page = context.pages()[0]
    // After a failure the worker ends, and Playwright takes a picture of the page as it is.
    if (kept.page && journey.status === journey.expectedStatus)
      await empty(kept.page, { viewport, colorScheme })
  },
  page: async ({ context }, hand) => hand(context.pages()[0] ?? (await context.newPage())),
})

interface Look {
  viewport: { width: number; height: number } | null
  colorScheme: 'light' | 'dark' | 'no-preference' | null
}

async function empty(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  // Not those to `close` and `crash`, which Playwright itself needs.
  for (const event of ['console', 'dialog', 'download', 'load', 'pageerror', 'request'])
    page.removeAllListeners(event)
  // A route that still answers a request may fail from now on, and is no failure of anybody.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  // Only a page of its origin can empty a storage. In this one nothing of the app runs.
  await page.goto('/robots.txt')
  await page.evaluate(`(async () => {
    localStorage.clear()
    sessionStorage.clear()
    for (const name of await caches.keys()) await caches.delete(name)
    for (const { name } of await indexedDB.databases())
      await new Promise((done, fail) => {
        const deletion = indexedDB.deleteDatabase(name)
        Object.assign(deletion, { onsuccess: done, onerror: fail, onblocked: fail })
      })
  })()`)
  await context.clearCookies()
  await context.clearPermissions()
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: 'reduce' })
  if (viewport) await page.setViewportSize(viewport)
  await page.mouse.move(-1, -1)
}
