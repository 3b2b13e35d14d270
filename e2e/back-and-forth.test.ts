/** The browser's Back and Forward: where they lead, how far down, and what they may not lose. */
import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { chooseFile, media, openHome, slowDown } from './steps.ts'

const upload = (page: Page) => page.getByRole('heading', { name: 'Transcribe a recording' })
const profile = (page: Page) => page.getByRole('heading', { name: 'Profile' })

async function openAccount(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(profile(page)).toBeVisible()
}

const scrolledTo = (page: Page) => page.evaluate('Math.round(scrollY)')

/** From now on the page hears of sizes that changed only when `tell` is called: a busy machine. */
async function holdSizesBack(page: Page): Promise<{ tell: () => Promise<unknown> }> {
  await page.addInitScript(`
    let held = []
    window.tellSizes = () => held.splice(0).forEach((tell) => tell())
    window.ResizeObserver = class extends ResizeObserver {
      constructor(tell) {
        super((...news) => held.push(() => tell(...news)))
      }
    }`)
  // The sizes are measured once a frame.
  const measured = 'new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))'
  return { tell: () => page.evaluate(`${measured}.then(tellSizes)`) }
}

test('back leads to the place on the page that was left, a new page opens at its top', async ({
  page,
}) => {
  const sizes = await holdSizesBack(page)
  await page.setViewportSize({ width: 390, height: 500 })
  await openHome(page)
  await openAccount(page)
  await page.goBack()
  await expect(upload(page)).toBeVisible()
  // As soon as it is long enough.
  await expect.poll(() => page.evaluate('scrollTo(0, 240), Math.round(scrollY)')).toBe(240)
  await sizes.tell()
  await page.goForward()
  await expect(profile(page)).toBeVisible()
  await expect.poll(() => scrolledTo(page)).toBe(0)
  await page.goBack()
  await expect(upload(page)).toBeAttached()
  await expect.poll(() => sizes.tell().then(() => scrolledTo(page))).toBe(240)
})

if (isLong)
  test('back asks while a file is being sent, and goes on when it was answered', async ({
    page,
  }) => {
    await openHome(page)
    await openAccount(page)
    await page.getByRole('link', { name: 'Quoth' }).first().click()
    await expect(upload(page)).toBeVisible()

    await slowDown(page)
    await chooseFile(
      page,
      await media('large.wav', '-f', 'lavfi', '-i', 'anullsrc=r=16000', '-t', '60'),
    )
    await page.getByRole('button', { name: 'Start Transcription' }).click()
    const sending = page.getByRole('heading', { name: 'Uploading and processing file...' })
    await expect(sending).toBeVisible()

    const question = page.getByRole('alertdialog', { name: 'Your file is still being sent.' })
    // Closing the tab, the browser asks by itself.
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await expect(sending).toBeVisible()

    await page.evaluate('history.back()')
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(sending).toBeVisible()
    await expect(page).toHaveURL(/\/$/)

    await page.evaluate('history.back()')
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(profile(page)).toBeVisible()
    await expect(page).toHaveURL(/\/account$/)
  })
