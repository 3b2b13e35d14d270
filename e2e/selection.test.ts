/** Words that are selected: taken as a quote, as a link that opens there, played, and corrected. */
import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { answerWith, id, share, talk, vocabulary } from './states/answers.ts'
import { expectAccessible, toast, turnEditor } from './steps.ts'

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected words' })
const selected = (page: Page) => page.evaluate<string>('String(getSelection()).trim()')
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const passage = (page: Page) =>
  page.evaluate<string>(`[...(CSS.highlights.get('asked') ?? [])].map(String).join('|')`)
/** Selects from a letter of one turn to a letter of another, as a drag does. */
const select = (page: Page, from: [number, number], to: [number, number]) =>
  page.evaluate(`(() => {
    const node = (turn) => document.querySelector('[data-turn-text="' + turn + '"]').firstChild
    getSelection().setBaseAndExtent(node(${from[0]}), ${from[1]}, node(${to[0]}), ${to[1]})
  })()`)

test.beforeEach(async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 1440, height: 900 })
  const answers = talk()
  await answerWith(page, {
    ...answers,
    'GET /api/vocabulary': vocabulary(),
    'PUT /api/vocabulary': vocabulary(),
  })
  await page.goto(`/dashboard?t=${id(10)}`)
  await expect(page.locator('[data-turn-text="3"]')).toBeVisible()
})

test('selected words are a quote with speaker and time, and a link that opens at them', async ({
  page,
}) => {
  const { origin } = new URL(page.url())
  // “Eight hours a reel at fifty-four degrees.”
  await select(page, [3, 0], [3, 41])
  await expect(bar(page)).toBeVisible()
  await expect(bar(page).getByRole('status')).toHaveText('Words selected, Alt Down for what to do')
  await expectAccessible(page)
  await expect.poll(async () => (await bar(page).boundingBox())?.height).toBe(44)
  await bar(page).getByRole('button', { name: 'Copy quote' }).click()
  await expect(toast(page, 'Quote copied')).toBeVisible()
  expect(await copied(page)).toBe('“Eight hours a reel at fifty-four degrees.” (Ben Okafor, 0:12)')
  // The selection stays, and with it the bar; the focus is where it was.
  expect(await selected(page)).toMatch(/^Eight hours/)
  await page.keyboard.press('Shift+Q')
  await expect(toast(page, 'Link copied. It opens for you alone.')).toBeVisible()
  const link = await copied(page)
  expect(link).toBe(`${origin}/dashboard?t=${id(10)}&at=13&to=15.3`)
  // Where others have a link to it, there is one for them too.
  const given = share()
  const links = `GET /api/transcriptions/${id(10)}/shares`
  await answerWith(page, { ...talk(), [links]: { shares: [given] } })
  await page.keyboard.press('Shift+Q')
  await page.getByRole('button', { name: 'Copy for others' }).click()
  await expect(toast(page, 'Link copied. It opens for others too.')).toBeVisible()
  expect(await copied(page)).toBe(`${given.url}#t=13,15.3`)
  // Words are taken whole, wherever in them the drag began and ended.
  await select(page, [3, 2], [4, 12])
  await expect(bar(page)).toBeVisible()
  await page.keyboard.press('q')
  await expect
    .poll(() => copied(page))
    .toMatch(/^“Eight hours.*\(Ben Okafor, 0:12\)\n“Something always” \(Mara Lind, 0:17\)$/)
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()
  expect(await selected(page)).toBe('')

  await page.goto(link)
  await expect.poll(() => passage(page)).toBe('Eight hours a reel at fifty-four degrees.')
  await expect(page.locator('[data-turn-text="3"]')).toBeInViewport()
})

test('a double press selects a word, which is corrected, asked about and learned from there', async ({
  page,
}) => {
  const turn = page.locator('[data-turn-text="1"]')
  await turn.dblclick({ position: { x: 10, y: 12 } })
  expect(await selected(page)).toBe('Four')
  await expect(bar(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play', exact: true }).last()).toBeVisible()
  await expect(turnEditor(page)).toHaveCount(0)
  const sent = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().endsWith('/api/vocabulary'),
  )
  await page.keyboard.press('Alt+ArrowDown')
  await expect(bar(page).getByRole('button', { name: 'Copy quote' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(bar(page).getByRole('button', { name: 'More for the selected words' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Add to vocabulary' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ terms: [...vocabulary().terms, 'Four'] })
  await expect(toast(page, '“Four” is in your vocabulary')).toBeVisible()

  await select(page, [1, 0], [1, 4])
  await bar(page).getByRole('button', { name: 'More for the selected words' }).click()
  await page.getByRole('menuitem', { name: 'Ask about this' }).click()
  await expect(page.getByRole('textbox', { name: 'Ask this recording' })).toHaveValue(
    'About “Four”: ',
  )

  await select(page, [1, 0], [1, 4])
  await bar(page).getByRole('button', { name: 'More for the selected words' }).click()
  await page.getByRole('menuitem', { name: 'Correct' }).click()
  await expect(turnEditor(page)).toBeFocused()
  expect(await page.evaluate('document.activeElement.selectionEnd')).toBe(4)
  // Once the words are written Enter is the end of it, and the line under the field says so.
  await expect(page.getByText('Enter saves', { exact: false })).toBeVisible()
  const wanted = page.waitForRequest((request) => request.url().includes('/turns/'))
  await page.keyboard.type('Five')
  await page.keyboard.press('Enter')
  const change = await wanted
  expect([change.method(), change.url().endsWith('/split')]).toEqual(['PATCH', false])
  await expect(turnEditor(page)).toHaveCount(0)
})

if (isLong)
  test('the buttons under a turn are above the player when it opens, and while it grows', async ({
    page,
  }) => {
    const turn = page.locator('[data-turn="5"]')
    await turn.evaluate('(row) => scrollTo(0, scrollY + row.getBoundingClientRect().bottom - 850)')
    await turn.focus()
    await page.keyboard.press('e')
    await expect(turnEditor(page)).toBeFocused()
    const isAbove = async () => {
      const done = await page.getByRole('button', { name: 'Done', exact: true }).boundingBox()
      const player = await page.getByRole('region', { name: 'Player' }).boundingBox()
      return done!.y + done!.height <= player!.y
    }
    await expect.poll(isAbove).toBe(true)
    await page.keyboard.insertText(' and so on'.repeat(200))
    await expect.poll(isAbove).toBe(true)
  })

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  if (isLong)
    test('on a phone the same stands in a strip above the player, and no turn has a pencil', async ({
      page,
    }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await select(page, [3, 0], [3, 41])
      await expect(bar(page)).toBeVisible()
      await expect
        .poll(() => bar(page).boundingBox())
        .toMatchObject({ x: 0, width: 390, height: 56 })
      const apart = async () => {
        const strip = await bar(page).boundingBox()
        const player = await page.getByRole('region', { name: 'Player' }).boundingBox()
        return Math.abs((strip?.y ?? 0) + (strip?.height ?? 0) - (player?.y ?? 0))
      }
      await expect.poll(apart).toBeLessThanOrEqual(1)
      await expectAccessible(page)
      const pencil = page.getByRole('button', { name: /^Correct the turn/ }).first()
      expect(await pencil.boundingBox()).toMatchObject({ width: 1, height: 1 })
      await bar(page).getByRole('button', { name: 'More for the selected words' }).click()
      await page.getByRole('menuitem', { name: 'Correct' }).click()
      await expect(turnEditor(page)).toBeFocused()
    })
})
