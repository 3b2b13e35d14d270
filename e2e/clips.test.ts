/** A passage as a clip of its own: framed, shown as it will be, made, and seen. */
import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { answerWith, cuts, generated, id, refuse, render, result } from './states/answers.ts'
import { expectAccessible, expectEachAccessible, haveAccount, openSample } from './steps.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Clip', exact: true })
const strip = (page: Page) => page.getByRole('group', { name: 'Clip', exact: true })
const marked = (page: Page) =>
  page.evaluate<string[]>(`[...(CSS.highlights.get('clip') ?? [])].map(String)`)
const select = (page: Page, turn: number, from: number, to: number) =>
  page.evaluate(`(() => {
    const node = document.querySelector('[data-turn-text="${turn}"]').firstChild
    getSelection().setBaseAndExtent(node, ${from}, node, ${to})
  })()`)

test('selected words become a clip with a picture of its own', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await haveAccount(page)
  await openSample(page)
  await select(page, 2, 0, 25)
  await page.getByRole('button', { name: 'More for the selected words' }).click()
  await page.getByRole('menuitem', { name: 'Make a clip…' }).click()
  await expect.poll(() => marked(page)).toEqual(['Did any be right at down?'])
  await expect(panel(page).getByRole('img')).toHaveAccessibleName('Did any be right at down?')

  // An edge goes from word to word, and with Shift by a tenth of a second.
  const end = strip(page).getByRole('slider', { name: 'End' })
  await expect(end).toHaveAttribute('aria-valuetext', /seconds, down\?$/)
  await end.focus()
  await page.keyboard.press('ArrowRight')
  await expect(end).toHaveAttribute('aria-valuetext', /seconds, The$/)
  await expect.poll(() => marked(page)).toEqual(['Did any be right at down? The'])
  const before = Number(await end.getAttribute('aria-valuenow'))
  await page.keyboard.press('Shift+ArrowRight')
  expect(Number(await end.getAttribute('aria-valuenow'))).toBeCloseTo(before + 0.1, 3)
  await expectAccessible(page)

  // Dragged, it stays at a word.
  const beginning = strip(page).getByRole('slider', { name: 'Beginning' })
  const place = (await beginning.boundingBox())!
  await page.mouse.move(place.x + 6, place.y + 20)
  await page.mouse.down()
  await page.mouse.move(place.x + 20, place.y + 20, { steps: 4 })
  await page.mouse.up()
  await expect(beginning).not.toHaveAttribute('aria-valuetext', /, Did$/)

  await panel(page).getByText('Square').click()
  const asked = page.waitForRequest((request) => request.url().endsWith('/renders'))
  await panel(page).getByRole('button', { name: 'Make the clip' }).click()
  await asked
  const film = panel(page).locator('video')
  await expect(film).toBeVisible({ timeout: 60_000 })
  await expect
    .poll(() =>
      page.evaluate(
        '(({ videoWidth, videoHeight }) => [videoWidth, videoHeight])(document.querySelector("video"))',
      ),
    )
    .toEqual([1080, 1080])
  // It comes in sight by itself, above the button.
  const download = panel(page).getByRole('link', { name: 'Download' })
  await expect(download).toBeInViewport({ ratio: 1 })
  await expect(film).toBeInViewport({ ratio: 1 })
  await panel(page).getByRole('button', { name: 'Share this file' }).click()
  const sharing = page.getByRole('dialog', { name: /^Share/ })
  await expect(sharing.getByRole('switch', { name: 'Speakers’ names' })).toBeVisible()
  await expect(sharing.getByRole('switch', { name: 'Captions' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(strip(page)).toHaveCount(0)
  expect(await marked(page)).toEqual([])
})

test.describe('of made-up words', () => {
  const renders = `/api/transcriptions/${id(10)}/renders`
  const clip = {
    ...({ start: 2.5, end: 4, shape: 'upright', captions: 'words', names: true } as const),
    centre: { x: 0.5, y: 0.5 },
  }
  const open = async (page: Page, answers: Parameters<typeof answerWith>[1] = {}) => {
    await answerWith(page, {
      ...result(),
      [`GET ${renders}`]: { renders: [], secondsLeft: 7_200, usual: 'mp3' },
      ...answers,
    })
    await page.goto(`/dashboard?t=${id(10)}`)
    await expect(page.locator('[data-turn-text="2"]')).toBeVisible()
    await select(page, 2, 0, 27)
    await page.keyboard.press('c')
    await expect(panel(page)).toBeVisible()
  }

  test('a clip whose text has changed since is made again as it was ordered', async ({ page }) => {
    const old = render({ clip, format: 'mp4', isAsWritten: false, duration: 1.5 })
    await open(page, {
      [`GET ${renders}`]: { renders: [old], secondsLeft: 7_200, usual: 'mp3' },
      [`POST ${renders}`]: render({ clip, format: 'mp4', status: 'making' }),
    })
    await expect(panel(page)).toContainText('The text has changed since.')
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await panel(page).getByRole('button', { name: 'Make it again' }).click()
    expect((await asked).postDataJSON()).toEqual({ format: 'mp4', clip })
  })

  test('show notes propose clips of what key points were taken from, and not of what is cut', async ({
    page,
  }) => {
    const notes = generated(1, { title: 'Show notes: minutes', documentType: 'show-notes' })
    await answerWith(page, {
      ...result(),
      [`GET /api/transcription/${id(10)}/documents`]: [generated(2), notes],
      [`GET ${renders}`]: { renders: [], secondsLeft: 7_200, usual: 'mp3' },
      [`GET /api/transcriptions/${id(10)}/cuts`]: cuts([{ start: 30, end: 31 }]),
    })
    await page.goto(`/dashboard?t=${id(10)}#generate`)
    const moments = page.getByRole('region', { name: 'Best moments' })
    await expect(moments).toHaveCount(1)
    await expect(moments.getByRole('listitem')).toHaveText([/^Play from 0:00/, /^Play from 0:45/])
    await page.setViewportSize({ width: 1280, height: 500 })
    await moments
      .getByRole('button', { name: /^Make a clip/ })
      .last()
      .click()
    await expect(panel(page)).toBeVisible()
    expect((await marked(page)).join(' ')).toMatch(/^\w/)
    // The text is where the passage is.
    await expect
      .poll(() =>
        page.evaluate(`(() => {
          const { top, bottom } = [...CSS.highlights.get('clip')][0].getBoundingClientRect()
          return top > 0 && bottom < innerHeight && scrollY > 0
        })()`),
      )
      .toBe(true)
  })

  if (isLong)
    test('the shape that was chosen last is offered first', async ({ page }) => {
      await open(page)
      await panel(page).getByText('Square').click()
      await page.keyboard.press('Escape')
      await expect(panel(page)).toHaveCount(0)
      await open(page)
      await expect(panel(page).getByRole('radio', { name: 'Square' })).toBeChecked()
    })

  if (isLong)
    test('what the server does not make says why', async ({ page }) => {
      await open(page, { [`POST ${renders}`]: refuse('too_much_rendered') })
      await panel(page).getByRole('button', { name: 'Make the clip' }).click()
      await expect(panel(page).getByRole('alert')).toContainText('Nothing was made')
    })

  test('on a phone it is a sheet, with its edges above the player', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page)
    await expect(panel(page).getByRole('img')).toBeVisible()
    const make = (await panel(page).getByRole('button', { name: 'Make the clip' }).boundingBox())!
    const edges = (await strip(page).boundingBox())!
    expect(make.y + make.height).toBeLessThanOrEqual(edges.y + 1)
    await expectEachAccessible(page)
  })
})
