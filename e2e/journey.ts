/**
 * The `test` of the journeys. They share one page for as long as a worker lives: a new one costs more
 * processor time than most journeys do. A journey finds it as a new one: with no cookie, nothing
 * stored, at the first size. Only the cache of files is kept.
 */
import { type Page, test as base } from '@playwright/test'

/**
 * For a journey that needs a browser context of its own, because it sets what cannot be taken back: a
 * clock that stands, a script in every page, a slow line, another device.
 */
export const freshTest = base.extend<object, { kept: { page?: Page } }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that it needs nothing
  kept: [async ({}, hand) => hand({}), { scope: 'worker' }],
})

export const test = freshTest.extend({
  context: async ({ browser, kept, viewport }, hand) => {
    if (kept.page) await clean(kept.page, viewport)
    const context = kept.page?.context() ?? (await browser.newContext())
    await hand(context)
    kept.page = context.pages()[0]
    // A failure of one that is still answered would count as one of the next journey.
    await kept.page?.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
  },
  page: async ({ context }, hand) => hand(context.pages()[0] ?? (await context.newPage())),
})

async function clean(page: Page, viewport: { width: number; height: number } | null) {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  page.removeAllListeners()
  await context.setOffline(false)
  await context.clearCookies()
  await context.clearPermissions()
  await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'reduce' })
  if (viewport) await page.setViewportSize(viewport)
  await page.mouse.move(0, 0)
  // A small file of the same origin: no script of the app runs there any more.
  await page.goto('/robots.txt')
  await page.evaluate(`(async () => {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
    for (const name of await caches.keys()) await caches.delete(name)
  })()`)
}
