/** For journeys that need a language model: a server of their own with a stand-in for one. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { test as base } from '@playwright/test'

import { chatFake } from '../test/fakes/chat.ts'
import { type RunningServer, freePort, startServer } from '../test/server.ts'

export const test = base.extend<object, { server: RunningServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that it needs nothing
    async ({}, use) => {
      const chat = await chatFake()
      const dataDir = await mkdtemp(join(tmpdir(), 'quoth-with-model-'))
      const port = await freePort()
      const settings = {
        PUBLIC_URL: `http://localhost:${port}`,
        LLM_BASE_URL: chat.url,
        LLM_MODEL: 'obedient@journey',
      }
      const server = await startServer({ dataDir, port, settings })
      const before = process.env['E2E_DATA_DIR']
      // Accounts of this server are in its own database.
      process.env['E2E_DATA_DIR'] = dataDir
      await use(server)
      process.env['E2E_DATA_DIR'] = before
      await server.stop()
      await chat.close()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, hand) => {
    await hand(server.url)
  },
})
