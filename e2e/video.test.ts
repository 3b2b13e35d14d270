import { type Page, expect, test } from '@playwright/test'

import {
  expectAccessible,
  expectEachAccessible,
  media,
  openHome,
  sample,
  turnEditor,
  upload,
} from './steps.ts'

const figure = (page: Page) => page.getByRole('figure', { name: 'Picture of film.webm' })
/** Of the captions that the browser draws over the picture. */
const captions = <Found>(page: Page, of: string) =>
  page.evaluate<Found>(`(() => {
    const [{ mode, cues, activeCues }] = document.querySelector('figure video').textTracks
    return ${of}
  })()`)
const captionNow = (page: Page) =>
  captions<string>(page, `[...activeCues].map(({ text }) => text).join(' ')`)
const screenOf = (page: Page) => page.evaluate<string>(`document.fullscreenElement?.tagName ?? ''`)
const place = async (page: Page) => (await figure(page).boundingBox()) ?? { x: 0, y: 0, width: 0 }
const isPlaying = (page: Page) =>
  page.evaluate<boolean>(`!document.querySelector('figure video').paused`)

/** Has speech with a picture written. */
async function transcribe(page: Page): Promise<void> {
  const pictures = ['-f', 'lavfi', '-i', 'testsrc2=duration=6:size=320x180:rate=5']
  const film = await media('film.webm', '-t', '6', '-i', sample, ...pictures, '-c:v', 'libvpx')
  await openHome(page)
  await upload(page, film)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  const text = page.getByRole('tabpanel', { name: 'Transcription' })
  await expect(text).toBeVisible({ timeout: 60_000 })
}

test('a video is seen beside its words, with them as captions, over other tabs, and behind a link', async ({
  page,
}) => {
  test.slow()
  await transcribe(page)
  const text = page.getByRole('tabpanel', { name: 'Transcription' })

  // The picture is at the left, and what is said is its caption.
  await expect(figure(page)).toBeVisible()
  const leftOfWords = async () => ((await text.boundingBox())?.x ?? 0) - (await place(page)).x
  await expect.poll(leftOfWords).toBeGreaterThan(0)
  await expect(figure(page).getByText('The picture is loading.')).toHaveCount(0)
  await figure(page).locator('video').click()
  await expect(
    page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause' }),
  ).toBeVisible()
  await expect.poll(() => captionNow(page)).toMatch(/\w/)
  await page.keyboard.press('k')
  await expectAccessible(page)
  const said = await captionNow(page)
  await expect(text).toContainText(said.slice(0, 12))

  // A correction is in the captions, and goes from them when it is undone.
  await page.keyboard.press('e')
  await turnEditor(page).press('ControlOrMeta+a')
  await turnEditor(page).pressSequentially('Noon')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(() => captions(page, '[...cues].map(({ text }) => text)')).toContain('Noon')
  expect(await captions(page, 'mode')).toBe('showing')
  await page.keyboard.press('z')
  await expect.poll(() => captionNow(page)).toBe(said)
  await figure(page).getByRole('button', { name: 'Captions' }).click()
  await expect.poll(() => captions(page, 'mode')).toBe('hidden')

  // The line between the two is moved by keys, and stays where it was put.
  const line = page.getByRole('separator', { name: 'Width of the picture' })
  await expect(line).toHaveAttribute('aria-valuetext', '50 percent')
  await line.focus()
  await page.keyboard.press('Home')
  await expect.poll(async () => Math.round((await place(page)).width)).toBeLessThan(320)
  const narrow = await line.getAttribute('aria-valuetext')
  await page.reload()
  await expect(line).toHaveAttribute('aria-valuetext', narrow!)

  // Over another tab it goes on, small, until it is closed.
  await page.keyboard.press('k')
  await expect.poll(() => isPlaying(page)).toBe(true)
  await page.getByRole('tab', { name: 'Summary' }).click()
  await expect.poll(async () => (await place(page)).width).toBe(240)
  expect(await isPlaying(page)).toBe(true)
  await expectEachAccessible(page)
  await figure(page).getByRole('button', { name: 'Close the small picture' }).click()
  await expect(figure(page)).toHaveCount(0)
  await page.keyboard.press('k')

  // On a phone it stays at the top while the text scrolls.
  await page.getByRole('tab', { name: 'Transcription' }).click()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => place(page)).toMatchObject({ x: 0, width: 390 })
  await page.mouse.wheel(0, 400)
  await expect.poll(async () => Math.round((await place(page)).y)).toBeLessThanOrEqual(61)
  await expectEachAccessible(page)
  await figure(page).getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(() => screenOf(page)).toBe('VIDEO')
  await page.evaluate('document.exitFullscreen()')
  await expect.poll(() => screenOf(page)).toBe('')

  // The film of a link stays in sight while it is read, and its captions are switched.
  const own = page.url()
  const path = `/api/transcriptions/${new URL(own).searchParams.get('t')}`
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const now = await page.request.get(`${path}/words`)
  const [turn] = ((await now.json()) as { turns: { id: string; revision: number }[] }).turns
  const long = 'There is more to read than a window holds. '.repeat(80)
  const data = { text: long, revision: turn!.revision }
  const saved = await page.request.patch(`${path}/turns/${turn!.id}`, { data, headers })
  expect(saved.ok(), await saved.text()).toBe(true)
  const made = await page.request.post(`${path}/shares`, { data: {}, headers })
  const { url } = (await made.json()) as { url: string }

  // Whom it is for has set nothing yet.
  await page.evaluate('localStorage.clear()')
  await page.goto(url)
  const button = page.getByRole('button', { name: 'Captions' })
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await play.click()
  await expect.poll(() => captions(page, 'mode')).toBe('showing')
  await button.click()
  await expect.poll(() => captions(page, 'mode')).toBe('hidden')
  await page.reload()
  await expect(button).toHaveAttribute('aria-pressed', 'false')
  await expectAccessible(page)

  // What is read, and what a link leads to, is below the picture.
  const picture = page.locator('figure')
  const places = async () => {
    const { y = 0, height = 0 } = (await picture.boundingBox()) ?? {}
    return { y, bottom: y + height }
  }
  await page.mouse.wheel(0, 1500)
  await expect.poll(async () => (await places()).y).toBe(0)
  expect((await places()).bottom).toBeLessThanOrEqual(0.4 * 844)
  await page.goto(`${url}#turn-0`)
  const under = async () =>
    ((await page.locator('#turn-0').boundingBox())?.y ?? 0) - (await places()).bottom
  await expect.poll(under).toBeGreaterThanOrEqual(0)

  // A low window, such as one at 400 %, is left to the text.
  await page.setViewportSize({ width: 320, height: 256 })
  await page.mouse.wheel(0, 1500)
  await expect(picture).not.toBeInViewport()

  // Without the recording the text has the whole width again.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(own)
  await page.getByRole('button', { name: 'More for this result' }).click()
  await page.getByRole('menuitem', { name: /^Delete the recording now/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the recording' }).click()
  await expect(figure(page)).toHaveCount(0)
  await expect.poll(async () => (await text.boundingBox())!.x).toBeLessThan(100)
})
