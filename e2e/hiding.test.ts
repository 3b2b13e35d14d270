/** A name that is hidden in a recording: from others, until it is put back; or for good, and gone. */
import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { addSample, expectAccessible, haveAccount, openSample, toast, transcript } from './steps.ts'

/** The panel, with the places of a word that is in the sample. */
async function findCalendar(page: Page) {
  await expect(transcript(page)).toContainText('The calendar has nothing')
  await page.getByRole('button', { name: 'More for this result' }).click()
  await page.getByRole('menuitem', { name: 'Hide a name…' }).click()
  const panel = page.getByRole('region', { name: 'Hide a name' })
  await panel.getByLabel('Name, number or words').fill('calendar')
  await panel.getByRole('button', { name: 'Find' }).click()
  await panel.getByText('Text and captions').click()
  await expect(panel.getByRole('listitem').filter({ hasText: 'The calendar has' })).toBeVisible()
  return panel
}

const hides = { name: /^Hide it in \d+ places?$/ }

test('a word is hidden for others, read by its owner alone, and put back', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 1440, height: 900 })
  await haveAccount(page)
  const id = await addSample(page)
  const made = await page.request.post(`/api/transcriptions/${id}/shares`, {
    data: {},
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  const { url } = (await made.json()) as { url: string }
  const shown = async () => (await page.request.get(url)).text()
  expect(await shown()).toContain('calendar')
  await page.goto(`/dashboard?t=${id}`)
  const panel = await findCalendar(page)
  await panel.getByRole('button', hides).click()
  await expect(panel).toContainText('a voice can still give a person away')
  await expect(transcript(page)).toContainText('The █████ has nothing')
  await expectAccessible(page)
  expect(await shown()).not.toContain('calendar')

  const copied = async () => {
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
    await expect(toast(page, 'Copied to clipboard')).toBeVisible()
    return page.evaluate<string>(`navigator.clipboard.read().then(async ([item]) =>
      (await (await item.getType('text/html')).text()) + (await navigator.clipboard.readText()))`)
  }
  const text = await copied()
  expect(text).toContain('The █████ has nothing')
  expect(text).not.toContain('calendar')

  await page.clock.install()
  const bar = transcript(page).getByRole('button', { name: 'redacted' }).first()
  const before = await transcript(page).boundingBox()
  await bar.focus()
  await bar.press('Enter')
  const word = page.getByRole('status').filter({ hasText: 'calendar. Shown for 10 seconds.' })
  await expect(word).toBeAttached()
  expect(await transcript(page).boundingBox()).toEqual(before)
  await page.clock.fastForward(10_000)
  await expect(word).not.toBeAttached()

  await page.reload()
  await expect(bar).toBeVisible()
  await page.getByRole('button', { name: 'More for this result' }).click()
  await page.getByRole('menuitem', { name: 'Hide a name…' }).click()
  await panel.getByRole('button', { name: 'Put it back calendar' }).click()
  await expect(panel).toContainText('Put back.')
  await expect(transcript(page)).toContainText('The calendar has nothing')
  expect(await shown()).toContain('calendar')
})

test('a word is found, asked for once more, and gone from text and sound', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await haveAccount(page)
  await openSample(page)
  const panel = await findCalendar(page)
  await panel.getByText('For good', { exact: true }).click()
  await expectAccessible(page)

  await panel.getByRole('button', hides).click()
  const dialog = page.getByRole('dialog', { name: 'Hide it for good?' })
  const typed = dialog.getByLabel('Type “calendar”')
  await typed.fill('something else')
  await dialog.getByRole('button', { name: 'Hide it for good' }).click()
  await expect(dialog).toContainText('Nothing was hidden.')
  await typed.fill('calendar')
  await dialog.getByRole('button', { name: 'Hide it for good' }).click()
  await expect(panel).toContainText('a voice can still give a person away')
  await expect(transcript(page)).toContainText('The █████ has nothing')
  await expect(transcript(page)).not.toContainText('calendar')

  // Nobody hears it meanwhile; then it is there again.
  await expect(page.getByRole('slider', { name: 'Playback position' })).toBeVisible({
    timeout: 45_000,
  })
  await panel.getByRole('button', { name: /^Look through/ }).click()
  await expect(panel).toContainText('Turn 1 of 1')
  await page.reload()
  await expect(transcript(page)).toContainText('The █████ has nothing')
})

if (isLong)
  test('on a phone selected words are what is looked for', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await haveAccount(page)
    await openSample(page)
    await expect(transcript(page)).toContainText('The calendar has nothing')
    await page.evaluate(`(() => {
    const node = [...document.querySelectorAll('[data-turn-text]')]
      .map((turn) => turn.firstChild).find(({ data }) => data.includes('calendar'))
    const from = node.data.indexOf('calendar')
    getSelection().setBaseAndExtent(node, from, node, from + 'calendar'.length)
  })()`)
    await expect(page.getByRole('toolbar', { name: 'Selected words' })).toBeVisible()
    await page.keyboard.press('b')
    const panel = page.getByRole('region', { name: 'Hide a name' })
    await expect(panel.getByRole('button', hides)).toBeVisible()
    await expectAccessible(page)
  })
