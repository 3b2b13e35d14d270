import { expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { addSample, expectAccessible, haveAccount, toast } from './steps.ts'

test('a summary and its key points are changed where they stand, and shown as they were written', async ({
  page,
}) => {
  await haveAccount(page)
  await page.goto(`/home?t=${await addSample(page)}#summary`)
  const summary = page.getByRole('region', { name: 'Summary', exact: true })
  const list = page.getByRole('region', { name: 'Key points' })
  const points = list.getByRole('listitem')
  await expect(summary).toContainText('Nobody can say any more why the price was raised')
  await page.keyboard.press('e')
  const text = summary.getByRole('textbox', { name: 'Text of the summary' })
  await expect(text).toBeFocused()
  await text.fill('They record every meeting now.\n\nFor four weeks.')
  await expectAccessible(page)
  await summary.getByRole('button', { name: 'Save' }).click()
  await expect(summary.getByText('They record every meeting now.', { exact: true })).toBeVisible()
  await expect(summary.getByRole('button', { name: 'Change the summary' })).toBeFocused()
  await expect(summary).toContainText('Changed by you.')

  await list.getByRole('button', { name: 'Change “Nobody remembers why the price' }).click()
  const point = list.getByRole('textbox', { name: 'Key point' })
  await expect(point).toBeFocused()
  await point.fill('Nobody knows why the price was raised by forty percent.')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('button', { name: /^Change “Nobody knows why/ })).toBeFocused()
  // The words that it was taken from do not say so. It still leads to where they were said.
  await expect(points.first()).toContainText('0:00')
  await expect(points.first()).not.toContainText('No source found')

  await page.keyboard.press('e')
  await list.getByRole('button', { name: 'Move down' }).click()
  await expect(points.nth(1).getByRole('textbox')).toHaveValue(/^Nobody knows why/)
  await expect(list.getByRole('button', { name: 'Move down' })).toBeFocused()
  await expectAccessible(page)
  await list.getByRole('button', { name: /^Delete “Nobody knows why/ }).click()
  await expect(list).not.toContainText('Nobody knows why')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(points.nth(1)).toContainText('Nobody knows why')

  const add = list.getByRole('button', { name: 'Add one to the key points' })
  await add.click()
  await page.keyboard.type('Ask the sales team.')
  await page.keyboard.press('Enter')
  await expect(points.last()).toContainText('Ask the sales team.')
  await expect(add).toBeFocused()

  await page.reload()
  await expect(summary).toContainText('For four weeks.')
  await expect(points.last()).toContainText('Ask the sales team.')
  await summary.getByRole('button', { name: 'Show it as it was written' }).click()
  await expect(summary).toContainText('Nobody can say any more why the price was raised')
  await expect(points.first()).toContainText('Nobody remembers why the price was raised.')
  await expect(points.first()).toContainText('0:00')
  await expect(toast(page, 'Shown as it was written')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(summary).toContainText('For four weeks.')
  await expect(points.last()).toContainText('Ask the sales team.')
})

if (isLong)
  test('a change to a summary that was not saved stays in its form', async ({ page }) => {
    await haveAccount(page)
    await page.goto(`/home?t=${await addSample(page)}#summary`)
    const list = page.getByRole('region', { name: 'Key points' })
    await page.route('**/summary', (route) => route.fulfill({ status: 500, json: {} }))
    await list.getByRole('button', { name: 'Change “Nobody remembers why the price' }).click()
    const point = list.getByRole('textbox', { name: 'Key point' })
    await point.fill('Nobody knows why.')
    await page.keyboard.press('Enter')
    await expect(list.getByRole('alert')).toBeVisible()
    await expect(point).toHaveValue('Nobody knows why.')
    await page.keyboard.press('Escape')
    await expect(list.getByRole('listitem').first()).toContainText('Nobody remembers why')

    // Another one that is begun while the first is being saved stays open.
    const answer = Promise.withResolvers<void>()
    await page.unroute('**/summary')
    await page.route('**/summary', async (route) => {
      await answer.promise
      await route.continue()
    })
    await list.getByRole('button', { name: 'Change “Nobody remembers why the price' }).click()
    await point.fill('Nobody remembers why.')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: /^Add one/ }).click()
    await point.fill('Ask the sales team.')
    answer.resolve()
    await expect(list.getByRole('listitem').first()).toContainText('Nobody remembers why.')
    await expect(point).toHaveValue('Ask the sales team.')
  })
