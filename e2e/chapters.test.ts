/** Chapters of a result: read, played, found and changed, on a desk and on a phone. */
import { type Page, expect, test } from '@playwright/test'

import type { Chapter } from '../src/features/transcriptions/contract.ts'
import { isLong } from '../test/long.ts'
import {
  addSample,
  expectAccessible,
  expectEachAccessible,
  haveAccount,
  toast,
  transcript,
} from './steps.ts'

const chapters: Chapter[] = [
  { title: 'Why the price went up', start: 0 },
  { title: 'Notes on paper', start: 18.7 },
  { title: 'Recording every meeting', start: 30 },
  { title: 'Ten pages of text', start: 48.4 },
]

async function put(page: Page, id: string, data: { chapters: Chapter[] }): Promise<void> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const answer = await page.request.put(`/api/transcriptions/${id}/chapters`, { data, headers })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** The sample with chapters, open. */
async function open(page: Page): Promise<string> {
  await haveAccount(page)
  const id = await addSample(page)
  await put(page, id, { chapters })
  await page.goto(`/home?t=${id}`)
  await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeVisible()
  return id
}

const list = (page: Page) => page.getByRole('navigation', { name: 'Chapters' })
const item = (page: Page, name: string) => list(page).getByRole('button', { name })
const heading = (page: Page, name: string) => transcript(page).getByRole('heading', { name })
const fields = (page: Page) => page.getByRole('group', { name: 'Change chapters' })
const nameOf = (page: Page, number: number) =>
  fields(page).getByRole('textbox', { name: `Name of chapter ${number}` })
const beginningOf = (page: Page, number: number) =>
  fields(page).getByRole('textbox', { name: `Beginning of chapter ${number}` })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const slider = (page: Page) => page.getByRole('slider', { name: 'Playback position' })

test('chapters are read, played, found by keys and by name, and copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page)
  await expect(item(page, 'Why the price went up')).toHaveAttribute('aria-current', 'true')
  // A heading stands before the turn that begins its chapter.
  const rows = transcript(page).getByRole('listitem')
  const texts = await rows.allTextContents()
  const at = texts.findIndex((text) => text.startsWith('Notes on paper'))
  expect(texts[at + 1]).toContain('I made some notes on paper')
  await expectAccessible(page)

  await item(page, 'Recording every meeting').click()
  await expect(button(page, 'Pause')).toBeVisible()
  await page.keyboard.press('k')
  await expect(item(page, 'Recording every meeting')).toHaveAttribute('aria-current', 'true')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /Recording every meeting$/)

  await page.keyboard.press('Shift+L')
  await expect(item(page, 'Ten pages of text')).toHaveAttribute('aria-current', 'true')
  await expect(slider(page)).toHaveValue('48')
  await page.keyboard.press('Shift+J')
  await expect(item(page, 'Recording every meeting')).toHaveAttribute('aria-current', 'true')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('notes on')
  await page.getByRole('option', { name: /^Notes on paper/ }).click()
  await expect(slider(page)).toHaveValue('18')

  await list(page).hover()
  await button(page, 'Copy chapters').click()
  await expect(toast(page, 'Copied to clipboard')).toBeVisible()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    '0:00 Why the price went up\n0:18 Notes on paper\n0:30 Recording every meeting\n0:48 Ten pages of text',
  )
})

test('chapters are renamed, moved, added and deleted in place, and each change is saved', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const id = await open(page)
  await button(page, 'Change chapters').click()
  await expect(fields(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Change chapters')).toBeFocused()
  await heading(page, 'Notes on paper').hover()
  await button(page, 'Change the chapter at 0:18').click()
  await expect(nameOf(page, 2)).toBeFocused()
  await page.keyboard.type('A train left with them')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'A train left with them')).toBeVisible()

  await beginningOf(page, 2).fill('0:33')
  await page.keyboard.press('Enter')
  await expect(fields(page).getByText('Another chapter begins at 0:30.')).toBeVisible()
  // Whoever is done is led back to what could not be saved.
  await button(page, 'Done').click()
  await expect(beginningOf(page, 2)).toBeFocused()
  await beginningOf(page, 2).fill('24')
  await page.keyboard.press('Enter')
  await expect(beginningOf(page, 2)).toHaveValue('0:24')
  await expect(fields(page).getByRole('alert')).toHaveCount(0)
  await expectAccessible(page)

  // Where none can be added, what is typed all the same does not name a speaker or begin anew.
  await slider(page).fill('48')
  await button(page, 'Add here').click()
  await expect(fields(page).getByRole('alert')).toContainText('begins at 0:48')
  await page.keyboard.type('rnc')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // In the middle of what is said from 1:01 on: a chapter begins with its sentence.
  await slider(page).fill('64')
  await button(page, 'Add here').click()
  await expect(nameOf(page, 5)).toBeFocused()
  await expect(beginningOf(page, 5)).toHaveValue('1:01')
  await page.keyboard.type('Four weeks')
  await button(page, 'Delete Why the price went up').click()
  await expect(toast(page, 'Chapter deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(nameOf(page, 1)).toHaveValue('Why the price went up')
  // Changes are sent one after the other: the last one has what came back, and not what was deleted.
  const allSaved = page.waitForResponse((answer) => {
    if (answer.request().method() !== 'PUT') return false
    const sent = answer.request().postDataJSON() as { chapters: Chapter[] }
    const titles = sent.chapters.map(({ title }) => title)
    return titles.includes('Why the price went up') && !titles.includes('Recording every meeting')
  })
  await button(page, 'Delete Recording every meeting').click()
  await expect(nameOf(page, 4)).toHaveValue('Four weeks')
  await button(page, 'Done').click()
  await expect(button(page, 'Change chapters')).toBeFocused()
  await allSaved
  await page.reload()
  await expect(list(page).getByRole('listitem')).toHaveText([
    'Why the price went up0:00',
    'A train left with them0:24',
    'Ten pages of text0:48',
    'Four weeks1:01',
  ])

  // What was changed elsewhere is not written over.
  await put(page, id, { chapters: chapters.slice(0, 3) })
  await button(page, 'Change chapters').click()
  await nameOf(page, 1).fill('Mine')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Changed in another tab')).toBeVisible()
  await expect(nameOf(page, 3)).toHaveValue('Recording every meeting')
  await expect(nameOf(page, 1)).toHaveValue('Why the price went up')

  // What cannot be saved is as it was, and can be tried again.
  await page.route('**/chapters', (route) => route.abort())
  await nameOf(page, 1).fill('Mine')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Not saved. Your change was undone.')).toBeVisible()
  await expect(nameOf(page, 1)).toHaveValue('Why the price went up')
  await page.unroute('**/chapters')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(heading(page, 'Mine')).toBeVisible()
})

if (isLong)
  test('a chapter that begins far down in a long turn leads to its own first words', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const id = await open(page)
    const path = `/api/transcriptions/${id}`
    const said = (await (await page.request.get(`${path}/words`)).json()) as {
      turns: { id: string; revision: number; start: number; end: number }[]
    }
    const { id: turnId, revision, start, end } = said.turns[0]!
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const data = { text: 'There is more to read than a window holds. '.repeat(80), revision }
    const saved = await page.request.patch(`${path}/turns/${turnId}`, { data, headers })
    expect(saved.ok(), await saved.text()).toBe(true)
    await put(page, id, { chapters: [{ title: 'Far down', start: start + 0.8 * (end - start) }] })
    await page.reload()
    await expect(item(page, 'Far down')).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('far down')
    await page.getByRole('option', { name: /^Far down/ }).click()
    await expect(slider(page)).not.toHaveValue('0')
    const top = await page.evaluate<number>(`(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame)
    const [now] = CSS.highlights.get('now')
    return now.getBoundingClientRect().top
  })()`)
    expect(top).toBeGreaterThan(0)
    expect(top).toBeLessThan(900)
  })

if (isLong)
  test('what is typed into a name while the one before is being saved stays, also when that fails', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page)
    await button(page, 'Change chapters').click()
    const typed = Promise.withResolvers<void>()
    await page.route('**/chapters', async (route) => {
      await typed.promise
      await route.fulfill({ status: 500, json: {} })
    })
    await nameOf(page, 1).fill('The prise')
    await nameOf(page, 1).press('Enter')
    await expect(heading(page, 'The prise')).toBeVisible()
    await nameOf(page, 1).fill('The price')
    typed.resolve()
    await expect(toast(page, 'Not saved. Your change was undone.')).toBeVisible()
    await expect(heading(page, 'Why the price went up')).toBeVisible()
    await expect(nameOf(page, 1)).toHaveValue('The price')
    await page.unroute('**/chapters')
    await nameOf(page, 1).press('Enter')
    await expect(heading(page, 'The price')).toBeVisible()
  })

if (isLong)
  test('on a phone the list of the player says the chapter, and opens all of them', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page)
    const tools = button(page, 'Tools')
    const row = page.getByRole('button', { name: /^Chapters/ })
    await tools.click()
    await expect(row).toHaveText(/Why the price went up/)
    await row.click()
    await expect(list(page)).toBeVisible()
    await expectEachAccessible(page)
    // It ends where the player begins, which stays in use.
    await button(page, 'Play').click()
    await page.keyboard.press('k')
    await item(page, 'Ten pages of text').click()
    await expect(list(page)).toHaveCount(0)
    await expect(heading(page, 'Ten pages of text')).toBeInViewport()
    await expect(tools).toBeFocused()

    await tools.click()
    await expect(row).toHaveText(/Ten pages of text/)
    await row.click()
    await button(page, 'Change chapters').click()
    await nameOf(page, 4).fill('Only the summary')
    await button(page, 'Done').click()
    await expect(item(page, 'Only the summary')).toBeVisible()
    await button(page, 'Close chapters').click()
    await tools.click()
    await expect(row).toHaveText(/Only the summary/)

    // With the last one the row goes too; the first of new ones is made at the playhead.
    await row.click()
    await button(page, 'Change chapters').click()
    for (let left = chapters.length; left > 0; left -= 1) {
      await expect(fields(page).getByRole('listitem')).toHaveCount(left)
      await fields(page)
        .getByRole('button', { name: /^Delete / })
        .first()
        .click()
    }
    await expect(nameOf(page, 1)).toHaveCount(0)
    await button(page, 'Done').click()
    await tools.click()
    await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
    await expect(row).toHaveCount(0)
    await page.keyboard.press('Escape')
    await button(page, 'Add chapters').click()
    await expect(nameOf(page, 1)).toBeFocused()
    await expect(nameOf(page, 1)).toHaveValue('New chapter')
  })
