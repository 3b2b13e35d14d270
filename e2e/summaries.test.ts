/** Summaries of a server with a language model, of which not every word is to be believed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test as base } from '@playwright/test'

import { chatFake } from '../test/fakes/chat.ts'
import { type RunningServer, freePort, startServer } from '../test/server.ts'
import { expectAccessible, media, sample, signUp, upload } from './steps.ts'

const test = base.extend<object, { server: RunningServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that it needs nothing
    async ({}, use) => {
      const chat = await chatFake()
      const dataDir = await mkdtemp(join(tmpdir(), 'quoth-summaries-'))
      const port = await freePort()
      const settings = {
        PUBLIC_URL: `http://localhost:${port}`,
        LLM_BASE_URL: chat.url,
        // It rests each of its points on words that nobody said.
        LLM_MODEL: 'liar',
      }
      const server = await startServer({ dataDir, port, settings })
      const before = process.env['E2E_DATA_DIR']
      // Mails of this server lie in its own folder.
      process.env['E2E_DATA_DIR'] = dataDir
      await use(server)
      process.env['E2E_DATA_DIR'] = before
      await server.stop()
      await chat.close()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, provide) => {
    await provide(server.url)
  },
})

test('a key point of a model that rests on words nobody said is marked as without source', async ({
  page,
}) => {
  await signUp(page)
  await upload(page, await media('talk.m4a', '-t', '20', '-i', sample))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('tab', { name: 'Summary' })).toBeVisible({ timeout: 180_000 })
  await page.getByRole('tab', { name: 'Summary' }).click()

  const summary = page.getByRole('tabpanel', { name: 'Summary' })
  await expect(summary).toContainText('Written by AI from this transcript.')
  const points = summary.getByRole('region', { name: 'Key points' }).getByRole('listitem')
  await expect(points.first()).toContainText('makes point 1.')
  const count = await points.count()
  await expect(points.filter({ hasText: 'No source found' })).toHaveCount(count)
  // There is nothing to show or to play for them.
  await expect(summary.getByRole('button', { name: /Said at/ })).toHaveCount(0)
  await expect(summary).not.toContainText('rich by Tuesday')
  const shots = process.env['E2E_SHOTS']
  if (shots) await page.screenshot({ path: `${shots}/no-source.png`, fullPage: true })
  await expectAccessible(page)
})
