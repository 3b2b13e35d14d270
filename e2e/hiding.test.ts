/** A name that is taken out of a recording for good: found, asked for with the word typed, and gone. */
import { expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { expectAccessible, haveAccount, openSample, transcript } from './steps.ts'

test('a word is found, asked for once more, and gone from text and sound', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await haveAccount(page)
  await openSample(page)
  await expect(transcript(page)).toContainText('The calendar has nothing')
  await page.getByRole('button', { name: 'More for this result' }).click()
  await page.getByRole('menuitem', { name: 'Hide a name…' }).click()
  const panel = page.getByRole('region', { name: 'Hide a name' })
  await panel.getByLabel('Name, number or words').fill('calendar')
  await panel.getByRole('button', { name: 'Find' }).click()
  await expect(panel.getByRole('listitem').filter({ hasText: 'Text and captions' })).toBeVisible()
  await expectAccessible(page)

  await panel.getByRole('button', { name: /^Hide it in \d+ places?$/ }).click()
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
    await expect(panel.getByRole('button', { name: /^Hide it in \d+ places?$/ })).toBeVisible()
    await expectAccessible(page)
  })
