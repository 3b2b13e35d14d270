import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import type { Words } from '../src/features/text/contract.ts'
import { answerWith, id, manyInDoubt, noneInDoubt, result, said, words } from './states/answers.ts'
import { paintOf } from './steps.ts'

const result10 = `/dashboard?t=${id(10)}`
const note = (page: Page) => page.getByRole('note', { name: 'Words in doubt' })
const underlines = (page: Page) => page.getByRole('switch', { name: 'Underline doubt' })
const openLook = (page: Page) => page.getByRole('button', { name: /^Aa/ }).click()
const underlined = (page: Page) => page.evaluate<number>(`CSS.highlights.get('check')?.size ?? 0`)
/** The last turn that has an underlined word. */
const lastUnderlined = (page: Page) =>
  page.evaluate<number>(`Math.max(-1, ...[...(CSS.highlights.get('check') ?? [])].map(
    ({ startContainer }) => Number(startContainer.parentElement.dataset.turnText)))`)
/** Where "first" stands in the first line. */
const AT = [30]
test('every word in doubt is underlined, a line says how many, and a switch hides the marks', async ({
  page,
}) => {
  // Three hours of speech.
  const spoken = words(said(900), { isInDoubt: manyInDoubt })
  await answerWith(page, result({}, { ...spoken, sound: 'telephone' }))
  await page.goto(result10)
  await expect(note(page)).toHaveText('About 1 word in 8 is in doubt.Check the first 50')
  await expect.poll(() => underlined(page)).toBeGreaterThan(20)
  expect(await paintOf(page, 'check')).toMatchObject({ line: 'underline' })
  expect(await lastUnderlined(page)).toBeLessThan(400)
  // Where the system has the colours too, such a word has its line alone.
  await page.emulateMedia({ forcedColors: 'active' })
  const clip = await page.evaluate<{ x: number; y: number; width: number; height: number }>(
    `(({ x, y, width, height }) => ({ x, y, width, height: height / 2 }))(
      [...CSS.highlights.get('check')][0].getBoundingClientRect())`,
  )
  const marked = await page.screenshot({ clip })
  await page.evaluate(`globalThis.taken = CSS.highlights.get('check')`)
  await page.evaluate(`CSS.highlights.delete('check')`)
  expect(marked.equals(await page.screenshot({ clip }))).toBe(true)
  await page.evaluate(`CSS.highlights.set('hit', globalThis.taken)`)
  const hit = await page.screenshot({ clip })
  await page.evaluate(`CSS.highlights.set('now', globalThis.taken), CSS.highlights.delete('hit')`)
  const now = await page.screenshot({ clip })
  expect([hit.equals(marked), now.equals(marked), hit.equals(now)]).toEqual([false, false, false])
  await page.evaluate(`CSS.highlights.delete('now'), CSS.highlights.set('check', globalThis.taken)`)
  await page.emulateMedia({ forcedColors: 'none' })
  // Those far away are underlined when they come near.
  await expect(page.locator('[data-turn="899"]')).toBeAttached()
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await expect.poll(() => lastUnderlined(page)).toBeGreaterThan(890)

  await openLook(page)
  await underlines(page).uncheck()
  await expect.poll(() => underlined(page)).toBe(0)
  await page.reload()
  await note(page).getByRole('button', { name: 'Check the first 50' }).click()
  const queue = page.getByRole('region', { name: 'Words to check' })
  await expect(queue).toContainText('1 of 50')
  await expect(queue).toContainText(
    'It sounds like a telephone line, so names and rare words may be wrong.',
  )
  expect(await underlined(page)).toBe(0)
})

if (isLong)
  test('where the recogniser does not say how sure it is, the page says so and marks nothing', async ({
    page,
  }) => {
    const untold = words(said(8), { isInDoubt: noneInDoubt })
    await answerWith(page, result({}, { ...untold, checkBelow: null, isDoubtUnknown: true }))
    await page.goto(result10)
    await expect(note(page)).toHaveText('How sure the recogniser was of its words cannot be told.')
    await openLook(page)
    await expect(page.getByRole('switch', { name: 'Times at every turn' })).toBeVisible()
    await expect(underlines(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Export' }).click()
    await expect(page.getByRole('switch', { name: 'Speakers’ names' })).toBeVisible()
    await page.getByText('More choices').click()
    await expect(page.getByRole('switch', { name: 'Line numbers' })).toBeVisible()
    await expect(page.getByRole('switch', { name: /doubt/ })).toHaveCount(0)
  })

/** Answers each change, as if it were stored; what was sent is kept. */
async function takeChanges(page: Page, { speakers }: Words, replaced = 0) {
  const sent: { path: string; body: unknown }[] = []
  await page.route(`**/api/transcriptions/${id(10)}/**`, (route) => {
    const request = route.request()
    if (request.method() === 'GET') return route.fallback()
    const path = new URL(request.url()).pathname
    if (path.endsWith('/checked')) return route.fulfill({ json: { words: 60, corrected: 0 } })
    sent.push({ path, body: request.postDataJSON() as unknown })
    const turns = { turns: [], removed: [], speakers, wordCount: 60, reload: false }
    return route.fulfill({ json: { revision: 1, undo: 7, edit: 7, replaced, left: [], ...turns } })
  })
  return sent
}

test('the line leads to the words to check, counts those that are left, and goes with the visit', async ({
  page,
}) => {
  const doubtful = words(said(4), { isInDoubt: manyInDoubt })
  const inDoubt = 10
  await answerWith(page, result({}, doubtful))
  await takeChanges(page, doubtful)
  await page.goto(result10)
  await note(page).getByRole('button', { name: 'Check them · 1 min' }).click()
  const queue = page.getByRole('region', { name: 'Words to check' })
  for (let number = 1; number <= inDoubt; number += 1) {
    await expect(queue).toContainText(`${number} of ${inDoubt}`)
    await queue.getByRole('button', { name: 'Looks right' }).click()
    // The place is kept, and so is what was done.
    if (number === 4) {
      await page.keyboard.press('Escape')
      await note(page).getByRole('button', { name: '6 words to check' }).click()
    }
  }
  await expect(queue).toContainText('All words are checked.')
  await expect(queue).toContainText('10 looked right, 0 corrected')
  await expect(queue).toContainText('You corrected none of 60 words: 100% were right.')
  // A press with the mouse can miss the button: the page follows what is played, and the panel moves.
  await expect(queue.getByRole('button', { name: 'Close', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(note(page)).toContainText('All words in doubt are checked.')

  await page.reload()
  await expect(note(page)).toContainText('is in doubt.')
})

test('on a phone the sheet leaves the player free, and a word is corrected everywhere at once', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const doubtful = words(said(8), { isInDoubt: (place) => place === 5 })
  await answerWith(page, result({}, doubtful))
  const sent = await takeChanges(page, doubtful, 2)
  await page.goto(result10)
  await page.getByRole('button', { name: 'Tools' }).click()
  await page.getByRole('button', { name: 'Check words 6 · less than a minute' }).click()
  const queue = page.getByRole('region', { name: 'Words to check' })
  // Words are counted, of which one question may be about several.
  await expect(queue.getByRole('status')).toHaveText(/^Word 1 of 6, first, in: So the question/)
  await page.getByRole('button', { name: 'Pause' }).click()
  await queue.getByRole('button', { name: 'Correct' }).click()
  await queue.getByLabel('Correct “first” to').fill('fast')
  await expect(queue.getByRole('checkbox', { name: 'Fix all 2 in this recording' })).toBeChecked()
  await queue.getByRole('button', { name: 'Save 2 corrections' }).click()
  await expect(page.getByText('2 corrections made').first()).toBeVisible()
  expect(sent).toEqual([
    {
      path: `/api/transcriptions/${id(10)}/replace`,
      body: {
        find: 'first',
        replaceWith: 'fast',
        matchCase: false,
        wholeWord: true,
        turns: [1_000, 1_004].map((number) => ({ id: id(number), revision: 0, at: AT })),
      },
    },
  ])
})

if (isLong)
  test('closing a panel never opens the tab that was pressed before', async ({ page }) => {
    await answerWith(page, result({}, words(said(8), { isInDoubt: manyInDoubt })))
    await page.goto(result10)
    await page.getByRole('tab', { name: 'Speakers' }).click()
    await expect(page.getByText('Who spoke when')).toBeVisible()
    await page.keyboard.press('1')
    await expect(note(page)).toBeVisible()
    await page.keyboard.press(']')
    const queue = page.getByRole('region', { name: 'Words to check' })
    await expect(queue).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(queue).toHaveCount(0)
    // The focus is in the text, where the keys of the text work on.
    await expect(page.locator('[data-turn]:focus')).toHaveCount(1)
    await expect(page.getByRole('tab', { selected: true })).toHaveText('Transcription')
  })
