/** Documents of a recording, from the order to the page, the file, and somebody's own Google Docs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Locator, type Page, expect, test as base } from '@playwright/test'

import { type GoogleDocsFake, googleDocsFake } from '../test/fakes/google-docs.ts'
import { type RunningServer, freePort, startServer } from '../test/server.ts'
import {
  buy,
  cancelJob,
  expectAccessible,
  expectEachAccessible,
  expectCredits,
  sample,
  signUp,
  toast,
} from './steps.ts'

interface World {
  google: GoogleDocsFake
  server: RunningServer
}

const test = base.extend<object, { world: World }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that it needs nothing
    async ({}, use) => {
      const google = await googleDocsFake()
      const dataDir = await mkdtemp(join(tmpdir(), 'quoth-documents-'))
      const port = await freePort()
      const settings = { ...google.settings, PUBLIC_URL: `http://localhost:${port}` }
      const server = await startServer({ dataDir, port, settings })
      const before = process.env['E2E_DATA_DIR']
      // Mails of this server lie in its own folder.
      process.env['E2E_DATA_DIR'] = dataDir
      await use({ google, server })
      process.env['E2E_DATA_DIR'] = before
      await server.stop()
      await google.close()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ world }, provide) => {
    await provide(world.server.url)
  },
})

/** Signs up and buys Professional: 160 credits. */
async function withPlan(page: Page): Promise<void> {
  await signUp(page)
  await buy(page, 'professional')
  await page.reload()
  await expectCredits(page, 160)
}

async function openSample(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Open the sample (free)' }).click()
  await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeVisible()
  await page.getByRole('tab', { name: 'Generate' }).click()
  return page.getByRole('tabpanel', { name: 'Generate' })
}

async function order(panel: Locator, type: string): Promise<Locator> {
  await panel.getByRole('radio', { name: type }).check()
  await panel.getByRole('button', { name: 'Create document' }).click()
  const newest = panel.getByRole('list').first().locator('> li').first()
  await expect(newest).toContainText('generated')
  await expect(panel.getByRole('status')).toHaveText('All documents are ready.')
  return newest
}

test('a document is made of the sample, read, and taken away', async ({ page }) => {
  await withPlan(page)
  const panel = await openSample(page)
  await expect(panel).toContainText(
    'Documents are written during upload. Tick Generate Document when you add a file.',
  )
  await expect(panel.getByRole('button', { name: 'Process New File with Documents' })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Create document' })).toBeDisabled()
  await expectEachAccessible(page)
  const row = await order(panel, 'Key insights')
  await expect(row).toContainText('key insights')
  await expect(panel.getByRole('heading', { level: 2 }).first()).toHaveText('1 document')
  await expectCredits(page, 159)
  await row.getByRole('button', { name: 'Read all' }).click()
  await expect(row.getByRole('button', { name: 'Show less' })).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: 'Download .txt' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.txt$/)
  await expect(toast(page, 'Downloaded!')).toBeVisible()
  await page.getByRole('button', { name: 'Other formats' }).first().click()
  const [word] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Word (.docx)' }).click(),
  ])
  expect(word.suggestedFilename()).toMatch(/\.docx$/)
  await expectAccessible(page)
})

test('a recording sent with a document is priced and charged with it', async ({ page }) => {
  await withPlan(page)
  await page.locator('input[type=file]').setInputFiles(sample)
  const start = page.getByRole('button', { name: /^Start Transcription/ })
  await page.getByRole('checkbox', { name: /Generate Document/ }).check()
  await expect(start).toHaveText('Start Transcription + Document')
  await expect(start).toBeDisabled()
  await page.getByRole('radio', { name: 'Article' }).check()
  await page.getByRole('checkbox', { name: 'Include image suggestions' }).check()
  await expectEachAccessible(page)
  await page.getByRole('radio', { name: 'Meeting minutes' }).check()
  await expect(page.getByRole('checkbox', { name: 'Include image suggestions' })).toHaveCount(0)
  // Unticking the box clears the type as well.
  await page.getByRole('checkbox', { name: /Generate Document/ }).uncheck()
  await expect(start).toHaveText('Start Transcription')
  await page.getByRole('checkbox', { name: /Generate Document/ }).check()
  await expect(start).toBeDisabled()
  await page.getByRole('radio', { name: 'Meeting minutes' }).check()
  await start.click()
  const bill = page.getByRole('alertdialog')
  await expect(bill).toContainText('Document')
  await bill.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, '2 credits deducted. 158 credits remaining.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Processing Your File' })).toBeVisible()
  await cancelJob(page)
  await expectCredits(page, 160)
})

test('a plan without documents sees one quiet line, and no Generate tab', async ({ page }) => {
  await signUp(page)
  await page.locator('input[type=file]').setInputFiles(sample)
  await expect(page.getByText('Documents are part of Professional.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Open the sample (free)' }).click()
  await expect(page.getByRole('tab')).toHaveCount(4)
})

test('a document goes to Google Docs, and every way in which it does not is said', async ({
  page,
  context,
  world: { google },
}) => {
  await withPlan(page)
  const row = await order(await openSample(page), 'Meeting minutes')
  const button = row.getByRole('button', { name: /Create Google Doc|Waiting for Google/ })
  const begin = async () => {
    const [popup] = await Promise.all([context.waitForEvent('page'), button.click()])
    await expect(button).toHaveText('Waiting for Google…')
    await popup.waitForURL(/\/auth\?/)
    return popup
  }
  const failed = async (why: string) => {
    await expect(toast(page, 'Failed to create Google Doc')).toBeVisible()
    await expect(toast(page, why)).toBeVisible()
    await expect(button).toHaveText('Create Google Doc')
  }

  const closed = await begin()
  expect(closed.viewportSize() ?? { width: 500 }).toMatchObject({ width: 500 })
  await closed.close()
  await failed('OAuth popup was closed')

  const denied = await begin()
  await denied.getByRole('link', { name: 'deny' }).click()
  await failed('Google was not allowed to create the document.')

  const expired = await begin()
  await expired.getByRole('link', { name: 'expired' }).click()
  await failed(
    'Google no longer accepts the permission that was given. Press Create Google Doc and allow it once more.',
  )

  // The page ignores other messages: of another window, with another state, of another shape.
  const good = await begin()
  await page.evaluate(`for (let index = 0; index < 10; index += 1)
    postMessage({ source: 'quoth-google-docs', type: 'success', state: 'state-' + index, token: 'token-forged' }, '*')`)
  // Nor what the popup says while another site's page is in it, though that page knows the state.
  await good.evaluate(`opener.postMessage({
    source: 'quoth-google-docs',
    type: 'success',
    state: new URLSearchParams(location.search).get('state'),
    token: 'token-forged',
  }, '*')`)
  await page.evaluate('new Promise((done) => setTimeout(done))')
  await expect(button).toHaveText('Waiting for Google…')
  expect(google.documents.size).toBe(0)
  const [opened] = await Promise.all([
    context.waitForEvent('page', { predicate: (one) => one !== good }),
    good.getByRole('link', { name: 'good' }).click(),
  ])
  await expect(toast(page, 'Google Doc Created Successfully!')).toBeVisible()
  await opened.close()
  expect(google.documents.size).toBe(1)
  const [document] = google.documents.values()
  expect(document?.title).toMatch(/^Minutes: /)
  expect(document?.text).toContain('Who spoke')
  expect(document?.requests.some((request) => 'createParagraphBullets' in request)).toBe(true)
  expect(new Set(google.scopes)).toEqual(new Set(['https://www.googleapis.com/auth/drive.file']))
  // The token is not stored.
  const kept = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')
  expect(kept).not.toContain('token-good')
})
