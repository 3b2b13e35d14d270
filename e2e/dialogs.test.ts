import { expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import config from '../playwright.config.ts'
import { answerWith, id, job, library, rows } from './states/answers.ts'
import { toast } from './steps.ts'

// Scrollbars take space beside the page, as on most desktops.
test.use({
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
})

if (isLong)
  test('a dialog moves nothing of the page behind it, and dims it to its edge', async ({
    page,
  }) => {
    await answerWith(page, { 'GET /api/transcriptions': library({ finished: rows(1) }) })
    for (const height of [400, 2_000]) {
      await page.setViewportSize({ width: 1_000, height })
      await page.goto('/dashboard')
      // Compares the place from the left only: the page may scroll down to what is pressed.
      const left = () =>
        page.evaluate<number>(`document.querySelector('h1').getBoundingClientRect().x`)
      const more = page.getByRole('button', { name: 'More for interview.m4a' })
      await expect(more).toBeVisible()
      const before = await left()
      await more.click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toBeVisible()
      expect(await left()).toBe(before)

      await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))')
      const edge = await page.screenshot({ clip: { x: 980, y: 200, width: 20, height: 1 } })
      // Of red, green and blue along the last 20 pixels: how far the brightest is from the darkest.
      const steps = await page.evaluate<number[]>(`(async () => {
      const image = await createImageBitmap(new Blob([Uint8Array.from([${[...edge].join()}])]))
      const canvas = new OffscreenCanvas(image.width, 1).getContext('2d')
      canvas.drawImage(image, 0, 0)
      const { data } = canvas.getImageData(0, 0, image.width, 1)
      return [0, 1, 2].map((channel) => {
        const values = [...data].filter((_, place) => place % 4 === channel)
        return Math.max(...values) - Math.min(...values)
      })
    })()`)
      expect(Math.max(...steps), 'of 255').toBeLessThan(3)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(more).toBeFocused()
    }
  })

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  test('the toast that follows on "Undo" goes by itself', async ({ page }) => {
    await page.clock.install()
    await answerWith(page, {
      'GET /api/transcriptions': library({ finished: rows(2) }),
      [`DELETE /api/transcriptions/${id(100)}`]: { message: 'Deleted.' },
      [`POST /api/transcriptions/${id(100)}/undelete`]: job({ id: id(100) }),
    })
    await page.goto('/library')
    await page.getByRole('button', { name: 'More for interview.m4a' }).tap()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).tap()
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(toast(page, 'Back in your library')).toBeVisible()
    await page.clock.fastForward(5_000)
    await expect(toast(page, 'Back in your library')).toBeHidden()
  })
})
