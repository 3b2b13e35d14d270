/** An owner looks after the account: name, address, password, sessions, data, and its end. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { type Page, expect, test } from '@playwright/test'

import { mailedToken } from '../test/client.ts'
import { isLong } from '../test/long.ts'
import { filesIn } from '../test/zip.ts'
import {
  PASSWORD,
  expectAccessible,
  expectEachAccessible,
  signIn,
  openHome,
  haveAccount,
  toast,
} from './steps.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const linkIn = (email: string) =>
  mailedToken({ dataDir: process.env['E2E_DATA_DIR']!, email, kind: 'change' })

test('the account menu leads to the profile, where the name is changed', async ({ page }) => {
  await openHome(page)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(heading(page, 'Profile')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('First name').fill('')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await page.getByLabel('First name').fill('Grace')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(toast(page, 'Your name is saved.')).toBeVisible()
  await page.getByRole('button', { name: /Account menu/ }).click()
  await expect(page.getByText('Grace Lovett')).toBeVisible()
})

test('the address changes when both mailboxes have said yes', async ({ page, browser }) => {
  const { email } = await haveAccount(page)
  const renewed = `renewed-${randomUUID()}@example.com`
  await page.goto('/account')
  await page.getByLabel('New address').fill(renewed)
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Change address' }).click()
  await expect(page.getByRole('alert')).toContainText('That is not your current password.')
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Change address' }).click()
  await expect(page.getByText('A change is waiting for your mailboxes.')).toBeVisible()
  await expectEachAccessible(page)

  // The links are opened in another browser, as when the mail is read elsewhere.
  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(`/auth?change=${await linkIn(renewed)}`)
  await expect(heading(reader, 'Change your email address')).toBeVisible()
  await expectAccessible(reader)
  await reader.getByRole('button', { name: 'Yes, change it' }).click()
  await expect(reader.getByText('Now open the link in the mail to your other')).toBeVisible()
  await page.reload()
  await expect(page.getByText('has said yes')).toBeVisible()
  await reader.goto(`/auth?change=${await linkIn(email)}`)
  await reader.getByRole('button', { name: 'Yes, change it' }).click()
  await expect(reader.getByText('Your email address is changed.')).toBeVisible()
  await page.reload()
  await expect(page.getByText(renewed).first()).toBeVisible()
  await expect(page.getByLabel('New address')).toBeVisible()
  await context.close()
})

if (isLong)
  test('another device is signed out by hand, and every one by a new password', async ({
    page,
    browser,
  }) => {
    const { email } = await haveAccount(page)
    const context = await browser.newContext()
    const elsewhere = await context.newPage()
    await elsewhere.goto('/auth')
    await signIn(elsewhere, email)

    await page.goto('/account/security')
    await expect(heading(page, 'Security')).toBeVisible()
    await expect(page.getByText('This device')).toHaveCount(1)
    await expect(page.getByRole('button', { name: /^Sign out:/ })).toHaveCount(1)
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Sign out:/ }).click()
    await expect(toast(page, 'It is signed out.')).toBeVisible()
    await elsewhere.reload()
    await expect(elsewhere.getByRole('heading', { name: 'Welcome back' })).toBeVisible()

    await signIn(elsewhere, email)
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill(`${PASSWORD} again`)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(
      toast(page, 'Your password is changed. Everything that the old one opened has ended.'),
    ).toBeVisible()
    await expect(page.getByText('The password was changed')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Sign out:/ })).toHaveCount(0)
    await elsewhere.reload()
    await expect(elsewhere.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await context.close()
  })

/** The recordings of a browser, as its recorder keeps them. Their pieces are in the same transaction. */
const shelf = `new Promise((resolve) => {
  const request = indexedDB.open('recordings', 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore('recordings', { keyPath: 'id' })
    request.result.createObjectStore('pieces', { keyPath: ['id', 'number'] })
  }
  request.onsuccess = () =>
    resolve(request.result.transaction(['recordings', 'pieces'], 'readwrite').objectStore('recordings'))
})`
/** Leaves a draft and a recording of each of these accounts in the browser. */
const leave = (userIds: readonly string[]) => `${shelf}.then((shelf) => {
  for (const userId of ${JSON.stringify(userIds)}) {
    localStorage.setItem('drafts:' + userId + ':talk:turn', '{}')
    shelf.put({ id: userId, userId, startedAt: new Date(0), type: '' })
    const piece = { id: userId, number: 0, stretch: 0, piece: new Blob(['x']), recordedMs: 4000, levels: [] }
    shelf.transaction.objectStore('pieces').put(piece)
  }
  return new Promise((resolve) => (shelf.transaction.oncomplete = () => resolve()))
})`
/** The accounts of which it has drafts, and those of which it has recordings. */
const left = `${shelf}.then((shelf) => new Promise((resolve) => {
  const request = shelf.getAll()
  const drafts = Object.keys(localStorage).filter((key) => key.startsWith('drafts:'))
  request.onsuccess = () => resolve({
    drafts: drafts.map((key) => key.split(':')[1]),
    recordings: request.result.map(({ userId }) => userId),
  })
}))`

test('everything is taken along in one file, and the account is deleted for good', async ({
  page,
}) => {
  const { id: userId, email } = await haveAccount(page)
  const other = randomUUID()
  await page.goto('/account/data')
  await page.evaluate(leave([userId, other]))
  await page.goto('/home')
  // That of the other account is offered to nobody else.
  const offered = page.getByRole('region', { name: 'Recording left behind' })
  await expect(offered.getByRole('listitem')).toHaveCount(1)
  await page.goto('/account/data')
  await expect(heading(page, 'Your data')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('A recording for 30 days')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^quoth-\d{4}-\d\d-\d\d\.zip$/)
  expect(filesIn(await readFile(await download.path())).get('account.json')).toContain(email)

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await question.getByRole('textbox', { name: /^Type/ }).fill('yes')
  await question.getByRole('button', { name: 'Delete my account' }).click()
  await expect(question.getByText('Type the email address of this account')).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('textbox', { name: /^Type/ }).fill(email)
  await question.getByLabel('Your password').fill(PASSWORD)
  await question.getByRole('button', { name: 'Delete my account' }).click()
  const receipt = page.getByRole('alertdialog', { name: 'Your account is deleted.' })
  await expect(receipt).toContainText('Accounts erased')
  expect(await page.evaluate(left)).toEqual({ drafts: [other], recordings: [other] })
  await receipt.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
})

test('on a phone the pages of the account are chosen from a list', async ({ page }) => {
  await haveAccount(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/account')
  for (const [choice, title] of [
    ['Security', 'Security'],
    ['Your data', 'Your data'],
    ['Profile', 'Profile'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Account page' }).selectOption(choice)
    await expect(heading(page, title)).toBeVisible()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBe(390)
  }
})

const payloads = [
  '<img src=x onerror=hit()>',
  '"><script>hit()</script>',
  "'-hit()-'",
  '<svg/onload=hit()>',
  'javascript:hit()',
  '{{constructor.constructor("hit()")()}}',
  '${hit()}',
  '</title><script>hit()</script>',
  '<iframe srcdoc="<script>parent.hit()</script>">',
  '&lt;script&gt;hit()&lt;/script&gt;',
  '\u202Ehit()\u2066<b onmouseover=hit()>',
  '<a href="javascript:hit()">x</a>',
]

if (isLong)
  test('a name that looks like code is a name, on every page that shows it', async ({ page }) => {
    const errors: string[] = []
    page.on('dialog', (dialog) => void dialog.dismiss())
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML/.test(message.text())) errors.push(message.text())
    })
    await page.addInitScript('window.hits = 0; window.hit = () => { window.hits += 1 }')
    await haveAccount(page)
    for (let index = 0; index < payloads.length; index += 2) {
      const [firstName = '', lastName = ''] = payloads.slice(index)
      const renamed = await page.request.patch('/api/account', {
        data: { firstName, lastName },
        headers: { Origin: process.env['E2E_URL']! },
      })
      expect(renamed.status()).toBe(200)
      // Each on one of the pages in turn; the long run takes each to all of them.
      const shown = ['/home', '/account', '/contact']
      for (const path of isLong ? shown : [shown[(index / 2) % shown.length] ?? '/home']) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await page.getByRole('button', { name: /Account menu/ }).click()
        await expect(page.getByText(`${firstName} ${lastName}`).first()).toBeVisible()
      }
      expect(await page.evaluate('window.hits')).toBe(0)
    }
    expect(errors).toEqual([])
  })
