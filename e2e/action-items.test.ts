import { readFile } from 'node:fs/promises'

import { expect, test } from '@playwright/test'

import { addSample, expectAccessible, haveAccount, toast } from './steps.ts'

test('what is to be done is added, ticked, changed, moved, deleted and brought back, and taken along', async ({
  page,
}) => {
  await haveAccount(page)
  const id = await addSample(page)
  await page.goto(`/home?t=${id}#summary`)
  const list = page.getByRole('region', { name: 'Action items' })
  const row = (text: string) => list.getByRole('listitem').filter({ hasText: text })
  const add = async (text: string, { who = '', day = '' } = {}) => {
    await page.getByRole('button', { name: 'Add an action item' }).click()
    const form = page.getByRole('form', { name: 'Add an action item' })
    await expect(form.getByRole('textbox', { name: 'What' })).toBeFocused()
    await page.keyboard.type(text)
    await form.getByRole('combobox', { name: 'Who' }).fill(who)
    await form.getByLabel('By when').fill(day)
    await page.keyboard.press('Enter')
    await expect(row(text)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add an action item' })).toBeFocused()
  }
  await add('Book the room', { who: 'Margaret', day: '2026-12-01' })
  await add('Print the posters')
  await expect(row('Book the room')).toContainText('Margaret')
  await expect(row('Book the room')).toContainText('Dec 1, 2026')
  await expect(list).toContainText('2 open')
  await expectAccessible(page)

  // A tick that the server did not take is taken back, and tried again.
  const box = list.getByRole('checkbox', { name: 'Book the room' })
  const item = '**/action-items/*'
  await page.route(item, (route) => route.fulfill({ status: 500, json: {} }))
  await box.click()
  await expect(toast(page, 'Not saved. Your change was undone.')).toBeVisible()
  await expect(box).not.toBeChecked()
  await page.unroute(item)
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(box).toBeChecked()
  await expect(list).toContainText('1 open')
  await saved
  await page.reload()
  // What is ticked comes last.
  await expect(list.getByRole('checkbox').last()).toBeChecked()
  await expect(list.getByRole('checkbox').last()).toHaveAccessibleName('Book the room')

  await list.getByRole('button', { name: 'Change “Print the posters”' }).click()
  await list.getByRole('textbox', { name: 'What' }).fill('Print forty posters')
  await list.getByRole('button', { name: 'Save' }).click()
  const change = list.getByRole('button', { name: 'Change “Print forty posters”' })
  await expect(change).toBeFocused()
  await add('Hang them up')
  await list.getByRole('checkbox', { name: 'Print forty posters' }).focus()
  await page.keyboard.press('e')
  const moved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await list.getByRole('button', { name: 'Move down' }).press('Enter')
  // At the end of those that are open it goes back only.
  await expect(list.getByRole('button', { name: 'Move up' })).toBeFocused()
  await expect(list.getByRole('button', { name: 'Move down' })).toBeDisabled()
  await expect(list.getByText('2 of 2', { exact: true })).toHaveRole('status')
  await expectAccessible(page)
  await moved
  await page.reload()
  await expect(list.getByRole('checkbox').nth(1)).toHaveAccessibleName('Print forty posters')
  await expect(list.getByRole('checkbox').first()).toHaveAccessibleName('Hang them up')
  await change.click()
  await list.getByRole('button', { name: 'Delete “Print forty posters”' }).click()
  await expect(row('Print forty posters')).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row('Print forty posters')).toBeVisible()

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const more = list.getByRole('button', { name: 'More for the action items' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Copy as task list' }).click()
  await expect(toast(page, 'Copied to clipboard')).toBeVisible()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    '- [ ] Hang them up\n- [ ] Print forty posters\n- [x] Margaret: Book the room (Dec 1, 2026)',
  )
  const download = page.waitForEvent('download')
  await more.click()
  await page.getByRole('menuitem', { name: 'Calendar file' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('action-items-sample.ics')
  expect(await readFile(await file.path(), 'utf8')).toContain('SUMMARY:Print forty posters\r\n')
})
