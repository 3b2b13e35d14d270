import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import {
  expectAccessible,
  expectEachAccessible,
  openSample,
  openHome,
  haveAccount,
  toast,
} from './steps.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const field = (page: Page) => palette(page).getByRole('combobox')
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const button = (page: Page) => page.getByRole('button', { name: 'Search and commands' })

async function openByKey(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

/** Expects which option Enter would run: the one that the field points at. */
async function expectChosen(page: Page, name: string | RegExp): Promise<void> {
  const chosen = palette(page).getByRole('option', { name, selected: true })
  await expect(chosen).toBeVisible()
  await expect(field(page)).toHaveAttribute(
    'aria-activedescendant',
    (await chosen.getAttribute('id'))!,
  )
}

async function rename(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).getByRole('button').click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

test('the palette opens by key and by button, leads to pages and changes the theme', async ({
  page,
}) => {
  await openHome(page)
  await openByKey(page)
  // A panel in the middle, which leaves the page around it in sight.
  expect(await palette(page).boundingBox()).toMatchObject({ x: 336, width: 608 })
  await expectChosen(page, 'Library')
  for (const name of ['New', 'Record', 'Ask', 'Keyboard shortcuts', 'Log out'])
    await expect(option(page, name)).toBeAttached()
  await expect(option(page, /Buy credits.*10 credits/)).toBeAttached()
  await expectAccessible(page)

  // The page behind ignores keys, and the focus goes back to where it was.
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await button(page).click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button(page)).toBeFocused()

  await openByKey(page)
  await field(page).fill('webh')
  await expectChosen(page, 'Webhooks')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/account\/webhooks$/)
  await expect(page.getByRole('heading', { name: 'Webhooks', level: 1 })).toBeFocused()
  await expect(palette(page)).toHaveCount(0)

  await openByKey(page)
  await field(page).fill('dark')
  await expectChosen(page, 'Dark theme')
  await page.keyboard.press('Enter')
  await expect(page.locator('html.dark')).toBeAttached()
  await openByKey(page)
  await expect(option(page, /Dark theme.*chosen/)).toBeAttached()
  await field(page).fill('system th')
  await page.keyboard.press('Enter')
  await expect(page.locator('html:not(.dark)')).toBeAttached()

  // Up from the first is the last; the same key closes again.
  await openByKey(page)
  await expectChosen(page, 'Library')
  await page.keyboard.press('ArrowUp')
  await expectChosen(page, 'Log out')
  await page.keyboard.press('ArrowDown')
  await expectChosen(page, 'Library')
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)

  await openByKey(page)
  await field(page).fill('buy')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/subscribe$/)
  await openByKey(page)
  await field(page).fill('support')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/contact$/)
})

if (isLong)
  test('a recording is opened by its name, and the player stands at the time that was typed', async ({
    page,
  }) => {
    await haveAccount(page)
    await openSample(page)
    const longName = `مقابلة طويلة ${'مع ضيف من بعيد '.repeat(6)}الأخيرة.m4a`
    await rename(page, longName)
    await openByKey(page)
    await field(page).fill('credits')
    await expectChosen(page, 'Credits')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/account\/credits$/)
    await expect(page.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible()

    await openByKey(page)
    await expectChosen(page, new RegExp(longName))
    await field(page).fill('ضيف')
    await expectChosen(page, new RegExp(longName))
    await expectEachAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: longName, level: 1 })).toBeFocused()

    const position = async () =>
      Number(await page.getByRole('slider', { name: 'Playback position' }).inputValue())
    await openByKey(page)
    // Keys of the page do nothing here. On the page these would open a tab, a search, a new file.
    await page.keyboard.type('0:30')
    await expectChosen(page, 'Jump to 0:30')
    await page.keyboard.press('Enter')
    await expect.poll(position).toBe(30)
    await expect(page.locator('[data-turn][data-now]')).toBeInViewport()
    await openByKey(page)
    await field(page).fill('1:02:03')
    await expectChosen(page, /Jump to the end, 1:1[12]/)
    await page.keyboard.press('Escape')

    // From another tab too, and while something is typed on the page.
    await openByKey(page)
    await field(page).fill('open summary')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('tab', { name: 'Summary' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await openByKey(page)
    await field(page).fill('0:10')
    await page.keyboard.press('Enter')
    await expect.poll(position).toBe(10)
    await expect(page.locator('[data-turn][data-now]')).toBeInViewport()
    const search = page.getByRole('searchbox', { name: 'Search in transcript' })
    await page.getByRole('button', { name: 'Search', exact: true }).last().click()
    await search.fill('paper')
    await openByKey(page)
    await page.keyboard.press('Escape')
    await expect(search).toBeFocused()
    await expect(search).toHaveValue('paper')
  })

if (isLong)
  test('copy, download and share of the open result are those of its buttons', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await haveAccount(page)
    await openSample(page)
    await openByKey(page)
    await field(page).fill('copy tr')
    await expectChosen(page, 'Copy transcription')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Copied to clipboard')).toBeVisible()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('paper')

    await openByKey(page)
    await field(page).fill('download summary')
    const downloading = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await downloading).suggestedFilename()).toBe('summary-sample.m4a.txt')
    await expect(toast(page, 'Downloaded!')).toBeVisible()

    // What the menu and the list of tools hold is here too, by the same words.
    await openByKey(page)
    const hidden = ['Find and replace', 'Check words', 'How the text is shown', 'Process New File']
    for (const name of [...hidden, 'Save the recording', 'Recorded on…']) {
      await field(page).fill(name)
      await expectChosen(page, name)
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'When was this recorded?' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeFocused()

    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Ctrl+K')
    // While a dialog is open, the palette does not open.
    await page.keyboard.press('Control+k')
    await expect(palette(page)).toHaveCount(0)
  })

if (isLong)
  test('what no name has is searched in what was said; a search that fails says so', async ({
    page,
  }) => {
    await haveAccount(page)
    await openSample(page)
    await openByKey(page)
    await field(page).fill('train')
    await expectChosen(page, /left the paper on the train.*sample\.m4a · 0:\d\d/)
    await expect(palette(page).getByText('Nothing found.')).toHaveCount(0)
    await expectEachAccessible(page)
    await page.keyboard.press('Enter')
    // It lands on the moment, with the word filled in and found.
    await expect(page.getByRole('searchbox', { name: 'Search in transcript' })).toHaveValue('train')
    await expect(page.getByText('1 of 1')).toBeVisible()
    await expect(page.getByText('left the paper on the train')).toBeInViewport()

    await openByKey(page)
    await field(page).fill('train')
    await option(page, 'Search transcripts for ‘train’').click()
    await expect(page).toHaveURL(/\?q=train/)
    const hit = page.getByRole('link', { name: /left the paper on the train/ })
    await expect(hit).toBeInViewport()

    await page.route(/\/api\/transcriptions\?.*q=lost/, (route) => route.abort())
    await openByKey(page)
    await field(page).fill('lost')
    await expect(palette(page).getByRole('alert')).toContainText('could not be searched')
    await expectEachAccessible(page)
    await page.unrouteAll()
    await expectChosen(page, 'Try again')
    await page.keyboard.press('Enter')
    await expect(palette(page).getByText('Nothing found.').first()).toBeVisible()
    const room = await page.evaluate<number>(`(() => {
    const dialog = document.querySelector('[role=dialog]')
    const range = document.createRange()
    range.selectNodeContents(dialog.querySelector('p'))
    return dialog.getBoundingClientRect().bottom - range.getBoundingClientRect().bottom
  })()`)
    expect(room).toBeGreaterThanOrEqual(12)
    await expect(palette(page).getByRole('option')).toHaveCount(0)
  })

test('on a phone the palette is a sheet from the top, as wide as the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openHome(page)
  await button(page).click()
  await expect(field(page)).toBeFocused()
  const box = (await palette(page).boundingBox())!
  expect([box.x, box.y]).toEqual([0, 0])
  // All but the scrollbar that this browser draws beside a page.
  expect(box.width).toBeGreaterThanOrEqual(375)
  await expectEachAccessible(page)
  await palette(page).getByRole('button', { name: 'Close' }).click()
  await expect(button(page)).toBeFocused()
})

if (isLong)
  test('G and a letter lead to a page, U chooses a file there, and the list of keys opens everywhere', async ({
    page,
  }) => {
    await haveAccount(page)
    await openSample(page)
    // Before the keys: a press is faster than the browser's being told to answer the dialog here.
    const choosing = page.waitForEvent('filechooser', { timeout: 60_000 })
    const places: [string, RegExp][] = [
      // On the result A alone asks it, and L alone skips.
      ['a', /\/ask$/],
      ['l', /\/library$/],
      ['n', /\/dashboard$/],
    ]
    for (const [key, address] of places) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(page).toHaveURL(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    await page.keyboard.press('u')
    await choosing
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await page.keyboard.press('?')
    await expect(list).toContainText('G, then L')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await expectEachAccessible(page)
    await list.getByRole('checkbox', { name: 'Single keys act while reading' }).uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.keyboard.press('?')
    await expect(list).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

if (isLong)
  test('the keys of an input method run and close nothing, in Safari too', async ({ page }) => {
    await openHome(page)
    await openByKey(page)
    await field(page).fill('libr')
    await expectChosen(page, 'Library')
    for (const key of ['ArrowDown', 'Enter', 'Escape']) {
      await field(page).dispatchEvent('keydown', { key, isComposing: true })
      await field(page).dispatchEvent('keydown', { key, keyCode: 229 })
    }
    await expectChosen(page, 'Library')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Library', level: 1 })).toBeVisible()
  })
