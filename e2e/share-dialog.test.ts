import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { expectAccessible, expectEachAccessible, openSample, haveAccount, toast } from './steps.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share' })
const press = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click()
const turn = (page: Page, name: string) => dialog(page).getByRole('switch', { name })
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
/** What a word processor would take. */
const richlyCopied = (page: Page) =>
  page.evaluate<string>(`(async () => {
    const [item] = await navigator.clipboard.read()
    return (await item.getType('text/html')).text()
  })()`)

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(dialog(page)).toBeVisible()
}

test('a link is made, copied, changed and ended', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await haveAccount(page)
  await openSample(page)
  await openDialog(page)
  await expect(dialog(page).getByRole('radio', { name: '7 days' })).toBeChecked()
  await expect(dialog(page)).toContainText('to read and to download')
  await expectAccessible(page)
  await press(page, 'Create link')
  await expect(dialog(page).getByRole('button', { name: 'Copy link' })).toBeFocused()
  await expect(dialog(page)).toContainText('Not seen yet · ends')
  await expect(dialog(page).getByText('Link created and copied.').first()).toBeVisible()
  const url = await copied(page)
  expect(url).toMatch(/^http.*\/s\/[\w-]{20,}$/)
  // What is marked and copied by hand is the whole address too.
  await expect(dialog(page).getByRole('textbox', { name: 'Address of the link' })).toHaveValue(url)
  await page.evaluate(`navigator.clipboard.writeText('')`)
  await page.keyboard.press('Enter')
  await expect.poll(() => copied(page)).toBe(url)

  // A change that is not saved is undone, and tried again where that is said.
  await page.route('**/api/shares/*', (route) => route.abort())
  await turn(page, 'Recording').click({ force: true })
  await expect(toast(page, 'Not saved. Your change was undone.')).toBeVisible()
  await expect(turn(page, 'Recording')).toBeChecked()
  await page.unroute('**/api/shares/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(turn(page, 'Recording')).not.toBeChecked()
  await turn(page, 'Ask for a password').click({ force: true })
  const field = dialog(page).getByRole('textbox', { name: 'Password of the link' })
  await expect(field).toHaveValue(/^[a-z]+-[a-z]+-\d\d$/)
  await dialog(page).getByRole('radio', { name: 'Never' }).click({ force: true })
  await expect(dialog(page)).toContainText('no end')
  await expect(dialog(page)).toContainText('Changes are saved')
  await expectEachAccessible(page)

  // Nothing is lost with the dialog, and the focus goes back to what opened it.
  await field.fill('a longer password')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeFocused()
  await openDialog(page)
  await expect(field).toHaveValue('a longer password')
  await expect(turn(page, 'Recording')).not.toBeChecked()
  await expect(turn(page, 'Ask for a password')).toBeChecked()

  await press(page, 'End the link now')
  await expect(dialog(page).getByRole('button', { name: 'Keep it' })).toBeFocused()
  await press(page, 'End the link')
  await expect(toast(page, 'The link has ended.')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Create link' })).toBeFocused()
  await page.goto('/account/data')
  await expect(page.getByText('There is none.')).toBeVisible()
})

if (isLong)
  test('two links show different things, and one outlives the other', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await haveAccount(page)
    await openSample(page)
    await openDialog(page)
    const links = dialog(page).getByRole('list', { name: 'Links' }).getByRole('listitem')
    const button = (name: string) => dialog(page).getByRole('button', { name, exact: true })
    await press(page, 'Create link')
    await expect(button('Copy link')).toBeFocused()
    const first = await copied(page)

    // Where one does not want a further one after all, all is as it was.
    await press(page, 'Another link')
    await expect(button('Back')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(button('Another link')).toBeFocused()
    await page.keyboard.press('Enter')
    await turn(page, 'Recording').uncheck({ force: true })
    await turn(page, 'Ask for a password').check({ force: true })
    await dialog(page).getByRole('radio', { name: '30 days' }).check({ force: true })
    await press(page, 'Create link')
    await expect(button('Copy link')).toBeFocused()
    await expect(turn(page, 'Recording')).not.toBeChecked()
    const second = await copied(page)
    expect(second).not.toBe(first)

    await press(page, 'All 2 links')
    const [newest, oldest] = [links.nth(0), links.nth(1)]
    await expect(newest.getByRole('button', { name: 'Change' })).toBeFocused()
    await expect(newest).toContainText('Transcript, summary, namesPassword')
    await expect(newest).toContainText('Not seen yet · ends')
    await expect(oldest).toContainText('Transcript, recording, summary, names')
    await expect(oldest).not.toContainText('Password')
    await expectAccessible(page)
    await oldest.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => copied(page)).toBe(first)
    await oldest.getByRole('button', { name: 'Change' }).click()
    await expect(button('All 2 links')).toBeFocused()
    await turn(page, 'Speakers’ names').click({ force: true })
    await expect(turn(page, 'Speakers’ names')).not.toBeChecked()
    await expect(dialog(page)).toContainText('Changes are saved')
    await page.keyboard.press('Escape')
    await openDialog(page)
    await expect(links).toHaveCount(2)
    await expect(oldest).not.toContainText('names')

    await oldest.getByRole('button', { name: 'End' }).click()
    await expect(button('Keep it')).toBeFocused()
    await press(page, 'End the link')
    await expect(button('Copy link')).toBeFocused()
    await expect(turn(page, 'Ask for a password')).toBeChecked()
    expect((await page.request.get(first)).status()).toBe(410)
    const other = await page.request.get(second)
    expect(await other.text()).toContain('password')
    expect(other.status()).toBe(200)
  })

if (isLong)
  test('a copied text has names, and times where they were chosen', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await haveAccount(page)
    await openSample(page)
    await openDialog(page)
    await expect(dialog(page)).toContainText('220 words, as plain text')
    await turn(page, 'Times').check({ force: true })
    await press(page, 'Copy text')
    await expect(dialog(page).getByText('Copied', { exact: true }).last()).toHaveText('Copied')
    await expect(toast(page, 'Copied to clipboard')).toHaveCount(0)
    expect(await copied(page)).toMatch(
      /^\[00:00:00\] Speaker A\nLast month.*\n\n\[00:00:\d\d\] Speaker B\nI was/,
    )
    expect(await richlyCopied(page)).toContain(
      '<strong>Speaker B</strong><br>I was at that meeting,',
    )
  })
