import { existsSync } from 'node:fs'

import { defineConfig } from '@playwright/test'

import { isLong, leftOut } from './test/long.ts'

/**
 * The distribution's: Chromium without its windows, at a quarter of the cost of a page, or Chromium
 * itself; without either Playwright looks for a browser of its own.
 */
const browser = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((program) =>
  existsSync(program),
)

const longer = ['editor', 'troubles', 'spec', 'google', 'recording-to-result'].map(
  (name) => `**/${name}.test.ts`,
)

export default defineConfig({
  testDir: 'e2e',
  // What takes long begins first, so that at the end no worker is left alone with it.
  projects: [
    { name: 'longer', testMatch: longer, testIgnore: leftOut },
    { name: 'shorter', testIgnore: [...leftOut, ...longer] },
  ],
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  // One server with real engines behind all journeys; while one waits for it, the others go on.
  workers: 4,
  forbidOnly: true,
  timeout: isLong ? 300_000 : 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    // Set by the global set-up, before the processes of the tests read this file.
    baseURL: process.env['E2E_URL'],
    screenshot: 'only-on-failure',
    // What moves is drawn anew many times a second, which takes a tenth of the processor's time.
    contextOptions: { reducedMotion: 'reduce' },
    // What pages ask for is answered by tests, not by a worker between them.
    serviceWorkers: 'block',
    // A click, a file dialog or a page that does not come is given up and named, not waited for
    // until the whole journey has run out of time.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [
        // Chromium refuses its sandbox as root, and the pages here are our own.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A microphone that beeps, so that none is needed.
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    },
  },
})
