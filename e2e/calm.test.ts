/** A result is a page to read: its words come first, and what is opened beside them pushes nothing. */
import { type Locator, type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { answerWith, id, talk } from './states/answers.ts'
import { expectStill, expectUnderToasts, toast, turnEditor, watch } from './steps.ts'

/**
 * How far down the first word of the text (`y`) and of the summary may stand; `turns`: so many are
 * wholly in view.
 */
const sizes = [
  { width: 1440, height: 900, y: 215, summary: 220, controls: 24, turns: 8 },
  { width: 1280, height: 800, y: 220, summary: 225, controls: 24, turns: 7 },
  { width: 390, height: 844, y: 180, summary: 120, controls: 10, turns: 5 },
] as const
const [wide, , phone] = sizes
/** What is narrower than the first and shows the same is left to the long run. */
const looked = isLong ? sizes : [wide, phone]

/**
 * What stands before the first turn: the four links to the public pages, which are not of the app, are
 * left out. A control that nobody sees is none.
 */
const measured = `(() => {
  const first = document.querySelector('[data-turn-text="0"]')
  const row = first.closest('[data-turn]')
  const isSeen = (one) =>
    one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    one.getBoundingClientRect().width > 1
  const links = ['Features', 'Pricing', 'API', 'FAQ']
  const controls = [...document.querySelectorAll('a, button, input, select, textarea')].filter(
    (one) =>
      isSeen(one) &&
      !links.includes(one.innerText) &&
      row.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING,
  )
  const end = document.querySelector('#player').getBoundingClientRect().top
  const turns = [...document.querySelectorAll('[data-turn]')].filter((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    return top >= 0 && bottom <= end
  })
  return {
    y: first.getBoundingClientRect().top,
    controls: controls.map((one) => one.ariaLabel ?? one.innerText),
    turns: turns.length,
  }
})()`
interface Measured {
  y: number
  controls: string[]
  turns: number
}

/** Where each line of each turn ends, by the letters before it. */
const lineBreaks = `[...document.querySelectorAll('[data-turn-text]')].slice(0, 20).map((text) => {
  const node = text.firstChild
  const range = document.createRange()
  const ends = []
  let before
  for (let at = 0; at < node.length; at++) {
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    const { top, width } = range.getBoundingClientRect()
    if (width > 0 && before !== undefined && top > before + 4) ends.push(at)
    if (width > 0) before = top
  }
  return ends.join()
})`

/** Buttons with the ground of the one main act of a screen, besides Play. */
const filled = `(() => {
  const of = document.createElement('span')
  of.className = 'bg-primary'
  document.body.append(of)
  const ground = getComputedStyle(of).backgroundColor
  of.remove()
  return [...document.querySelectorAll('main button, main a')]
    .filter((one) => one.checkVisibility() && !one.closest('#player'))
    .filter((one) => getComputedStyle(one).backgroundColor === ground)
    .map((one) => one.innerText)
})()`

async function open(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.addInitScript(watch)
  await answerWith(page, talk())
  await page.goto(`/dashboard?t=${id(10)}`)
  await expect(page.locator('[data-turn-text="0"]')).toBeVisible()
  await page.evaluate('document.fonts.ready')
}

for (const size of looked)
  test(`at ${size.width} the words come first, with little before them`, async ({ page }) => {
    await open(page, size)
    const { y, controls, turns } = await page.evaluate<Measured>(measured)
    expect(y).toBeLessThanOrEqual(size.y)
    expect(controls.length, controls.join(', ')).toBeLessThanOrEqual(size.controls)
    expect(turns).toBeGreaterThanOrEqual(size.turns)
    for (const name of ['Transcription', 'Summary', 'Speakers']) {
      await page.getByRole('tab', { name }).click()
      await expect(page.getByRole('tabpanel', { name })).toBeVisible()
      expect(await page.evaluate(filled), name).toEqual([])
    }
    await page.getByRole('tab', { name: 'Summary' }).click()
    const summary = page.getByRole('region', { name: 'Summary' }).locator('p').first()
    expect((await summary.boundingBox())?.y).toBeLessThanOrEqual(size.summary)
  })

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })

/** What can be opened beside the text and over it, and what shows that it is there. */
const acts: readonly [what: string, open: (page: Page) => Promise<unknown>, there: RegExp][] = [
  ['the search', (page) => page.keyboard.press('/'), /^End the search$/],
  ['find and replace', (page) => page.keyboard.press('Control+h'), /^Close find and replace$/],
  ['the words to check', (page) => button(page, /^Check them/).click(), /^Looks right$/],
  ['the questions', (page) => page.keyboard.press('a'), /^Close the questions$/],
  ['the speaker of a turn', (page) => page.keyboard.press('r'), /^Save name$/],
  ['the menu', (page) => button(page, 'More for this result').click(), /^More for this result$/],
]

// On a phone there is less room for what is opened.
for (const size of isLong ? [wide, phone] : [phone])
  test(`at ${size.width} no line breaks elsewhere, whatever is opened, and a tab opens at its top`, async ({
    page,
  }) => {
    await open(page, size)
    const before = await page.evaluate(lineBreaks)
    const began = () => page.evaluate('globalThis.pushed = []')
    for (const [what, act, there] of acts) {
      await began()
      await act(page)
      await expect(button(page, there).first(), what).toBeVisible()
      expect(await page.evaluate(lineBreaks), what).toEqual(before)
      await expectStill(page, 'pushed')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
    }
    if (size.width > 1024) {
      await button(page, /^Aa/).click()
      await page.getByRole('switch', { name: 'Times at every turn' }).click()
      await page.keyboard.press('Escape')
    } else {
      await button(page, 'Tools').click()
      await expect(button(page, 'Copy')).toBeVisible()
      await page.keyboard.press('Escape')
    }
    expect(await page.evaluate(lineBreaks)).toEqual(before)

    const turn = page.locator('[data-turn="70"]')
    const y = async (part: Locator) => (await part.boundingBox())?.y ?? 0
    await button(page, 'Play').click()
    await turn.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await expect(button(page, 'Back to where it plays')).toBeVisible()
    const left = await y(turn)
    const row = page.locator('.row-of-tabs')
    for (const name of ['Summary', 'Speakers', 'Export']) {
      await page.getByRole('tab', { name }).click()
      const panel = page.getByRole('tabpanel', { name })
      await expect(panel, name).toBeInViewport()
      const under = async () => {
        const box = await row.boundingBox()
        return (await y(panel)) - (box?.y ?? 0) - (box?.height ?? 0)
      }
      await expect.poll(under, name).toBeGreaterThanOrEqual(-1)
    }
    await page.getByRole('tab', { name: 'Transcription' }).click()
    await expect(turn).toBeInViewport()
    await expect.poll(async () => Math.abs((await y(turn)) - left)).toBeLessThanOrEqual(40)
  })

test('what is searched is led to, uncovered, and the page goes along again after that', async ({
  page,
}) => {
  await open(page, wide)
  await page.keyboard.press('Control+h')
  const strip = page.getByRole('search', { name: 'Find and replace' })
  const field = strip.getByRole('searchbox', { name: 'Find' })
  await field.fill('everybody')
  await field.press('Enter')
  // The first hit is in the first turn, which lies under the strip.
  await expect(strip).toContainText('1 of')
  const below = () =>
    page.evaluate<number>(`(() => {
      const [hit] = CSS.highlights.get('hit-now')
      const strip = document.querySelector('search[aria-label="Find and replace"]')
      return hit.getBoundingClientRect().top - strip.getBoundingClientRect().bottom
    })()`)
  await expect.poll(below).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-turn-text="0"]')).toBeInViewport()

  const back = button(page, 'Back to where it plays')
  await button(page, 'Play from 0:00').click()
  await expect(page.locator('[data-now]')).toBeInViewport()
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox', { name: 'Search in transcript' })
  await expect(search).toBeFocused()
  await search.fill('train')
  await expect(page.getByText('14 found')).toBeVisible()
  await search.press('Shift+Enter')
  await expect(page.locator('[data-now]')).not.toBeInViewport()
  await expect(back).toBeVisible()
  await page.keyboard.press('Escape')
  // With the next word that is said.
  await expect(page.locator('[data-now]')).toBeInViewport()
  await expect(back).toHaveCount(0)
})

test('the text waits for who corrects it, and goes along again after that', async ({ page }) => {
  await open(page, phone)
  const wave = page.getByRole('slider', { name: 'Playback position' })
  const now = page.locator('[data-now]')
  await button(page, 'Play').click()
  await expect(now).toBeInViewport()
  await page.locator('[data-turn="0"]').hover()
  await button(page, 'Correct the turn at 0:00').click()
  await wave.fill('60')
  await expect(now).toHaveCount(1)
  await expect(turnEditor(page)).toBeInViewport()
  await expect(now).not.toBeInViewport()
  await button(page, 'Cancel').click()
  await expect(turnEditor(page)).toHaveCount(0)
  await wave.fill('66')
  await expect(now).toBeInViewport()
})

test('who presses the wave comes to the text there, and nothing covers the end of it', async ({
  page,
}) => {
  await open(page, phone)
  const wave = page.getByRole('slider', { name: 'Playback position' })
  const now = page.locator('[data-now]')
  await button(page, 'Play').click()
  await expect(now).toBeInViewport()
  await page.locator('[data-turn="70"]').evaluate((turn) => turn.scrollIntoView())
  await expect(button(page, 'Back to where it plays')).toBeVisible()
  const count = button(page, 'Count what was right')
  await count.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 5000)
  await count.click({ trial: true })
  await button(page, 'Pause').click()
  await wave.fill('40')
  await expect(now).toBeInViewport()
})

if (isLong)
  test('at 400 % the top scrolls away, and nothing covers a turn or a word that is corrected', async ({
    page,
  }) => {
    await open(page, { width: 320, height: 256 })
    const top = async (what: Locator) => (await what.boundingBox())?.y ?? Infinity
    const bottom = async (what: Locator) =>
      (await top(what)) + ((await what.boundingBox())?.height ?? 0)
    const heading = page.getByRole('heading', { level: 1 })
    const tabs = page.getByRole('tablist')
    const player = page.locator('#player')
    for (const one of [heading, tabs]) await expect(one).toBeInViewport()
    await expect.poll(() => top(player)).toBeGreaterThanOrEqual(190)

    await page.locator('[data-turn-text="1"]').click()
    await page.keyboard.press('e')
    await expect(turnEditor(page)).toBeFocused()
    await expect.poll(() => top(turnEditor(page))).toBeLessThan(20)
    expect(await top(turnEditor(page))).toBeGreaterThanOrEqual(0)
    /** How far one stands over another. */
    const over = async (one: Locator, other: Locator) => (await top(other)) - (await bottom(one))
    await expect.poll(() => over(button(page, 'Done'), player)).toBeGreaterThanOrEqual(0)
    for (const one of [heading, tabs]) await expect(one).not.toBeInViewport()
    await button(page, 'Cancel').click()
    await expect(turnEditor(page)).toHaveCount(0)

    await button(page, 'Check them').click()
    const queue = page.getByRole('region', { name: 'Words to check' })
    const isFree = async (one: Locator) => {
      await expect(one).toBeInViewport({ ratio: 1 })
      await expect.poll(() => over(one, player)).toBeGreaterThanOrEqual(0)
    }
    for (const name of ['Play', 'Correct', 'Looks right', 'Word after'])
      await isFree(queue.getByRole('button', { name, exact: true }))
    await page.keyboard.press('c')
    const field = queue.getByRole('textbox')
    await expect(field).toBeFocused()
    await isFree(field)
    const save = queue.getByRole('button', { name: /^Save/ })
    await isFree(save)
    await expect.poll(() => over(field, save)).toBeGreaterThanOrEqual(0)
    // There is no room for a turn beside the sheet.
    await page.keyboard.press('Escape')
    await expect(field).toHaveCount(0)
    await page.keyboard.press('e')
    await expect(turnEditor(page)).toBeFocused()
    await expect(queue).toHaveCount(0)

    // A wide one has no room for the names of chapters over the wave.
    await page.setViewportSize({ width: 1280, height: 400 })
    await expect.poll(() => top(player)).toBeGreaterThanOrEqual(400 - 73)
  })

test('a toast covers nothing that is pressed at the bottom', async ({ page }) => {
  await open(page, wide)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('a')
  const field = page.getByRole('textbox', { name: /ask/i })
  await expect(field).toBeVisible()
  await button(page, 'Copy').click()
  await expect(toast(page, 'Copied to clipboard')).toBeVisible()
  await expectUnderToasts(page, field)
  await page.keyboard.press('Escape')

  await page.setViewportSize(phone)
  await button(page, 'More for this result').click()
  await page.getByRole('menuitem', { name: 'Copy' }).click()
  await expect(toast(page, 'Copied to clipboard')).toBeVisible()
  await expectUnderToasts(page, page.locator('#player'))
})

if (isLong)
  test('on paper there are the head, the summary if wanted, and the text', async ({ page }) => {
    await open(page, wide)
    const main = page.getByRole('main')
    const isSeen = (name: string | RegExp) =>
      main
        .getByRole('button', { name })
        .evaluateAll((all) => all.some((one) => one.checkVisibility({ opacityProperty: true })))
    await page.emulateMedia({ media: 'print' })
    await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(main.getByText('Nobody wrote down who brings the key.')).toBeVisible()
    for (const name of [
      /^Correct/,
      /^Change/,
      'Copy',
      'Share',
      /^More/,
      'Process New File',
      /^Check/,
    ])
      expect(await isSeen(name), String(name)).toBe(false)
    for (const part of [
      page.getByRole('tab').first(),
      page.locator('#player'),
      page.locator('footer'),
    ])
      await expect(part).toBeHidden()
    await page.emulateMedia({ media: 'screen' })
    await button(page, /^Aa/).click()
    await page.getByRole('switch', { name: 'Print the summary' }).click()
    await page.emulateMedia({ media: 'print' })
    await expect(main.getByText('Nobody wrote down who brings the key.')).toBeHidden()
  })

if (isLong)
  test('a key means the turn that is said, and not where the pointer has left the focus', async ({
    page,
  }) => {
    await open(page, sizes[0])
    const first = page.locator('[data-turn="0"]')
    await page.locator('[data-turn-text="0"]').click({ position: { x: 4, y: 12 } })
    await expect(first).toBeFocused()
    await expect(page.locator('[data-turn="1"][data-now]')).toHaveCount(1)
    const name = page.getByRole('combobox', { name: 'Name' })
    await page.keyboard.press('r')
    await expect(name).toHaveValue('Ben Okafor')
    await page.keyboard.press('Escape')
    await expect(name).toHaveCount(0)
    // Who goes to a turn by keys means that one.
    await button(page, 'Pause').focus()
    await page.keyboard.press('ArrowDown')
    await expect(first).toBeFocused()
    await page.keyboard.press('r')
    await expect(name).toHaveValue('Ada Lovett')
  })

test('what is saved is said in the place of the facts, or in the row of tabs, and moves nothing', async ({
  page,
}) => {
  await open(page, phone)
  await page.route(`**/api/transcriptions/${id(10)}/turns/*`, (route) => route.abort())
  await page.locator('[data-turn="0"]').hover()
  await button(page, 'Correct the turn at 0:00').click()
  await expect(turnEditor(page)).toBeFocused()
  await page.keyboard.press('End')
  await page.evaluate('globalThis.pushed = []')
  await page.keyboard.type('!')
  await expect(page.getByText('Not saved.')).toBeVisible()
  await expectStill(page, 'pushed')
  const turns = { turns: [], removed: [], speakers: [], wordCount: 60, reload: false }
  const answer = { revision: 1, undo: 7, edit: 7, replaced: 0, left: [], ...turns }
  await page.route(`**/api/transcriptions/${id(10)}/turns/*`, (route) =>
    route.fulfill({ json: answer }),
  )
  await button(page, 'Try again').click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(button(page, 'Undo').first()).toBeVisible()
  await expectStill(page, 'pushed')

  // On a wide screen the head scrolls away.
  await page.setViewportSize(wide)
  const turn = page.locator('[data-turn="70"]')
  await turn.scrollIntoViewIfNeeded()
  await turn.hover()
  await turn.getByRole('button', { name: /^Correct the turn/ }).click()
  await expect(turnEditor(page)).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport()
  await page.evaluate('globalThis.pushed = []')
  await page.keyboard.type('!')
  const row = page.locator('.row-of-tabs')
  await expect(row.getByText('Saved', { exact: true })).toBeVisible()
  await expect(button(row, 'Undo')).toBeInViewport({ ratio: 1 })
  await expectStill(page, 'pushed')
})
